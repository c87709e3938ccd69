"""What a script may use is bounded, and what goes beyond is ended with a reason."""

import subprocess
import threading
import time
from pathlib import Path

import pytest

from ptc_studio.processes.process_tree import process_tree
from ptc_studio.runtimes.sandbox import Bounds, Confiner, Watcher
from ptc_studio.runtimes.sandbox.bounds import MEBIBYTE
from ptc_studio.runtimes.sandbox.usage_watch import tree_memory, tree_use
from tests.runtimes.sandbox.confined import alive, attempt, prints, python, started
from tests.support import wait_until

MANY = 200
FILL = "open(sys.argv[1] + '/full', 'wb').write(b'x' * (40 << 20))"


@pytest.fixture(scope="module")
def watcher() -> Watcher:
    return Watcher()


def watched_end(watcher: Watcher, confiner: Confiner, code: str, bounds: Bounds) -> tuple[str, int]:
    """The reason for which the script was ended, and the most memory that it was seen to use."""
    reasons: list[str] = []
    most = 0
    with started(confiner, python(code), bounds, stderr=subprocess.DEVNULL) as process:
        members = {process.pid}
        forget = watcher.watch(process.pid, bounds, reasons.append)
        end = time.monotonic() + 40
        while process.poll() is None and time.monotonic() < end:
            members |= set(process_tree(process.pid, 500))
            most = max(most, tree_use(process.pid, 500).memory)
            time.sleep(0.01)
        forget()
        assert process.returncode is not None, "it was not ended"
    wait_until(lambda: not any(map(alive, members)))
    assert len(reasons) == 1
    return reasons[0], most


def test_a_script_that_takes_memory_without_end_is_ended(any_confiner: Confiner, watcher: Watcher):
    # What the kernel refuses it for a moment is not the end: the watcher may be late on a busy machine.
    code = "kept = []\nwhile True:\n    try: kept.append(bytearray(b'x' * (4 << 20)))\n    except MemoryError: pass"
    reason, most = watched_end(watcher, any_confiner, code, Bounds(memory_bytes=200 * MEBIBYTE))
    assert reason == "The script used more than 200 MB of memory."
    assert most < 700 * MEBIBYTE


def test_memory_is_counted_for_all_that_a_script_started(any_confiner: Confiner, watcher: Watcher):
    code = "import os, time\nfor _ in range(4):\n    if os.fork() == 0: break\nkept = bytearray(b'x' * (60 << 20))\ntime.sleep(60)"
    reason, _ = watched_end(watcher, any_confiner, code, Bounds(memory_bytes=200 * MEBIBYTE))
    assert reason == "The script used more than 200 MB of memory."


def test_memory_that_processes_share_is_counted_once(any_confiner: Confiner, watcher: Watcher):
    code = "import os, time\nkept = bytearray(b'x' * (60 << 20))\nfor _ in range(4):\n    if os.fork() == 0: time.sleep(60)\nprint('ready', flush=True)\ntime.sleep(60)"
    bounds = Bounds(memory_bytes=200 * MEBIBYTE)
    reasons: list[str] = []
    with started(any_confiner, python(code), bounds) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert tree_use(process.pid).memory > bounds.memory_bytes
        assert tree_memory(process.pid) < bounds.memory_bytes
        forget = watcher.watch(process.pid, bounds, reasons.append)
        assert not threading.Event().wait(0.5)
        forget()
        assert process.poll() is None
    assert reasons == []


def test_a_burst_is_bounded_by_the_kernel(any_confiner: Confiner):
    code = "try:\n    kept = bytearray(500 << 20)\nexcept MemoryError:\n    print('no')"
    assert prints(any_confiner, code, bounds=Bounds(memory_bytes=200 * MEBIBYTE)) == "no"


def test_a_script_that_starts_too_many_processes_is_ended(any_confiner: Confiner, watcher: Watcher):
    code = f"import os, time\nfor _ in range({MANY}):\n    try:\n        if os.fork() == 0: break\n    except OSError: break\ntime.sleep(60)"
    reason, _ = watched_end(watcher, any_confiner, code, Bounds(processes=60))
    assert reason == "The script started more than 60 processes and threads."


def test_a_fork_bomb_is_ended(sandbox: Confiner, watcher: Watcher):
    # Only where the kernel counts the processes too: a bomb that got away would be the whole machine's.
    code = "import os, time\nend = time.monotonic() + 30\nwhile time.monotonic() < end:\n    try: os.fork()\n    except OSError: time.sleep(0.01)"
    reason, _ = watched_end(watcher, sandbox, code, Bounds(processes=60))
    assert reason == "The script started more than 60 processes and threads."


def test_a_watcher_that_is_told_to_forget_does_nothing_more(watcher: Watcher, control: Confiner):
    reasons: list[str] = []
    with started(control, python("import time; time.sleep(60)")) as process:
        watcher.watch(process.pid, Bounds(memory_bytes=1), reasons.append)()
        with started(control, python("import time; time.sleep(60)")) as other:
            watcher.watch(other.pid, Bounds(memory_bytes=1), reasons.append)
            other.wait(10)
        assert process.poll() is None
    assert len(reasons) == 1


def test_a_callback_that_does_nothing_does_not_save_the_script(watcher: Watcher, control: Confiner):
    called = threading.Event()

    def idle(_: str) -> None:
        called.set()

    with started(control, python("import time; time.sleep(60)")) as process:
        watcher.watch(process.pid, Bounds(memory_bytes=1), idle)
        assert process.wait(10) == -9
    assert called.is_set()


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])
def test_the_disk_of_the_sandbox_is_bounded(place: str, sandbox: Confiner):
    assert attempt(sandbox, FILL, place, bounds=Bounds(temporary_bytes=20 * MEBIBYTE)) == "held"
    roomy = Bounds(temporary_bytes=200 * MEBIBYTE)
    assert attempt(sandbox, FILL, place, bounds=roomy) == "escaped"


def test_nothing_else_in_the_sandbox_can_be_filled(sandbox: Confiner):
    code = """
import os
full = []
for folder, _, _ in os.walk("/"):
    if not folder.startswith(("/proc", "/usr", "/tmp", "/dev/shm")):
        try:
            open(folder + "/x", "w").close()
            full.append(folder)
        except OSError:
            pass
print(full)
"""
    assert prints(sandbox, code) == "[]"


def test_a_file_outside_is_no_larger_than_allowed(any_confiner: Confiner, tmp_path: Path):
    bounds = Bounds(writable=(tmp_path,), file_bytes=10 * MEBIBYTE)
    assert attempt(any_confiner, FILL, tmp_path, bounds=bounds) == "held"
    assert (tmp_path / "full").stat().st_size <= 10 * MEBIBYTE


def test_open_files_are_bounded_and_no_core_is_dumped(any_confiner: Confiner):
    code = "import resource as r; print(r.getrlimit(r.RLIMIT_NOFILE), r.getrlimit(r.RLIMIT_CORE), r.getrlimit(r.RLIMIT_AS)[0])"
    assert prints(any_confiner, code, bounds=Bounds(open_files=64)) == "(64, 64) (0, 0) -1"


def test_a_script_goes_first_when_the_machine_runs_out_of_memory(any_confiner: Confiner):
    assert prints(any_confiner, "print(open('/proc/self/oom_score_adj').read())") == "1000"
