"""Scripts with types: what is checked where they are written must run as it is, and what we ship must pass the check."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ptc_studio.core.registry import EVERYTHING, Registry
from ptc_studio.exports import definitions
from ptc_studio.locations import RUNTIMES, SAMPLE_TOOLS
from ptc_studio.runtimes.type_check import TypeChecker, TypeCheckRequest
from ptc_studio.sources.functions import FunctionCatalog
from tests.runtimes.javascript.conftest import Run
from tests.support import Engine
from tests.typescript import deno_complaints

SCRIPTS = Path(__file__).parents[1] / "scripts" / "typescript"
REFUSED = {
    "lines": "gives arguments by position",
    "missing": "leaves an argument out",
    "positional": "gives arguments by position",
    "syntax": "is no TypeScript",
}
"""What the compiler is right to refuse."""


@pytest.fixture(scope="module")
def checker() -> TypeChecker:
    return TypeChecker()


@pytest.fixture(scope="module")
def samples() -> Iterator[Registry]:
    folder, registry = FunctionCatalog(SAMPLE_TOOLS), Registry()
    for tool in folder.refresh().tools:
        registry.register(tool)
    yield registry
    folder.close()


def declared(registry: Registry) -> str:
    text = definitions(registry.targets(EVERYTHING), "dts")
    assert isinstance(text, str)
    return text


def test_the_example_passes_the_check(checker: TypeChecker, samples: Registry):
    code = (RUNTIMES / "typescript" / "example.ts").read_text()
    assert checker.check(TypeCheckRequest(code, declared(samples))) == []
    found = checker.check(TypeCheckRequest(code.replace("{ team:", "{ tean:"), declared(samples)))
    assert found
    assert "'tean' does not exist in type 'TeamMembersArguments'" in found[0].message


def test_the_scripts_of_the_conformance_tests_pass_the_check(shop: Engine, tmp_path: Path):
    """All at once: a compiler takes as long for one."""
    shop.add(lambda: None, name="gate")
    scripts = {path.stem: path.read_text() for path in sorted(SCRIPTS.glob("*.ts"))}
    # What returns at its top level is for our own check to let pass.
    passing = {name: text for name, text in scripts.items() if name not in {*REFUSED, "returned"}}
    assert len(passing) > 30
    assert deno_complaints(tmp_path, tools=declared(shop.registry), **passing) == []


def test_a_return_at_the_top_level_passes_the_check(checker: TypeChecker, shop: Engine):
    assert checker.check(TypeCheckRequest((SCRIPTS / "returned.ts").read_text(), declared(shop.registry))) == []


@pytest.mark.parametrize("name", REFUSED)
def test_the_check_refuses_what_it_should(checker: TypeChecker, shop: Engine, name: str):
    assert checker.check(TypeCheckRequest((SCRIPTS / f"{name}.ts").read_text(), declared(shop.registry)))


@pytest.mark.parametrize("runtime_id", ["typescript", "deno"])
async def test_a_script_that_refers_to_declarations_and_imports_types_runs(run: Run, runtime_id: str, tmp_path: Path):
    (tmp_path / "shapes.ts").write_text("export interface Sum {\n  total: number;\n}\n")
    (tmp_path / "tools.d.ts").write_text("declare const tools: any;\n")
    code = (
        '/// <reference path="tools.d.ts" />\n'
        'import type { Sum } from "./shapes.ts";\n'
        "type Given = Parameters<typeof tools.add>;\n"
        "const sum: Sum = { total: await tools.add({ a: 1 }) };\n"
        "console.log(sum.total satisfies number);\n"
        "throw new Error('six');"
    )
    record = await run(code, runtime_id, "script.ts", tmp_path)
    assert (record["stdout"], record["calls"][0]["line"], record["error"]["line"]) == ("3\n", 4, 6)
