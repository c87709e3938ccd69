"""The tree of a process: found, frozen, killed, tied to its parent. What only POSIX has has a plain fallback here."""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from ptc_studio.processes.orphan_reaper import kill_left_behind

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
ROUNDS = 50
_PR_SET_PDEATHSIG = 1


def end_process_tree(process: subprocess.Popen[bytes], mark: str | None = None) -> int:
    """Kills the process with everything that it started, and gives its exit status.

    If it had ended already, what it left behind is known by its session or by the `mark` in its environment.
    """
    had_ended = process.poll() is not None
    kill_process_tree(process.pid)
    if had_ended:
        kill_left_behind(mark, process.pid)
    return process.wait()


def kill_process_tree(pid: int) -> None:
    """Kills the process, a session's leader, and what it started; does not wait. Its group is killed without it, too.

    It is stopped first, so that it starts nothing new and, if it is a subreaper, keeps all its orphans.
    """
    # The number of one that was reaped may be another's by now, but not while its group has members.
    if _group(pid) == pid:
        groups = freeze(pid)
        members = list(descendants(pid))
        for group in groups - {pid}:
            signal_group(group, KILL)
        for member in members:
            with contextlib.suppress(OSError):
                os.kill(member, KILL)
    signal_group(pid, KILL)


def signal_group(pid: int, number: int) -> None:
    """Sends the signal to the group that the process leads; where there are no groups, ends the process."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(pid, number)
        else:
            os.kill(pid, signal.SIGTERM)


def freeze(pid: int, most: int | None = None) -> set[int]:
    """Stops the process and its descendants, and gives their groups; reads `most` of them at a time.

    A whole group is stopped in one step: of a fork bomb, one process after the other would never be all.
    """
    own, stopped = os.getpgid(0), set[int]()
    for _ in range(ROUNDS):
        new = set(map(_group, process_tree(pid, most))) - stopped - {own, 0}
        if not new:
            break
        for group in new:
            signal_group(group, signal.SIGSTOP)
        stopped |= new
    return stopped


def process_tree(pid: int, most: int | None = None) -> list[int]:
    """The process and its descendants; no more than `most` of them."""
    return list(itertools.islice(itertools.chain((pid,), descendants(pid)), most))


def descendants(pid: int) -> Iterator[int]:
    """The children of the process, their children, and so on; Linux only, elsewhere nothing."""
    found = _children(pid)
    for child in found:
        found += _children(child)
        yield child


def _children(pid: int) -> list[int]:
    found: list[int] = []
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - asked ten times a second for each guest
                with contextlib.suppress(OSError):
                    found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


def _group(pid: int) -> int:
    with contextlib.suppress(OSError, AttributeError):
        return os.getpgid(pid)
    return 0


def die_with_parent() -> None:
    """In a child: the kernel kills it when the thread that started it ends, even while it is stuck in C."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def signal_name(return_code: int) -> str | None:
    """The signal that ended a process with this status, if one did."""
    if return_code >= 0:
        return None
    try:
        return signal.Signals(-return_code).name
    except ValueError:
        return f"signal {-return_code}"
