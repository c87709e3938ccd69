"""`ptc-studio run`, as a user and as another program starts it: how it ends, and where scripts come from."""

import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

from tests.cli.conftest import only_document

from .conftest import assert_one_line

SLEEPER = """
import time
print("ready", flush=True)
time.sleep(60)
"""


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
        (["script.py", "--workspace", "nosuch"], "There is no folder"),
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
