"""What comes of a program, and that nothing of it is left."""

import sys
import threading
import time
from pathlib import Path

import pytest

from ptc_studio.sources.command.process import CommandFailed, CommandMissing, CommandUnusable
from ptc_studio.sources.source import SourceFailed
from tests.sources.command.conftest import Connect
from tests.sources.fake_ticket import FakeTicket
from tests.support import Engine, wait_until

PYTHON = (sys.executable, "-S", "-c")
# Writes the numbers of the processes into a file, then waits: a child in the group, and one in a session of its own.
FAMILY = """
import os, subprocess, sys, time
inner = "import os, sys, time; print(os.getpid(), file=open(sys.argv[1], 'a'), flush=True); time.sleep(100)"
for own in (False, True):
    subprocess.Popen([sys.executable, "-S", "-c", inner, sys.argv[1]], start_new_session=own)
print(os.getpid(), file=open(sys.argv[1], "a"), flush=True)
time.sleep(100)
"""


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def numbers(path: Path) -> list[int]:
    return [int(line) for line in path.read_text().split()] if path.exists() else []


@pytest.mark.parametrize(
    ("output", "written", "value"),
    [
        ("text", "a\\nb\\n\\n", "a\nb"),
        ("text", "", ""),
        ("lines", "a\\nb\\n", ["a", "b"]),
        ("lines", "", []),
        ("json", '{\\"a\\": [1]}', {"a": [1]}),
    ],
)
def test_output_is_text_lines_or_json(connect: Connect, output: str, written: str, value: object) -> None:
    assert connect(*PYTHON, f'print("{written}", end="")', output=output).call("do") == value


def test_bytes_that_are_no_text_are_shown_as_such(connect: Connect) -> None:
    assert connect(*PYTHON, r"import os; os.write(1, b'a\xffb')").call("do") == "a\ufffdb"


def test_output_that_is_no_json_is_told(connect: Connect) -> None:
    with pytest.raises(CommandUnusable, match="The command .* of 'do' wrote no JSON but 'hello'"):
        connect("echo", "hello", output="json").call("do")


def test_input_is_a_text_or_json(connect: Connect) -> None:
    assert connect("cat", stdin="{a}").call("do", a="x\n€") == "x\n€"
    assert connect("cat", stdin="{a}").call("do", a={"k": [1]}) == '{"k":[1]}'
    assert connect("cat", stdin="<{a}> ${secret:KEY}").call("do", a="${secret:KEY}") == "<${secret:KEY}> s3cret-value"
    assert connect("cat", stdin="{a?}").call("do") == ""


def test_a_program_need_not_read_its_input(connect: Connect) -> None:
    assert connect("true", stdin="{a}").call("do", a="x" * 5_000_000) == ""


def test_a_program_may_write_much_while_it_reads_much(connect: Connect) -> None:
    text = "x" * 3_000_000
    assert connect("cat", stdin="{a}").call("do", a=text) == text


def test_a_failing_program_says_why(connect: Connect) -> None:
    code = "import sys; print('out'); print('fatal: no', file=sys.stderr); sys.exit(3)"
    with pytest.raises(CommandFailed) as caught:
        connect(*PYTHON, code).call("do")
    assert str(caught.value) == f"The command {sys.executable!r} of 'do' ended with exit status 3: fatal: no"
    assert (caught.value.status, caught.value.stderr) == (3, "fatal: no")


def test_the_end_of_a_long_complaint_is_kept(connect: Connect) -> None:
    code = "import sys; sys.stderr.write('x' * 1000000 + 'the point'); sys.exit(1)"
    with pytest.raises(CommandFailed, match="the point$") as caught:
        connect(*PYTHON, code).call("do")
    assert len(str(caught.value)) < 2200


def test_other_statuses_can_be_fine(connect: Connect) -> None:
    code = "import sys; print('differ'); sys.exit(1)"
    assert connect(*PYTHON, code, ok=[0, 1]).call("do") == "differ"


def test_an_end_by_a_signal_is_told(connect: Connect) -> None:
    with pytest.raises(CommandFailed, match="was ended by SIGTERM"):
        connect(*PYTHON, "import os; os.kill(os.getpid(), 15)").call("do")


def test_no_error_repeats_a_secret(connect: Connect) -> None:
    code = "import os, sys; sys.exit('key ' + os.environ['K'])"
    with pytest.raises(CommandFailed) as caught:
        connect(*PYTHON, code, env={"K": "${secret:KEY}"}).call("do")
    assert "key •••" in str(caught.value)
    assert "s3cret" not in repr(caught.value) + caught.value.stderr


def test_a_missing_secret_is_named(connect: Connect) -> None:
    with pytest.raises(SourceFailed, match="There is no secret 'NONE'"):
        connect("true", env={"K": "${secret:NONE}"}).call("do")


def test_keys_of_the_environment_are_not_handed_on(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-1234")
    assert "sk-1234" not in connect("env").call("do")
    assert "HOME=" in connect("env").call("do")


def test_a_missing_program_is_told(connect: Connect) -> None:
    with pytest.raises(
        CommandMissing, match="'no-such-program' of 'do' cannot be started: it is not there. Install it"
    ):
        connect("no-such-program").call("do")


def test_a_missing_folder_is_told(connect: Connect) -> None:
    with pytest.raises(CommandMissing, match="its folder 'nowhere' does not exist"):
        connect("true", cwd="nowhere").call("do")


def test_a_program_of_the_workspace_is_found(connect: Connect, tmp_path: Path) -> None:
    program = tmp_path / "hello"
    program.write_text("#!/bin/sh\necho hello $1\n")
    program.chmod(0o755)
    assert connect("./hello", "{who}").call("do", who="you") == "hello you"


def test_a_flood_is_stopped(connect: Connect) -> None:
    with pytest.raises(CommandUnusable, match="wrote more than 100000 bytes"):
        connect("yes", max_output=100_000).call("do")


def test_a_call_that_is_given_up_leaves_no_process(connect: Connect, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    ticket = FakeTicket()
    do = connect(*PYTHON, FAMILY, "{file}")
    thread = threading.Thread(target=lambda: pytest.raises(CommandFailed, do.call, "do", ticket, file=str(pids)))
    thread.start()
    wait_until(lambda: len(numbers(pids)) == 3, 40)
    assert all(map(lives, numbers(pids)))
    ticket.abandon()
    thread.join(20)
    assert not thread.is_alive()
    wait_until(lambda: not any(map(lives, numbers(pids))))


def test_closing_the_source_leaves_no_process(connect: Connect, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    do = connect(*PYTHON, FAMILY, "{file}")
    thread = threading.Thread(target=lambda: pytest.raises(CommandFailed, do.call, "do", file=str(pids)))
    thread.start()
    wait_until(lambda: len(numbers(pids)) == 3, 40)
    do.source.close()
    thread.join(20)
    wait_until(lambda: not any(map(lives, numbers(pids))))


def test_what_a_program_leaves_in_the_background_ends_with_it(connect: Connect, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    before = time.monotonic()
    code = FAMILY.replace("time.sleep(100)\n", "while len(open(sys.argv[1]).read().split()) < 3: time.sleep(0.01)\n")
    connect(*PYTHON, code, "{file}").call("do", file=str(pids))
    assert time.monotonic() - before < 40
    assert len(numbers(pids)) == 3
    wait_until(lambda: not any(map(lives, numbers(pids))))


def test_the_executor_bounds_a_call_in_time(connect: Connect, engine: Engine) -> None:
    engine.registry.register(connect("sleep", "100", timeout=0.2).tools["do"])
    before = time.monotonic()
    with pytest.raises(TimeoutError, match="timed out: do"):
        engine.call("do")
    assert time.monotonic() - before < 30
