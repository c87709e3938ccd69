"""A folder that is only found is not trusted; one that is named is."""

import shlex
from typing import Any

import pytest

from ptc_studio.locations import EXAMPLES
from tests.cli.conftest import only_document

MARKING = "with open('marker', 'a') as file:\n    file.write('ran')\n\n\ndef marked() -> int:\n    return 1\n"
FILE = "version: 1\nsources:\n  - kind: functions\n    path: tools\n    run_modules: true\n"


@pytest.fixture(autouse=True)
def home(project: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nobody has been asked anything yet."""
    home = tmp_path_factory.mktemp("home")
    project.environment |= {"HOME": str(home), "XDG_DATA_HOME": str(home / "data")}


@pytest.fixture
def marked(project: Any) -> Any:
    project.write("tools/marking.py", MARKING)
    project.write("studio.yaml", FILE)
    return project


def ran(project: Any) -> bool:
    return (project.folder / "marker").exists()


def names(project: Any, *arguments: Any) -> set[str]:
    return {tool["name"] for tool in only_document(project.command("tools", "--json", *arguments).stdout)["tools"]}


@pytest.mark.parametrize("command", [("run", "script.py"), ("tools",), ("call", "add", "--args", '{"a": 1, "b": 2}')])
def test_a_workspace_that_is_only_found_executes_nothing_and_says_how_to_trust_it(marked: Any, command: Any):
    marked.write("script.py", "print('hello')\n")
    done = marked.command(*command)
    assert not ran(marked)
    complaint, *_ = done.stderr.splitlines()
    # To be typed as it stands there, whatever the folder is called.
    typed = shlex.quote(str(marked.folder))
    assert complaint == (
        f"ptc-studio: The tools of {marked.folder} are not loaded, for the folder is not trusted: name it with "
        f"--workspace {typed}, or run ptc-studio trust {typed}."
    )
    assert done.returncode == (1 if command[0] == "call" else 0)
    if command[0] == "run":
        assert done.stdout.startswith("hello\n")


def test_a_workspace_that_is_named_is_trusted_but_not_from_then_on(marked: Any):
    assert names(marked, "--workspace", ".") == {"add", "fail", "marked"}
    assert ran(marked)
    assert names(marked) == set()


def test_functions_that_are_named_are_trusted(marked: Any):
    done = marked.command("tools", "--functions", "tools")
    assert "add(" in done.stdout
    assert "marking.py:1: `with open('marker', 'a') as file:` at its top level makes it a script" in done.stderr
    assert not ran(marked)


def test_trust_is_kept_until_it_is_revoked(marked: Any):
    assert marked.command("trust", ".").stdout == f"{marked.folder} is trusted: its tools are loaded.\n"
    assert names(marked) == {"add", "fail", "marked"}
    assert marked.command("trust", ".", "--revoke").stdout == f"{marked.folder} is not trusted any longer.\n"
    assert names(marked) == set()


def test_a_folder_that_is_not_there_cannot_be_trusted(project: Any):
    done = project.command("trust", "nowhere")
    assert (done.returncode, done.stderr) == (2, "ptc-studio: There is no folder 'nowhere'.\n")


@pytest.mark.parametrize(("reply", "trusted"), [("y", True), ("n", False), ("", False)])
def test_on_a_terminal_it_is_asked_once(marked: Any, screen: Any, reply: str, trusted: bool):
    shown = screen("tools")
    shown.wait_for("[y]es, [N]o: ")
    assert not ran(marked)
    shown.type(f"{reply}\n")
    assert shown.finish() == 0
    assert ran(marked) is trusted
    again = screen("tools")
    again.finish()
    assert "[y]es" not in again.shown
    assert ("marked" in again.shown) is trusted


def test_scripts_among_functions_are_told_by_tools_alone(project: Any):
    project.write("tools/mine.py", "print(add(1, 2))\n")
    [error] = only_document(project.command("tools", "--functions", "tools", "--json").stdout)["errors"]
    assert error == {
        "source": "functions",
        "file": str(project.folder / "tools" / "mine.py"),
        "line": 1,
        "message": error["message"],
    }
    assert error["message"].startswith("`print(add(1, 2))` at its top level makes it a script")
    done = project.command("run", "tools/mine.py", "--functions", "tools")
    assert (done.stdout.splitlines()[0], done.stderr) == ("3", "")


def test_a_folder_without_a_workspace_file_has_its_tools_in_tools(project: Any):
    project.write("mine.py", "print(add(1, 2))\n")
    found = only_document(project.command("tools", "--workspace", ".", "--json").stdout)
    assert ({tool["name"] for tool in found["tools"]}, found["errors"]) == ({"add", "fail"}, [])


def test_without_tools_the_python_files_in_the_folder_are_read_and_its_scripts_are_no_errors(project: Any):
    (project.folder / "tools" / "calc.py").rename(project.folder / "calc.py")
    (project.folder / "tools").rmdir()
    project.write("mine.py", "print(add(1, 2))\n")
    project.write("within/more.py", "def more() -> int:\n    return 1\n")
    found = only_document(project.command("tools", "--workspace", ".", "--json").stdout)
    assert ({tool["name"] for tool in found["tools"]}, found["errors"]) == ({"add", "fail"}, [])


def test_an_example_runs_with_its_sample_tools_in_any_workspace(marked: Any):
    example = str(EXAMPLES / "01_one_call.py")
    record = only_document(marked.command("run", example, "--workspace", ".", "--json").stdout)
    assert (record["status"], {call["status"] for call in record["calls"]}) == ("ok", {"ok"})
    named = marked.command("run", example, "--functions", "tools")
    assert named.returncode == 1, "whoever names functions means those"
