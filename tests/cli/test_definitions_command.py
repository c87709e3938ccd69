"""`ptc-studio tools --format`."""

import ast
import json
from typing import Any

import pytest

WORKSPACE = """
    version: 1
    sources:
      - {kind: functions, path: tools}
    aliases:
      - {name: plus_one, tool: add, preset: {b: 1}, description: One more.}
    grants:
      safe: [plus_one]
"""


def _tools(project: Any, *arguments: str) -> str:
    project.write("studio.yaml", WORKSPACE)
    done = project.command("tools", "--workspace", ".", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_all_tools_are_described(project: Any) -> None:
    found = json.loads(_tools(project, "--format", "anthropic"))
    assert [tool["name"] for tool in found] == ["add", "fail", "plus_one"]
    assert found[2]["description"].startswith("One more.")
    assert list(found[2]["input_schema"]["properties"]) == ["a"]


@pytest.mark.parametrize("names", [("plus_one",), ("safe",), ("plus_*", "safe")])
def test_the_named_ones_are_described(project: Any, names: tuple[str, ...]) -> None:
    assert [tool["name"] for tool in json.loads(_tools(project, "--format", "openai", *names))] == ["plus_one"]


def test_stubs_and_declarations_are_texts(project: Any) -> None:
    assert "def add(a: int, b: int)" in ast.unparse(ast.parse(_tools(project, "--format", "pyi")))
    assert "plus_one(args: ToolTypes.PlusOneArguments)" in _tools(project, "--format", "dts")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--format", "pyi", "ad"), "Tool not found: ad. Did you mean 'add'?"),
        (("--format", "xml"), "argument --format: invalid choice: 'xml'"),
        (("add",), "Names of tools go with --format"),
        (("--format", "pyi", "--json"), "--format goes without --json"),
    ],
)
def test_what_cannot_be_meant_is_one_line(project: Any, arguments: tuple[str, ...], words: str) -> None:
    done = project.command("tools", "--functions", "tools", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
