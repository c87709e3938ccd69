"""A process is ended with everything that it started."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ptc_studio.processes.process_tree import VARIABLE, OrphanReaper, descendants, end_process_tree, new_mark
from tests.support import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process's children")


def start(code: str, *arguments: str, **options) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, start_new_session=True, bufsize=0, **options
    )


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def told_pids(process: subprocess.Popen[bytes], count: int) -> list[int]:
    assert process.stdout is not None
    with process.stdout:
        return [int(process.stdout.readline()) for _ in range(count)]


def test_children_and_their_children_are_found_and_ended():
    process = start(
        "import subprocess, time\n"
        "p = subprocess.Popen(['sh', '-c', 'sleep 60 & echo $!; wait'])\n"
        "print(p.pid, flush=True)\ntime.sleep(60)"
    )
    pids = told_pids(process, 2)
    assert set(descendants(process.pid)) == set(pids)
    assert end_process_tree(process) == -9
    wait_until(lambda: not any(map(alive, pids)))


def test_the_status_of_a_process_that_ended_by_itself_is_kept():
    process = start("raise SystemExit(3)")
    process.wait()
    assert end_process_tree(process) == 3
    assert end_process_tree(process) == 3
    told_pids(process, 0)


def test_what_a_dead_process_left_in_its_session_is_ended():
    process = start("import subprocess\nprint(subprocess.Popen(['sleep', '60']).pid, flush=True)")
    (pid,) = told_pids(process, 1)
    process.wait()
    assert alive(pid)
    assert end_process_tree(process) == 0
    wait_until(lambda: not alive(pid))


def test_what_a_dead_process_left_in_another_session_is_known_by_its_mark():
    mark = new_mark()
    environment = {**os.environ, VARIABLE: mark}
    code = "import subprocess\nprint(subprocess.Popen(['sleep', '60'], start_new_session=True).pid, flush=True)"
    process = start(code, env=environment)
    (pid,) = told_pids(process, 1)
    process.wait()
    end_process_tree(process)
    assert alive(pid)
    end_process_tree(process, mark)
    wait_until(lambda: not alive(pid))


@pytest.mark.parametrize("group", ["its group", "groups of their own"])
def test_a_process_that_keeps_forking_is_ended_all_the_same(group: str):
    # Every process forks, but only so long: should this test fail, the machine is to be left alone.
    code = (
        "import os, sys, time\nend = time.monotonic() + 5\nprint(os.getpid(), flush=True)\n"
        "for _ in range(8):\n"
        "    if os.fork() == 0 and len(sys.argv) > 1: os.setsid()\n"
        "    time.sleep(0.01)\n"
        "while time.monotonic() < end: time.sleep(0.1)"
    )
    process = start(code, *(["apart"] if group != "its group" else []))
    try:
        told_pids(process, 1)
        wait_until(lambda: len(list(descendants(process.pid))) > 3)
        family = list(descendants(process.pid))
    finally:
        end_process_tree(process)
    wait_until(lambda: not any(map(alive, family)) and not of_session(process.pid))


def of_session(session: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def test_a_stopped_process_is_ended():
    process = start("import os, signal\nprint(os.getpid(), flush=True)\nos.kill(os.getpid(), signal.SIGSTOP)")
    told_pids(process, 1)
    wait_until(lambda: Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T")
    assert end_process_tree(process) == -signal.SIGKILL


def test_the_shell_that_waits_is_replaced_when_it_was_killed_and_comes_no_more_once_it_was_closed():
    reaper = OrphanReaper()
    reaper.watch()
    assert reaper.pid is not None
    first = reaper.pid
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: not alive(first))
    reaper.watch()
    second = reaper.pid
    assert second not in (None, first)
    reaper.close()
    assert not alive(second)
    reaper.watch()
    assert reaper.pid is None


LEAVES_A_CHILD = """
import os, subprocess
from ptc_studio.processes.process_tree import descendants, mark_children
mark_children()
print(next(descendants(os.getpid())))
print(subprocess.Popen(["sleep", "60"]).pid, flush=True)
"""


def test_what_a_program_of_the_users_own_left_in_the_background_stays_when_it_ends_in_peace():
    free = {name: value for name, value in os.environ.items() if name != VARIABLE}
    process = start(LEAVES_A_CHILD, env=free)
    reaper, left = told_pids(process, 2)
    assert process.wait(60) == 0
    wait_until(lambda: not alive(reaper))
    assert alive(left)
    os.kill(left, signal.SIGKILL)
