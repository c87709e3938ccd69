"""`ptc-studio run`, as a user and as another program starts it."""

import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.conftest import only_document

RUN_KEYS = {
    "run_id", "runtime", "status", "stdout", "stderr", "return_code", "error", "value", "duration_ms", "calls",
    "prepare_ms", "isolation", "target", "model_sees", "warnings",
}  # fmt: skip
CALL_KEYS = {
    "id", "parent_id", "depth", "tool", "alias", "source", "arguments", "status", "result", "error",
    "started_ms", "duration_ms", "line", "redactions", "truncated", "answered_by",
}  # fmt: skip
SLEEPER = """
import time
print("ready", flush=True)
time.sleep(60)
"""
NESTING = '''
def down(n: int, _context=None) -> int:
    """Calls itself."""
    return _context.call_tool("down", {"n": n - 1}) + 1 if n else 0
'''


def assert_one_line(stderr: str) -> None:
    assert stderr.endswith("\n")
    assert stderr.count("\n") == 1, stderr
    assert stderr.startswith("ptc-studio")
    assert "Traceback" not in stderr


# Exit statuses


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("print(add(1, 2))", 0),
        ("import sys; sys.exit(0)", 0),
        ("raise ValueError('no')", 1),
        ("def (", 1),
        ("import sys; sys.exit(3)", 1),
        ("import os; os.kill(os.getpid(), 9)", 1),
    ],
)
def test_the_exit_status_tells_how_the_script_ended(project: Any, code: str, status: int):
    assert project.run(code).returncode == status


def test_a_script_that_takes_too_long_ends_with_124(project: Any):
    done = project.run(SLEEPER, "--timeout", "2.5")
    assert done.returncode == 124
    assert done.stdout.startswith("ready\n")
    assert "time limit of 2.5 s" in done.stderr


def test_a_timeout_keeps_what_was_written_before_it(project: Any):
    # The line is that of the last call, where the script's process is too busy to tell where it is.
    record = project.record(SLEEPER.replace("time.sleep", "add(1, 2), time.sleep"), "--timeout", "2.5")
    assert (record["status"], record["stdout"], record["error"]["line"]) == ("timeout", "ready\n", 3)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("runtime", ["python", "python-inprocess"])
def test_a_signal_cancels_the_run_with_130(project: Any, number: int, runtime: str):
    with project.started("run", project.write("s.py", SLEEPER), "--runtime", runtime) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=40)
    assert process.returncode == 130
    assert "cancelled" in stdout
    assert "Traceback" not in stderr


def test_a_cancelled_run_still_gives_its_record(project: Any):
    project.write(
        "tools/wait.py",
        """
        import os, time
        def wait():
            os.write(2, b"under way\\n")
            time.sleep(60)
        """,
    )
    arguments = ("run", project.write("s.py", "wait()"), "--functions", "tools", "--json")
    with project.started(*arguments) as process:
        assert process.stderr.readline() == "under way\n"
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate(timeout=40)
    record = json.loads(stdout)
    assert (record["status"], record["calls"][0]["status"], process.returncode) == ("cancelled", "cancelled", 130)


def test_a_signal_while_tools_are_loaded_ends_with_130(project: Any):
    project.write("tools/slow.py", 'import os, time\nos.write(2, b"loading\\n")\ntime.sleep(60)\n')
    project.write("studio.yaml", "sources: [{kind: functions, path: tools, run_modules: true}]")
    with project.started("run", project.write("s.py", "1"), "--workspace", ".") as process:
        assert process.stderr.readline() == "loading\n"
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=40)
    assert process.returncode == 130
    assert "Traceback" not in stderr


# Usage errors


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nosuch.py"], "no script 'nosuch.py'"),
        (["tools"], "Is a directory"),
        (["script.py", "--runtime", "cobol"], "no runtime 'cobol'; there are python"),
        (["script.rb"], "No runtime is known for 'script.rb'"),
        (["latin.py"], "not UTF-8 text (line 2)"),
        (["script.py", "--workspace", "nosuch"], "no studio.yaml"),
        ([], "SCRIPT"),
        (["script.py", "--grant"], "--grant"),
        (["script.py", "--bogus"], "--bogus"),
        *((["script.py", "--timeout", text], "seconds above 0") for text in ("0", "-1", "nan", "inf", "soon", "")),
        *((["script.py", "--max-depth", text], "from 1 to 100") for text in ("0", "-1", "101", "1.5", "x")),
    ],
)
def test_a_usage_error_is_one_line_and_ends_with_2(project: Any, arguments: list[str], told: str):
    project.write("script.py", "print(1)")
    project.write("script.rb", "puts 1")
    project.write("latin.py", b"\nprint('caf\xe9')")
    done = project.command("run", *arguments, "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert_one_line(done.stderr)


def test_a_broken_workspace_is_one_line_that_names_its_place(project: Any):
    project.write("studio.yaml", "version: 1\nsauces: []\n")
    done = project.command("run", project.write("s.py", "1"), "--workspace", ".")
    assert (done.returncode, done.stdout) == (2, "")
    assert "studio.yaml:2: sauces: unknown key 'sauces'" in done.stderr
    assert_one_line(done.stderr)


def test_a_script_whose_name_is_not_text_is_a_usage_error(project: Any):
    name = os.fsdecode(b"\xff.py")
    (project.folder / name).write_text("print(1)")
    done = project.command("run", name)
    assert done.returncode == 2
    assert_one_line(done.stderr)


# Where scripts come from


def test_a_dash_reads_the_script_from_standard_input(project: Any):
    done = project.command("run", "-", "--functions", "tools", "--json", input="add(1, 2)\nboom")
    record = only_document(done.stdout)
    assert (record["calls"][0]["result"], record["calls"][0]["line"]) == (3, 1)
    assert (record["error"]["type"], record["error"]["line"]) == ("NameError", 2)
    assert '"<stdin>", line 2' in record["error"]["traceback"]


@pytest.mark.parametrize("given", ["script.py", "-"])
def test_a_byte_order_mark_is_no_part_of_the_script(project: Any, given: str):
    text = b"\xef\xbb\xbfprint('f\xc3\xbcnf')\r\nprint(5)\r\n"
    project.write("script.py", text)
    done = project.command("run", given, "--json", input=text.decode())
    assert only_document(done.stdout)["stdout"] == "fünf\n5\n"


def test_standard_input_that_is_not_text_is_a_usage_error(project: Any):
    done = project.command("run", "-", input=b"print('\xff')", text=False, encoding=None)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"is not UTF-8 text" in done.stderr


def test_a_script_finds_its_neighbours_and_its_own_name(project: Any):
    project.write("sub/neighbour.py", "x = 5")
    project.write("sub/script.py", "import neighbour\nprint(neighbour.x, __file__)")
    assert project.command("run", "sub/script.py").stdout.startswith("5 sub/script.py\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_trouble(project: Any, closed: str):
    project.write("script.py", "print(add(1, 2))")
    line = f"'{sys.executable}' -m ptc_studio run script.py --functions tools {closed}"
    done = subprocess.run(
        line, shell=True, cwd=project.folder, env=project.environment, capture_output=True, text=True, timeout=50,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "" if ">&-" in closed.split()[:2] else done.stdout.startswith("3\n")


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


# What a person sees


def test_output_is_live_and_the_tree_comes_after_it(project: Any):
    project.write(
        "script.py",
        """
        import pathlib, time
        print("before", flush=True)
        while not pathlib.Path("go").exists():
            time.sleep(0.01)
        print("after", add(1, 2))
        """,
    )
    with project.started("run", "script.py", "--functions", "tools") as process:
        assert process.stdout.readline() == "before\n"
        assert process.poll() is None
        project.write("go", "")
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
