"""Ends a process with everything that it started. POSIX; elsewhere the process alone is ended."""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_PROC = Path("/proc")
ROUNDS = 50


def end_process_tree(process: subprocess.Popen[bytes], mark: bytes | None = None) -> int:
    """Kills the process and its descendants, and gives its exit status.

    The process must lead a session of its own. While it lives it is stopped first, so that it starts nothing new and,
    being a subreaper, keeps all its orphans. If it is dead already, those it left behind are known by their session
    or by the `mark` in their environment.
    """
    if os.name != "posix":
        process.kill()
        return process.wait()
    if process.poll() is None:
        kill_process_tree(process.pid)
    else:
        _signal_group(process.pid, signal.SIGKILL)
        _kill_left_behind(process.pid, mark)
    return process.wait()


def kill_process_tree(pid: int) -> None:
    """Kills what the process started, then the process, a session's leader."""
    groups = freeze(pid)
    members = list(descendants(pid))
    for group in groups - {pid}:
        _signal_group(group, signal.SIGKILL)
    for member in members:
        _signal(member, signal.SIGKILL)
    _signal_group(pid, signal.SIGKILL)
    _signal(pid, signal.SIGKILL)


def freeze(pid: int, most: int | None = None) -> set[int]:
    """Stops the process and its descendants, and gives their groups; looks at `most` of them at a time.

    A whole group is stopped in one step: of a fork bomb, one process after the other would never be all.
    """
    own, stopped = os.getpgid(0), set[int]()
    for _ in range(ROUNDS):
        members = (pid, *itertools.islice(descendants(pid), most))
        new = {group for group in map(_group, members) if group} - stopped - {own}
        if not new:
            break
        for group in new:
            _signal_group(group, signal.SIGSTOP)
        stopped |= new
    return stopped


def descendants(pid: int) -> Iterator[int]:
    """The children of the process, their children, and so on; Linux only, elsewhere nothing."""
    found = _children(pid)
    for child in found:
        found += _children(child)
        yield child


def _kill_left_behind(session: int, mark: bytes | None) -> None:
    """Kills what is found until nothing new is: a process may fork while the others are being killed."""
    killed: set[int] = set()
    for _ in range(ROUNDS):
        new = set(_left_behind(session, mark)) - killed
        if not new:
            return
        for pid in new:
            _signal(pid, signal.SIGKILL)
        killed |= new


def _group(pid: int) -> int:
    with contextlib.suppress(OSError):
        return os.getpgid(pid)
    return 0


def _children(pid: int) -> list[int]:
    found: list[int] = []
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - asked ten times a second for each guest
                with contextlib.suppress(OSError):
                    found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


def _left_behind(session: int, mark: bytes | None) -> Iterator[int]:
    if sys.platform != "linux":
        return
    for entry in _PROC.iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError, ValueError, IndexError):
            state, _, _, its_session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            marked = mark is not None and mark in (entry / "environ").read_bytes()
            if state != "Z" and (int(its_session) == session or marked):
                yield int(entry.name)


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def _signal_group(pid: int, number: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(pid, number)
