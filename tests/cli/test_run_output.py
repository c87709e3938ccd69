"""What `ptc-studio run` prints: the record for programs, output and tree for people."""

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.conftest import only_document

from .conftest import CALL_KEYS, NESTING

RUN_KEYS = {
    "run_id", "runtime", "status", "stdout", "stderr", "return_code", "error", "value", "duration_ms", "calls",
    "prepare_ms", "isolation", "cost", "target", "model_sees", "warnings",
}  # fmt: skip


# The record


def test_a_record_has_the_keys_of_the_contract(project: Any):
    record = project.record("add(1, 2)\nfail(why='so')")
    assert set(record) == RUN_KEYS
    assert set(record["error"]) == {"type", "message", "traceback", "line"}
    assert [set(call) for call in record["calls"]] == [CALL_KEYS, CALL_KEYS]
    assert set(record["calls"][1]["error"]) == {"type", "message"}


def test_a_record_tells_what_happened(project: Any):
    record = project.record("print('out')\nimport sys\nprint('err', file=sys.stderr)\nadd(1, b=2) * 2")
    assert (record["runtime"], record["status"], record["return_code"], record["error"]) == ("python", "ok", 0, None)
    assert (record["stdout"], record["stderr"], record["value"]) == ("out\n", "err\n", 6)
    (call,) = record["calls"]
    assert (call["parent_id"], call["depth"], call["tool"], call["alias"], call["source"]) == (
        None, 1, "add", None, "functions",
    )  # fmt: skip
    assert (call["arguments"], call["result"], call["error"], call["line"]) == ({"a": 1, "b": 2}, 3, None, 4)
    assert (call["redactions"], call["truncated"], call["answered_by"]) == ([], False, "tool")
    assert 0 <= call["started_ms"] <= record["duration_ms"]


def test_an_error_in_the_record_has_the_scripts_own_line(project: Any):
    record = project.record("x = 1\n\nfail(why='so')\n")
    error = record["error"]
    assert (record["status"], error["type"], error["message"], error["line"]) == ("error", "ValueError", "so", 3)
    assert (record["calls"][0]["status"], record["calls"][0]["error"]) == (
        "error", {"type": "ValueError", "message": "so"},
    )  # fmt: skip


@pytest.mark.parametrize("runtime", ["python", "python-inprocess"])
@pytest.mark.parametrize("end", ["", "raise ValueError", "import os; os.write(1, b'raw')"])
def test_json_is_all_that_is_on_stdout_whatever_prints(project: Any, runtime: str, end: str):
    project.write(
        "tools/noisy.py",
        """
        import os, subprocess, sys
        print("print at import")
        os.write(1, b"write at import\\n")
        def noisy() -> int:
            print("print at call")
            os.write(1, b"write at call\\n")
            sys.__stdout__.write("original at call\\n")
            subprocess.run(["echo", "child at call"], check=True)
            return 1
        """,
    )
    project.write("tools/broken.py", "print('before'\n")
    project.write("studio.yaml", "sources: [{kind: functions, path: tools, run_modules: true}]")
    script = project.write("script.py", f"print('mine')\nnoisy()\n{end}")
    done = project.command("run", script, "--workspace", ".", "--json", "--runtime", runtime)
    record = only_document(done.stdout)
    assert record["stdout"].startswith("mine\n")
    assert "print at call\n" in record["stderr"]
    for text in ("print at import", "write at import", "write at call", "original at call", "child at call"):
        assert text in done.stderr
    assert "broken.py:1: SyntaxError" in done.stderr


def test_what_a_tool_prints_goes_to_stderr(project: Any):
    project.write("tools/noisy.py", "def noisy():\n    print('said by the tool')\n")
    done = project.run("noisy()\nprint('said by the script')")
    assert done.stderr == "said by the tool\n"
    assert done.stdout.startswith("said by the script\n")


# What a person sees


def test_output_is_live_and_the_tree_comes_after_it(project: Any):
    project.write(
        "script.py",
        """
        import pathlib, time
        print("before", flush=True)
        while not pathlib.Path("go").read_text():
            time.sleep(0.01)
        print("after", add(1, 2))
        """,
    )
    # Without a workspace a script sees what it names, as far as that is there when it starts.
    project.write("go", "")
    with project.started("run", "script.py", "--functions", "tools") as process:
        assert process.stdout.readline() == "before\n"
        assert process.poll() is None
        project.write("go", "now")
        rest, stderr = process.communicate(timeout=40)
    lines = rest.splitlines()
    assert lines[0] == "after 3"
    assert lines[1].startswith("✓ add(a=1, b=2) → 3")
    assert lines[2].startswith("✓ ok · ")
    assert (len(lines), stderr) == (3, "")


def test_the_tree_shows_which_call_made_which(project: Any):
    project.write("tools/nesting.py", NESTING)
    lines = project.run("down(2)").stdout.splitlines()
    assert [line[: line.index("(")] for line in lines[:3]] == ["✓ down", "   └─ ✓ down", "      └─ ✓ down"]


def test_output_without_a_line_end_is_kept_apart_from_the_tree(project: Any):
    assert project.run("print('half', end='')\nadd(1, 2)").stdout.startswith("half\n✓ add")


def test_a_failing_script_shows_its_own_traceback_and_none_of_ours(project: Any):
    done = project.run("def f():\n    fail(why='so')\nf()")
    assert done.stderr.splitlines()[-1] == "ValueError: so"
    frames = [line.split(",")[0].strip() for line in done.stderr.splitlines() if line.startswith("  File")]
    assert frames == [f'File "{project.folder}/tools/calc.py"', 'File "script.py"', 'File "script.py"']
    assert "✕ fail" in done.stdout


def test_plain_output_has_no_escape_codes(project: Any):
    done = project.run("add(1, 2)\ntry:\n    fail(why='\\x1b[31mred')\nexcept ValueError: pass")
    assert "\x1b" not in done.stdout + done.stderr


def test_a_terminal_gets_colours(project: Any, screen: Callable[..., Any]):
    shown = screen("run", project.write("s.py", "add(1, 2)"), "--functions", "tools")
    assert shown.finish() == 0
    assert "\x1b[32m✓\x1b[0m \x1b[36madd\x1b[0m" in shown.shown


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_that_wants_no_colours_gets_none(project: Any, screen: Callable[..., Any], name: str, value: str):
    project.environment[name] = value
    shown = screen("run", project.write("s.py", "add(1, 2)"), "--functions", "tools")
    assert shown.finish() == 0
    assert "✓ add(a=1, b=2)" in shown.shown
    assert "\x1b[3" not in shown.shown


def test_half_a_line_is_not_wiped_out_by_the_progress_line(project: Any, screen: Callable[..., Any]):
    project.write("s.py", "import time\nprint('half', end='', flush=True)\ntime.sleep(1)\nprint('whole')")
    shown = screen("run", "s.py")
    assert shown.finish() == 0
    assert "halfwhole" in shown.shown


def test_a_reader_that_goes_away_is_no_error(project: Any):
    project.write("script.py", "for i in range(5000):\n    print(i, flush=True)\nadd(1, 2)")
    with project.started("run", "script.py", "--functions", "tools") as process:
        assert process.stdout.readline() == "0\n"
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(40) == 0


def test_readers_of_both_streams_may_go_away(project: Any):
    project.write("script.py", "for i in range(5000):\n    print(i, flush=True)\nraise ValueError")
    arguments = ("run", "script.py")
    with project.started(*arguments, stderr=subprocess.STDOUT) as process:
        assert process.stdout.readline() == "0\n"
        process.stdout.close()
        assert process.wait(40) == 1


HALF = """
def half(text: str = "") -> dict:
    \"\"\"Gives half a character.\"\"\"
    if text == "fail":
        raise ValueError("bad \\ud800")
    return {"k\\ud800": ["v\\udfff", text]}
"""


HALF_SCRIPT = """
for attempt in (
    lambda: call_tool("no\\ud800pe", {"a\\ud800": "b\\udc80"}),
    lambda: call_tool("half", {"text": "fail"}),
    lambda: call_tool("half", {"text": "x"}),
    lambda: half(text="\\ud800"),
):
    try:
        attempt()
    except Exception as error:
        print(ascii(error))
raise Exception("the end \\ud800")
"""


@pytest.mark.parametrize("runtime", ["python", "python-inprocess"])
def test_half_a_character_anywhere_keeps_no_record_from_being_printed(project: Any, runtime: str):
    project.write("tools/half.py", HALF)
    record = project.record(HALF_SCRIPT, "--runtime", runtime)
    assert set(record) == RUN_KEYS
    assert record["status"] == "error"
    assert "the end" in record["error"]["message"]
    assert len(record["calls"]) >= 2
    assert "bad" in next(call for call in record["calls"] if call["arguments"] == {"text": "fail"})["error"]["message"]
    json.dumps(record, ensure_ascii=False).encode()
    told = project.run(HALF_SCRIPT, "--runtime", runtime, "--record", "c.json")
    assert told.returncode == 1
    assert "Traceback (most recent call last)" not in told.stderr.replace(
        'Traceback (most recent call last):\n  File "script', ""
    )
    json.loads((project.folder / "c.json").read_text(encoding="utf-8"))


def test_half_a_character_in_a_tools_name_or_answer_is_printed(project: Any):
    project.write("tools/half.py", HALF)
    record = only_document(project.command("call", "half", "--functions", "tools", "--json").stdout)
    assert set(record) == CALL_KEYS
    record = only_document(project.command("call", "no\udc80pe", "--functions", "tools", "--json").stdout)
    assert "no" in record["tool"]
    assert record["status"] == "not_found"
