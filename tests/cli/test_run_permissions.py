"""What a script that `ptc-studio run` starts may call: grants, depth, and who is asked."""

import re
import select
from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.conftest import only_document

from .conftest import NESTING

# Grants and depth


@pytest.fixture
def granting(project: Any) -> Any:
    project.write(
        "studio.yaml",
        """
        sources: [{kind: functions, path: tools}]
        aliases: [{name: plus_one, tool: add, preset: {b: 1}}]
        grants: {sums: [add, plus_one]}
        """,
    )
    return project


@pytest.mark.parametrize(
    ("grant", "allowed"),
    [
        ([], {"add", "fail", "plus_one"}),
        (["--grant", "add"], {"add"}),
        (["--grant", "calc.add"], {"add"}),
        (["--grant", "plus_one"], {"plus_one"}),
        (["--grant", "sums"], {"add", "plus_one"}),
        (["--grant", "calc.*"], {"add", "fail"}),
        (["--grant", "fa*"], {"fail"}),
        (["--grant", "add", "fail"], {"add", "fail"}),
        (["--grant", "add", "--grant", "fail"], {"add", "fail"}),
    ],
)
def test_a_grant_names_a_tool_an_alias_a_set_or_a_pattern(granting: Any, grant: list[str], allowed: set[str]):
    code = """
        tried = {"add": {"a": 1, "b": 2}, "plus_one": {"a": 1}, "fail": {"why": "x"}}
        for name, arguments in tried.items():
            try:
                call_tool(name, arguments)
            except (PermissionError, ValueError):
                pass
        sorted(name for name in tried if name in globals())
    """
    granting.write("script.py", code)
    record = only_document(granting.command("run", "script.py", "--workspace", ".", *grant, "--json").stdout)
    assert set(record["value"]) == allowed
    ran = {call["alias"] or call["tool"] for call in record["calls"] if call["status"] != "denied"}
    assert ran == allowed


def test_the_script_may_stand_behind_a_grant(granting: Any):
    granting.write("script.py", "add(1, 2)")
    done = granting.command("run", "--workspace", ".", "--json", "--grant", "add", "script.py")
    assert only_document(done.stdout)["value"] == 3


def test_a_grant_of_nothing_is_told(granting: Any):
    done = granting.run("1", "--grant", "ad", "add")
    assert done.stderr == "ptc-studio: --grant ad: there is no such tool, alias or grant set\n"


def test_calls_nest_to_the_depth_that_is_given_and_no_deeper(project: Any):
    project.write("tools/nesting.py", NESTING)
    assert project.record("down(4)")["value"] == 4
    record = project.record("down(4)", "--max-depth", "3")
    assert [call["status"] for call in record["calls"]] == ["error", "error", "error", "depth"]
    assert [call["depth"] for call in record["calls"]] == [1, 2, 3, 4]
    assert record["error"]["type"] == "RecursionError"


# Permissions


@pytest.fixture
def asking(project: Any) -> Any:
    project.write("studio.yaml", "sources: [{kind: functions, path: tools, permission: ask}]")
    project.write(
        "script.py",
        """
        for number in (1, 2):
            try:
                print("sum", add(number, 2))
            except PermissionError as error:
                print("refused:", error)
        """,
    )
    return project


@pytest.mark.parametrize(
    ("typed", "outcomes"),
    [
        ("yy", ["sum 3", "sum 4"]),
        ("yn", ["sum 3", "refused: Tool 'add' was denied by a person."]),
        ("nn", ["refused: Tool 'add' was denied by a person."] * 2),
        ("a", ["sum 3", "sum 4"]),
    ],
)
def test_a_person_at_the_terminal_is_asked(asking: Any, screen: Callable[..., Any], typed: str, outcomes: list[str]):
    shown = screen("run", "script.py", "--workspace", ".")
    for number, reply in enumerate(typed, 1):
        shown.wait_for(f'Allow add {{"a":{number},"b":2}}? [y]es')
        shown.type(f"{reply}\n")
    assert shown.finish() == 0
    # What the script wrote before a question may come after it, on its line: they take two ways.
    assert re.findall(r"sum \d|refused: [^\r\n]*", shown.shown) == outcomes


def test_a_question_stays_on_the_screen_until_it_is_answered(asking: Any, screen: Callable[..., Any]):
    asking.write("script.py", "import time\ntime.sleep(0.8)\nprint(add(1, 2))")
    shown = screen("run", "script.py", "--workspace", ".")
    shown.wait_for("[N]o: ")
    # The progress line is drawn every 0.1 s; three times that without a sign of it is an answer.
    assert not select.select([shown.fileno], [], [], 0.35)[0]
    shown.type("y\n")
    assert shown.finish() == 0


def test_without_a_terminal_nobody_is_asked_and_the_call_is_denied(asking: Any):
    done = asking.command("run", "script.py", "--workspace", ".", "--json", input="y\ny\n")
    record = only_document(done.stdout)
    assert [call["status"] for call in record["calls"]] == ["denied", "denied"]
    assert record["calls"][0]["error"]["type"] == "PermissionError"
    assert "no terminal to ask on" in record["calls"][0]["error"]["message"]
    assert "no terminal to ask on" in record["stdout"]
