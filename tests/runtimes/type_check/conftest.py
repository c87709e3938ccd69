"""Real compilers, and the tools that scripts are checked against."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.registry import EVERYTHING, Registry
from ptc_studio.core.tools import ToolSpec
from ptc_studio.exports import definitions
from ptc_studio.runtimes.programs import Programs
from ptc_studio.runtimes.type_check import Compilers, Diagnostic, TypeChecker, TypeCheckRequest
from ptc_studio.sources.schema_tool import SchemaTool, signature_of

ROOT = Path(__file__).parents[3]
NODE_MODULES = Path(os.environ.get("PTC_NODE_SERVERS", ROOT / ".venv" / "node")) / "node_modules"
PAIR = {
    "type": "object",
    "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}
Check = Callable[..., list[Diagnostic]]


class FakePrograms(Programs):
    """Finds what it is told to, and counts the looks."""

    def __init__(self, **places: str) -> None:
        super().__init__()
        self.places = places

    def find(self, name: str) -> list[str]:
        return [self.places[name]] if name in self.places else []


def declared(*names: str) -> str:
    """Declarations of tools that multiply."""
    registry = Registry()
    for name in names or ("calc.mul",):
        spec = ToolSpec(name, "", PAIR, "test", signature_of(PAIR), output={"type": "number"})
        registry.register(SchemaTool(spec, lambda _arguments, _ticket: None))
    text: Any = definitions(registry.targets(EVERYTHING), "dts")
    return text


@pytest.fixture(scope="session")
def tsc() -> FakePrograms:
    """The packages of Node.js without Deno."""
    program, node = NODE_MODULES / "typescript/bin/tsc", shutil.which("node")
    if node is None or not program.exists():
        pytest.skip(f"no TypeScript compiler at {program}: run packaging/node-packages .venv/node")
    return FakePrograms(tsc=str(program), node=node)


@pytest.fixture(params=["deno", "tsc"])
def checker(request: pytest.FixtureRequest, tmp_path: Path) -> TypeChecker:
    """Each compiler in turn."""
    compilers = Compilers(request.getfixturevalue("tsc")) if request.param == "tsc" else Compilers()
    return TypeChecker(compilers, cache=tmp_path.parent / "types-cache")


@pytest.fixture
def check(checker: TypeChecker) -> Check:
    """What the compiler finds in a script."""

    def check(code: str, folder: Path | None = None, tools: tuple[str, ...] = ()) -> list[Diagnostic]:
        found = checker.check(TypeCheckRequest(code, declared(*tools), folder))
        assert found is not None
        return found

    return check
