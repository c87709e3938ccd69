"""What only a process of its own can show: sudden ends, what it starts, what it is given."""

import asyncio
import os
import random
import signal
import sys
import threading
from pathlib import Path

import pytest

from ptc_studio.core.registry import Grant
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes.guest_process import Guest, GuestPool
from ptc_studio.runtimes.process_runtime import ProcessRuntime, line_in_report, readable_report
from tests.runtimes import stopping
from tests.runtimes.pythons import python_process
from tests.support import Engine, wait_until

SUDDEN_ENDS = {
    "killed by its own hand": ("os.kill(os.getpid(), signal.SIGKILL)", "crashed", "SIGKILL"),
    "killed with its group": ("os.killpg(0, signal.SIGKILL)", "crashed", "SIGKILL"),
    "a segmentation fault": ("import ctypes; ctypes.string_at(0)", "crashed", "SIGSEGV"),
    "aborted": ("os.abort()", "crashed", "SIGABRT"),
    "left without goodbye": ("os._exit(3)", "error", "status 3"),
}


def alive(pid: int) -> bool:
    """True while the process runs; one that is dead but not buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.parametrize("end", SUDDEN_ENDS)
async def test_a_sudden_end_keeps_output_calls_status_and_line(end: str, python: ProcessRuntime, shop: Engine):
    statement, status, told = SUDDEN_ENDS[end]
    code = f"import os, signal\nprint('before', end='')\nadd(1)\n{statement}\nprint('never')\n"
    record = await shop.execute(code, python)
    assert (record["status"], record["stdout"]) == (status, "before")
    assert told in record["error"]["message"]
    assert record["error"]["line"] == 4
    assert [call["status"] for call in record["calls"]] == ["ok"]
    assert record["return_code"] not in (0, None)
    assert (await shop.execute("add(1)", python))["value"] == 3


async def test_killed_from_outside_the_line_of_the_last_call_is_told(open_python: ProcessRuntime, shop: Engine):
    shop.add(lambda pid: os.kill(pid, signal.SIGKILL), name="kill")
    record = await shop.execute("import os, time\nprint('a')\nkill(os.getpid())\ntime.sleep(30)\n", open_python)
    assert (record["status"], record["stdout"], record["error"]["line"]) == ("crashed", "a\n", 3)


CHILDREN = {
    "a child": "p = subprocess.Popen(['sleep', '60']); pids.append(p.pid)",
    "a child in a session of its own": "pids.append(subprocess.Popen(['sleep', '60'], start_new_session=True).pid)",
    "a daemon": """
r, w = os.pipe()
if os.fork() == 0:
    os.setsid()
    pid = os.fork()
    if pid == 0:
        os.execve('/bin/sleep', ['sleep', '60'], {})
    os.write(w, str(pid).encode())
    os._exit(0)
pids.append(int(os.read(r, 20)))
""",
}


@pytest.mark.parametrize("end", ["", "raise SystemExit(2)", "while True: pass", "time.sleep(60)"])
@pytest.mark.parametrize("child", CHILDREN)
async def test_nothing_that_a_script_started_is_left(child: str, end: str, open_python: ProcessRuntime, shop: Engine):
    pids: list[int] = []
    shop.add(lambda pid: pids.append(pid), name="report")
    code = f"import os, subprocess, sys, time\npids = []\n{CHILDREN[child]}\nreport(pids[0])\n{end}\n"
    session = Session(shop.executor)
    if end in ("while True: pass", "time.sleep(60)"):
        await stopping.out_of_time(lambda: pids, shop, session, Script(code), open_python)
    else:
        await session.execute(Script(code), open_python)
    assert pids
    wait_until(lambda: not alive(pids[0]))


async def test_what_a_killed_script_started_is_ended_too(open_python: ProcessRuntime, shop: Engine):
    pids: list[int] = []
    shop.add(lambda pid: pids.append(pid), name="report")
    code = """
import os, signal, subprocess
report(subprocess.Popen(['sleep', '60'], start_new_session=True).pid)
os.kill(os.getpid(), signal.SIGKILL)
"""
    record = await shop.execute(code, open_python)
    assert record["status"] == "crashed"
    wait_until(lambda: not alive(pids[0]))


async def test_the_environment_is_scrubbed_and_the_channel_is_hidden(
    python: ProcessRuntime, shop: Engine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("MY_SECRET_CANARY", "value")
    own = python_process()
    try:
        record = await shop.execute("import os\nsorted(os.environ)", own)
    finally:
        own.close()
    assert "MY_SECRET_CANARY" not in record["value"]
    assert not {"PTC_TOKEN", "PTC_CHANNEL", "PTC_REPORT"} & set(record["value"])
    assert "PATH" in record["value"]


async def test_a_forked_process_cannot_call_tools(python: ProcessRuntime, shop: Engine):
    code = """
import os
r, w = os.pipe()
if os.fork() == 0:
    try:
        add(1)
    except RuntimeError as e:
        os.write(w, str(e).encode())
    os._exit(0)
os.wait()
print(os.read(r, 500).decode())
"""
    record = await shop.execute(code, python)
    assert "only from the script's own process" in record["stdout"]


async def test_output_appears_while_the_script_runs(python: ProcessRuntime, shop: Engine):
    seen: list[str] = []

    def look() -> None:
        shop.executor.bus.flush()
        seen.append("".join(event.text.value for event in shop.events if hasattr(event, "text")))

    shop.add(lambda: wait_until(lambda: look() or "first" in seen[-1]), name="wait_for_output")
    record = await shop.execute("print('first')\nwait_for_output()\nprint('second')", python)
    assert record["stdout"] == "first\nsecond\n"


async def test_a_cancelled_run_ends_at_once_with_all_it_wrote(python: ProcessRuntime, shop: Engine):
    session = Session(shop.executor)
    shop.add(lambda: session.stop(), name="stop")
    record = await session.execute(Script("print('a')\nstop()\nwhile True:\n    pass\n"), python)
    assert (record["status"], record["stdout"]) == ("cancelled", "a\n")
    assert record["error"]["line"] in (2, 3, 4)


async def test_a_run_whose_task_is_cancelled_is_stopped_and_recorded(python: ProcessRuntime, shop: Engine):
    session = Session(shop.executor)
    task = asyncio.ensure_future(session.execute(Script("add(1)\nimport time\ntime.sleep(30)"), python))
    await stopping.until(lambda: stopping.finished(shop), shop, task)
    task.cancel()
    assert (await task)["status"] == "cancelled"


async def test_cancel_while_a_tool_runs(python: ProcessRuntime, shop: Engine):
    session = Session(shop.executor)
    record = await stopping.cancelled(
        lambda: stopping.entered(session, "sleep"), shop, session, Script("sleep(20)"), python
    )
    assert record["status"] == "cancelled"
    assert [call["status"] for call in record["calls"]] == ["cancelled"]


async def test_a_script_finds_its_neighbours_and_runs_in_its_folder(
    tmp_path: Path, python: ProcessRuntime, shop: Engine
):
    (tmp_path / "neighbour.py").write_text("NAME = 'Ada'\n")
    script = Script("import os, neighbour\n[neighbour.NAME, os.getcwd()]", str(tmp_path / "main.py"), str(tmp_path))
    record = await Session(shop.executor).execute(script, python)
    assert record["value"] == ["Ada", str(tmp_path)]


async def test_many_runs_at_once_do_not_mix(python: ProcessRuntime, shop: Engine):
    records = await asyncio.gather(*(shop.execute(f"print(add({i}))\nadd({i})", python) for i in range(6)))
    assert [record["value"] for record in records] == [i + 2 for i in range(6)]
    assert [record["stdout"] for record in records] == [f"{i + 2}\n" for i in range(6)]


async def test_runs_leave_no_process_thread_or_descriptor(python: ProcessRuntime, shop: Engine):
    await shop.execute("add(1)", python)
    before = _descriptors()
    for _ in range(8):
        await shop.execute("add(1)", python)
        await shop.execute("while True: pass", python, timeout=0.05)
    wait_until(lambda: _descriptors() <= before + 6)


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


async def test_an_interpreter_that_is_not_there_is_an_unavailable_runtime(shop: Engine):
    missing = python_process("/nowhere/python")
    record = await shop.execute("1", missing)
    assert record["status"] == "crashed"
    assert "'/nowhere/python' cannot be started: No such file or directory" in record["error"]["message"]


async def test_an_interpreter_that_does_not_say_hello_is_told(shop: Engine):
    mute = python_process("/bin/true")
    record = await shop.execute("1", mute)
    assert "before it said hello" in record["error"]["message"]


async def test_more_calls_than_may_be_under_way_wait_their_turn(python: ProcessRuntime, shop: Engine):
    running, most, barrier = [], [0], threading.Barrier(4, timeout=10)

    def busy() -> None:
        running.append(1)
        most[0] = max(most[0], len(running))
        barrier.wait()
        running.pop()

    shop.add(busy)
    code = "import asyncio\nlen(await asyncio.gather(*(aio.busy() for _ in range(40))))"
    record = await shop.execute(code, python, concurrent_calls=4)
    assert (record["value"], most[0]) == (40, 4)


async def test_a_deep_value_is_a_clear_error_and_the_run_goes_on(python: ProcessRuntime, shop: Engine):
    code = "v = 1\nfor _ in range(5000): v = [v]\ntry:\n    echo(v)\nexcept Exception as e:\n    print(type(e).__name__)\nadd(1)"
    record = await asyncio.wait_for(shop.execute(code, python, timeout=20), 30)
    assert record["value"] == 3


async def test_the_grant_holds_for_a_script_that_forges_frames(python: ProcessRuntime, shop: Engine):
    code = """
import gc, json
from ptc_kit.channel import Channel
channel = next(o for o in gc.get_objects() if isinstance(o, Channel))
try:
    channel.call("mul", (), {"a": 2, "b": 3, "depth": -5}, 1)
except PermissionError as e:
    print(e)
"""
    record = await shop.execute(code, python, grant=Grant(("add",)))
    assert record["stdout"].startswith("Tool 'mul' is not granted")
    assert record["calls"][0]["depth"] == 1


async def test_two_thousand_malformed_frames_harm_neither_the_run_nor_the_next(python: ProcessRuntime, shop: Engine):
    code = """
import gc, os
from ptc_kit.channel import Channel
channel = next(o for o in gc.get_objects() if isinstance(o, Channel))
lines = [b"nonsense", b"[1]", b'{"type": "call"}', b'{"type": "dance"}', b"\\xff\\xfe", b'{"type":"call","id":']
for number in range(2000):
    os.write(channel._write_fd, lines[number % len(lines)] + b"\\n")
add(1)
"""
    record = await shop.execute(code, python)
    assert (record["status"], record["value"]) == ("ok", 3)
    assert record["stderr"].count("ptc: ") == 2000
    assert (await shop.execute("add(2)", python))["value"] == 4


def test_a_report_is_read_back_to_front():
    report = (
        'Thread 0x1 (most recent call first):\n  File "script.py", line 9 in worker\n\n'
        'Current thread 0x2 (most recent call first):\n  File "/lib/time.py", line 3 in nap\n'
        '  File "script.py", line 5 in f\n  File "script.py", line 7 in <module>\n'
    )
    assert line_in_report(report, "script.py") == 5
    assert readable_report(report).splitlines()[-1] == '  File "script.py", line 9 in worker'
    assert line_in_report("nothing", "script.py") is None


async def test_a_limit_of_seconds_is_kept_whatever_the_script_ignores(python: ProcessRuntime, shop: Engine):
    code = "import signal\nfor s in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR2):\n    signal.signal(s, signal.SIG_IGN)\nadd(1)\nwhile True: pass"
    session = Session(shop.executor)
    record = await stopping.out_of_time(lambda: stopping.finished(shop), shop, session, Script(code), python)
    assert record["status"] == "timeout"


async def test_a_process_that_is_killed_while_its_tool_runs_is_noticed_at_once(
    open_python: ProcessRuntime, shop: Engine
):
    pids: list[int] = []
    shop.add(lambda pid: pids.append(pid), name="report")
    session = Session(shop.executor)
    task = asyncio.ensure_future(session.execute(Script("import os\nreport(os.getpid())\nsleep(30)"), open_python))
    await stopping.until(lambda: stopping.entered(session, "sleep"), shop, task)
    os.kill(pids[0], signal.SIGKILL)
    record = await task
    assert (record["status"], record["error"]["line"]) == ("crashed", 3)
    assert record["calls"][-1]["status"] == "cancelled"


async def test_a_forked_child_does_not_hide_that_its_parent_died(open_python: ProcessRuntime, shop: Engine):
    code = "import os, time\nif os.fork() == 0:\n    time.sleep(60)\nos.kill(os.getpid(), 9)\n"
    record = await shop.execute(code, open_python, timeout=40)
    assert (record["status"], record["error"]["line"]) == ("crashed", 4)


async def test_a_signal_that_was_survived_is_not_blamed_for_a_later_fault(python: ProcessRuntime, shop: Engine):
    code = """import ctypes, os, signal
signal.signal(signal.SIGUSR1, lambda *_: None)
os.kill(os.getpid(), signal.SIGUSR1)
ctypes.string_at(0)
"""
    record = await shop.execute(code, python)
    assert record["error"]["line"] == 4
    assert record["error"]["message"] == "The script's process was killed by SIGSEGV."


async def test_an_exit_by_keyword_is_an_exit(python: ProcessRuntime, shop: Engine):
    record = await shop.execute("import os\nos._exit(status=4)", python)
    assert (record["return_code"], record["error"]["line"]) == (4, 2)


async def test_globals_that_cannot_be_sent_are_told(python: ProcessRuntime):
    result = await python.execute("1", {}, extra_globals={"lock": object()})
    assert "'lock': a value of type 'object' cannot be turned into JSON" in (result.error or "")


async def test_a_process_that_cannot_be_had_for_whatever_reason_is_told(shop: Engine):
    def start():
        raise OSError(24, "Too many open files")

    scarce = python_process()
    scarce.pool = GuestPool(start)
    record = await shop.execute("1", scarce)
    assert record["status"] == "crashed"
    assert "Too many open files" in record["error"]["message"]


async def test_a_closed_runtime_says_so(shop: Engine):
    closed = python_process()
    closed.close()
    assert "was closed" in (await shop.execute("1", closed))["error"]["message"]


@pytest.mark.parametrize("executable", ["/nowhere/python", "/bin/true"])
async def test_starts_that_fail_leave_no_descriptor(executable: str, shop: Engine):
    broken = python_process(executable, spare=0)
    await shop.execute("1", broken)
    before = _descriptors()
    for _ in range(5):
        await shop.execute("1", broken)
    wait_until(lambda: _descriptors() <= before)


async def test_a_spare_that_was_killed_is_replaced(shop: Engine):
    own = python_process()
    own.warm()
    wait_until(lambda: own.pool.ready)
    spare = own.pool.ready[0]
    os.kill(spare.process.pid, signal.SIGKILL)
    wait_until(lambda: not spare.alive)
    try:
        assert (await shop.execute("add(1)", own))["value"] == 3
    finally:
        own.close()


def test_asking_where_a_guest_is_never_reads_a_descriptor_that_is_anothers_by_now():
    guest = Guest(("/bin/sleep", "30"), reports=True)
    asking = threading.Thread(target=guest.locate, args=(signal.SIGCONT,))
    asking.start()
    number = guest.report_fd
    guest.end()
    guest.close()
    os.close(guest.write_fd)
    pipes = [os.pipe()]
    while number not in pipes[-1] and len(pipes) < 200:
        pipes.append(os.pipe())
    try:
        for _, write in pipes:
            os.write(write, b"mine")
        asking.join()
        guest.locate(signal.SIGCONT)
        assert [os.read(read, 10) for read, _ in pipes] == [b"mine"] * len(pipes)
    finally:
        for pipe in pipes:
            os.close(pipe[0])
            os.close(pipe[1])


BETWEEN_LINES = """
import os, signal, time
answers = [b'  File "script.py", line ??? in <module>\\n'] * 2 + [b'  File "script.py", line 6 in <module>\\n']
report = lambda *_: os.write(int(os.environ["PTC_REPORT"]), answers.pop(0))
signal.signal(signal.SIGUSR2, report)
print("ready", flush=True)
time.sleep(60)
"""


def test_a_guest_between_two_lines_is_asked_again():
    guest = Guest((sys.executable, "-c", BETWEEN_LINES), reports=True)
    try:
        assert guest.process.stdout is not None
        assert guest.process.stdout.readline() == b"ready\n"
        guest.locate(signal.SIGUSR2)
        assert line_in_report(guest.report, "script.py") == 6
    finally:
        guest.dispose()


async def test_a_call_too_large_for_a_frame_and_a_value_too_large_are_told(python: ProcessRuntime, shop: Engine):
    code = "try:\n    echo('x' * 68_000_000)\nexcept ValueError as e:\n    print(str(e)[:20])\n'x' * 61_000_000"
    record = await shop.execute(code, python)
    assert record["stdout"] == "a frame is longer th\n"
    assert record["value"] == "<str too large to be shown>"


async def test_runs_that_are_stopped_at_any_moment_all_have_their_record(python: ProcessRuntime, shop: Engine):
    chance = random.Random(11)
    code = "import asyncio\nprint('x')\nfor i in range(40):\n    add(i)\nawait asyncio.gather(*(aio.add(i) for i in range(40)))"
    for _ in range(25):
        session = Session(shop.executor)
        task = asyncio.ensure_future(session.execute(Script(code), python))
        await asyncio.sleep(chance.uniform(0, 0.06))
        session.stop()
        record = await asyncio.wait_for(task, 10)
        assert record["status"] in ("ok", "cancelled")
        assert all(call["status"] in ("ok", "cancelled") for call in record["calls"])
        assert session.run.active == ()
