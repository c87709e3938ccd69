"""Which targets there are, which one a script is for, and that one more is a folder."""

import sys
import textwrap
from pathlib import Path

import pytest

import ptc_studio.targets
from ptc_studio.core.scripts import Script
from ptc_studio.targets import CheckedScript, UnknownTarget, all_targets, check, find_target, recognise, target_ids
from ptc_studio.targets.target import SOURCES

PYTHON = (
    "anthropic",
    "ironclaw",
    "toolregistry",
    "smolagents",
    "pydantic-ai",
    "monty",
    "fastmcp",
    "utcp-python",
    "ms-codeact",
)


def test_plain_comes_first_and_every_python_target_is_there():
    ids = target_ids()
    assert ids[0] == "plain"
    assert set(PYTHON) <= set(ids)
    assert [target.id for target in all_targets()] == list(ids)


@pytest.mark.parametrize("target", all_targets(), ids=lambda target: target.id)
def test_every_target_says_what_is_known_of_it_and_how(target: ptc_studio.targets.DeploymentTarget):
    assert target.notes
    assert all(note.source in SOURCES and str(note).endswith(f"[{note.source}]") for note in target.notes)
    assert bool(target.runtime) == (target.id != "plain")
    assert not target.frame or target.frame_code


def test_an_unknown_target_is_told_with_those_there_are():
    with pytest.raises(UnknownTarget, match=r"There is no target 'nope'; there are plain, anthropic, .*, and auto\."):
        find_target("nope")


@pytest.mark.parametrize(
    ("code", "target", "reason"),
    [
        ("x = price('a')\nfinal_answer(x)", "smolagents", "`final_answer(` in line 2"),
        ("rows = await query({'sql': 'select 1'})", "anthropic", "`await query({...})` with a dict in line 1"),
        ("from ironclaw_tools import call_tool", "ironclaw", "`from ironclaw_tools import` in line 1"),
        ("ptc_output('a', 1)", "ironclaw", "`ptc_output(` in line 1"),
        (
            "x = await call_tool('add', {'a': 1})\nreturn x",
            "fastmcp",
            "`await call_tool(` with a top-level `return` in line 2",
        ),
        ("print(call_tool('add', a=1))", "ms-codeact", "`call_tool(name, key=value)` in line 1"),
        ("print(get_tool_interface('a.b'))", "utcp-python", "`get_tool_interface(` in line 1"),
        ("print(price('a'))", "plain", "nothing in the text tells of a target"),
        ("# final_answer(1)\nx = 'ptc_output(1)'", "plain", "nothing in the text tells of a target"),
        ("x = (", "plain", "nothing in the text tells of a target"),
    ],
)
def test_a_target_is_told_from_the_text_with_the_reason(code: str, target: str, reason: str):
    found = recognise(CheckedScript(code, "script.py"))
    assert (found.target.id, found.reason) == (target, reason)


def test_where_two_fit_it_is_asked_which_in_one_line():
    script = CheckedScript("rows = await query({'a': 1})\nfinal_answer(rows)", "script.py")
    with pytest.raises(UnknownTarget) as caught:
        recognise(script)
    assert str(caught.value) == (
        "The script 'script.py' may be for anthropic (`await query({...})` with a dict in line 1) or smolagents "
        "(`final_answer(` in line 2): say which with --target anthropic or --target smolagents."
    )


def test_a_python_script_is_for_no_javascript_target_nor_the_other_way_round():
    assert recognise(CheckedScript("final_answer(1)", "script.mjs")).target.id != "smolagents"
    (finding,) = check(find_target("anthropic"), Script("text(1)", "script.mjs"))
    assert (finding.fails, finding.message) == (
        True, "It runs Python, and this is a .mjs file (known)",
    )  # fmt: skip


def test_a_folder_more_is_a_target_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "hello_world"
    folder.mkdir()
    (folder / "frame.py").write_text("def run(guest):\n    return guest.execute()\n")
    (folder / "__init__.py").write_text(
        textwrap.dedent(
            """
            from ptc_studio.targets.target import DeploymentTarget, Note

            TARGET = DeploymentTarget(
                id="hello-world", name="Hello", language="python", runtime="python", frame="frame.py",
                notes=(Note("Says hello", "S"),), reply=lambda record, report: f"hello {record['stdout']}",
            )
            """
        )
    )
    monkeypatch.setattr(ptc_studio.targets, "__path__", [*ptc_studio.targets.__path__, str(tmp_path)])
    assert "hello-world" in target_ids()
    target = find_target("hello-world")
    assert "guest.execute()" in target.frame_code
    find_target.cache_clear()
    del sys.modules["ptc_studio.targets.hello_world"]
