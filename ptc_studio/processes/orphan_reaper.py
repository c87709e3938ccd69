"""Kills the processes that outlived whoever started them, even where that was the studio itself.

A process that the studio starts has a mark in its environment, which all that it starts in turn inherit: by it they are
found again. For the case that the studio is killed a small shell waits for the end of its input, which is the studio's
end, and then kills whatever has the studio's mark. Linux; elsewhere the process group and the end of input have to do.
"""

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
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The shell's process, while it waits."""
        return self._shell.pid if self._shell is not None else None

    def watch(self) -> None:
        """Starts it, unless it is there."""
        with self._lock:
            self._watch()

    def _watch(self) -> None:
        if sys.platform != "linux" or (self._shell is not None and self._shell.poll() is None):
            return
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
        """Ends it in peace."""
        with self._lock:
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
