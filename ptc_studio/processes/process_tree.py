"""The tree of a process: found, frozen, killed, tied to its parent, and reaped where it outlived whoever started it.

What only POSIX has has a plain fallback here.

A process that the studio starts has a mark in its environment, which all that it starts in turn inherit: by it they are
found again. For the case that the studio is killed a small shell waits for the end of its input, which is the studio's
end, and then kills whatever has the studio's mark. Linux; elsewhere the process group and the end of input have to do.
"""

import atexit
import contextlib
import itertools
import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

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


VARIABLE = "STUDIO_PROCESS"
"""Not one of `PTC_`: the kits hide those from scripts, and from what scripts start."""
_TOKEN = secrets.token_hex(8)
_NUMBERS = itertools.count(1)
_PROC = Path("/proc")
_ROUNDS = 50
# Twice, for a process may be forking while the others are being killed.
_WATCH = """
trap '' HUP INT TERM
read -r _ && exit
for _ in 1 2; do
  for found in $(grep -lF "$1" /proc/[0-9]*/environ 2>/dev/null); do
    found=${found#/proc/}; kill -9 "${found%/environ}" 2>/dev/null
  done
done
"""


def new_mark() -> str:
    """The mark of one more process: the value of `VARIABLE` in its environment."""
    return f"{_TOKEN}.{next(_NUMBERS)}."


def kill_left_behind(mark: str | None, session: int | None = None) -> None:
    """Kills what has the mark or is of the session until nothing new is found: a process may fork meanwhile."""
    killed: set[int] = set()
    for _ in range(_ROUNDS):
        found = set(left_behind(mark, session)) - killed
        if not found:
            return
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        killed |= found


def left_behind(mark: str | None, session: int | None = None) -> Iterator[int]:
    """The processes that have the mark or are of the session; Linux only, elsewhere nothing."""
    if sys.platform != "linux":
        return
    variable = f"{VARIABLE}={mark}".encode()
    for entry in _PROC.iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError, ValueError):
            state, _, _, its_session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            marked = mark is not None and variable in (entry / "environ").read_bytes()
            if state != "Z" and (marked or int(its_session) == session):
                yield int(entry.name)


class OrphanReaper:
    """The waiting shell. Thread-safe."""

    def __init__(self) -> None:
        self._shell: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The shell's process, while it waits."""
        return self._shell.pid if self._shell is not None else None

    def watch(self) -> None:
        """Starts it, unless it is there, or was closed: whoever comes that late has nobody to end it."""
        with self._lock:
            if not self._closed:
                self._watch()

    def _watch(self) -> None:
        if sys.platform != "linux" or (self._shell is not None and self._shell.poll() is None):
            return
        if self._shell is not None and self._shell.stdin is not None:
            # Somebody killed it.
            self._shell.stdin.close()
        with contextlib.suppress(OSError):
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", _WATCH, "orphan-reaper", f"{VARIABLE}={_TOKEN}."],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env={"PATH": os.environ.get("PATH", os.defpath)},
            )

    def close(self) -> None:
        """Ends it in peace, for good."""
        with self._lock:
            self._closed = True
            shell, self._shell = self._shell, None
        if shell is not None and shell.stdin is not None:
            with contextlib.suppress(OSError), shell.stdin as line:
                line.write(b"done\n")
            try:
                shell.wait(2.0)
            except subprocess.TimeoutExpired:
                # On a busy machine: it must not be left for nobody to wait for.
                shell.kill()
                shell.wait()


_OWN = OrphanReaper()
_marking = threading.Lock()


def mark_children() -> None:
    """From now on what this process starts, by whatever code, has a mark, and ends with it if it is killed."""
    # A worker has that of the studio that started it.
    if VARIABLE in os.environ:
        return
    with _marking:
        os.environ[VARIABLE] = new_mark()
        _OWN.watch()
        # For whoever uses the runtimes in a program of their own: its end is an orderly one, too.
        atexit.register(release_children)


def release_children() -> None:
    """An orderly end: what tools left in the background on purpose may stay."""
    _OWN.close()


@contextlib.contextmanager
def unmarked() -> Iterator[None]:
    """What is started in it is the user's, such as a browser or another window, and outlives this process."""
    mark = os.environ.pop(VARIABLE, None)
    try:
        yield
    finally:
        if mark is not None:
            os.environ[VARIABLE] = mark
