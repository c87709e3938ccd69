"""A kind of source is a package and a row: what the studio does for all kinds it does for one more."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from ptc_studio.sources.entry_fields import CodeFile, Line, Text, WorkspaceEntry, code_of
from ptc_studio.sources.kinds import KINDS, Kind
from ptc_studio.storage.workspace import believed, read_workspace
from tests.extra_kind import ROW, extra_kind

ROOT = Path(__file__).parents[2]
FILE = """
sources:
  - {kind: recipe, name: soup, steps: kitchen/soup.txt}
  - {kind: builtin, name: std, permissions: {write_file: allow}}
runtimes: {python: {workspace: write}}
"""
WRITE = {
    "the script itself": "open(name, 'w').write('new')",
    "a tool": "call_tool('std.write_file', {'path': name, 'content': 'new'})",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "kitchen").mkdir()
    (tmp_path / "kitchen" / "soup.txt").write_text("boil")
    (tmp_path / "studio.yaml").write_text(FILE)
    with extra_kind():
        yield tmp_path


def test_what_an_added_kind_names_as_code_is_believed(workspace: Path):
    assert workspace / "kitchen" / "soup.txt" in believed(read_workspace(workspace), workspace)
    assert (ROW.path_fields, ROW.code_fields) == (("steps",), ("steps",))


@pytest.mark.parametrize("way", WRITE)
async def test_a_script_that_may_write_the_workspace_cannot_write_the_code_of_an_added_kind(workspace: Path, way: str):
    studio = Studio(Setup(workspace, spare_processes=0))
    try:
        await studio.load()
        names = ["kitchen/soup.txt", "kitchen/note.txt"]
        code = f"for name in {names}:\n  try:\n    {WRITE[way]}\n    print(name)\n  except OSError: pass\nsoup()\n"
        runtime = studio.runtimes.choose("python", "")
        record = await studio.run(studio.session(), Script(code, "s.py", str(workspace)), runtime)
        assert (record["error"], record["stdout"], record["value"]) == (None, "kitchen/note.txt\n", "boil")
    finally:
        await studio.close()


def test_the_tools_of_an_added_kind_are_listed_by_the_command(workspace: Path):
    code = (
        "import sys; from tests.extra_kind import extra_kind; from ptc_studio.cli.main import main\n"
        "with extra_kind(): sys.exit(main(['tools', '--workspace', '.', '--json']))"
    )
    command = [sys.executable, "-c", code]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=workspace, env=environment, capture_output=True, check=False, timeout=50)
    listed = {tool["name"]: tool for tool in json.loads(done.stdout)["tools"]}
    assert listed["soup"]["source"] == "soup"


@pytest.mark.parametrize("field", [str, str | None, tuple[str, ...], Path, dict[str, str], list[str | int]])
def test_a_kind_with_a_text_that_does_not_say_what_it_is_cannot_be_made(field: Any):
    class Forgetful(WorkspaceEntry):
        kind: Literal["forgetful"] = "forgetful"
        script: field

    with pytest.raises(TypeError, match=r"Forgetful\.script holds text .* CodeFile"):
        Kind("forgetful", "", "", Forgetful, "", (), badge="")


def test_what_may_be_code_is_code_wherever_it_stands_in_an_entry():
    class Step(WorkspaceEntry):
        run: Line | CodeFile | None = None

    class Plan(WorkspaceEntry):
        name: Text = "plan"
        steps: tuple[Step, ...] = ()
        by_name: dict[str, CodeFile]

    plan = Plan(steps=(Step(run="a.sh"), Step()), by_name={"b": "b.sh"})
    assert [text for _role, text in code_of(plan)] == ["a.sh", "b.sh"]
    assert set(Kind("plan", "", "", Plan, "", (), badge="").code_fields) == {"by_name", "run"}


def test_every_kind_knows_its_paths_and_its_code():
    paths = {kind.id: kind.path_fields for kind in KINDS.values() if kind.path_fields}
    code = {kind.id: kind.code_fields for kind in KINDS.values() if kind.code_fields}
    files = {
        "functions": ("path",),
        "openapi": ("document",),
        "script": ("path",),
        "wasm": ("path",),
        "toolregistry": ("module",),
    }
    assert paths == {**files, "mcp": ("cwd",), "command": ("cwd",)}
    assert code == {**files, "mcp": ("command", "args"), "command": ("argv",)}
