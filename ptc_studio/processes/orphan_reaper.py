"""Sees to it that no server's process is left, whatever happens to the studio.

Every process that a server starts inherits a mark in its environment, by which it is found again. For the case that the
studio itself is killed a small shell waits for the end of its input, which is the studio's end, and then kills whatever
has the studio's mark. Linux; elsewhere the process group is ended, and the end of its input has to do for the rest.
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

VARIABLE = "PTC_STUDIO_SERVER"
_TOKEN = secrets.token_hex(8)
_NUMBERS = itertools.count(1)
_PROC = Path("/proc")
_ROUNDS = 20
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
    """The mark of one more server: the value of `VARIABLE` in its environment."""
    return f"{_TOKEN}.{next(_NUMBERS)}."


def end_group(pid: int, number: int) -> None:
    """Sends the signal to all of the process's group, which it leads."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, number)


def end_marked(mark: str) -> None:
    """Kills every process that has the mark, also those that left the group."""
    killed: set[int] = set()
    for _ in range(_ROUNDS):
        found = set(_marked(f"{VARIABLE}={mark}".encode())) - killed
        if not found:
            return
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        killed |= found


def _marked(mark: bytes) -> Iterator[int]:
    if sys.platform != "linux":
        return
    for entry in _PROC.iterdir():
        with contextlib.suppress(OSError, ValueError):
            if entry.name.isdigit() and mark in (entry / "environ").read_bytes():
                yield int(entry.name)


class OrphanReaper:
    """The waiting shell. Thread-safe."""

    def __init__(self) -> None:
        self._shell: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def watch(self) -> None:
        """Starts it, unless it is there."""
        with self._lock:
            self._watch()

    def _watch(self) -> None:
        if sys.platform != "linux" or (self._shell is not None and self._shell.poll() is None):
            return
        with contextlib.suppress(OSError):
            self._shell = subprocess.Popen(
                ["/bin/sh", "-c", _WATCH, "warden", f"{VARIABLE}={_TOKEN}."],
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
            with contextlib.suppress(subprocess.TimeoutExpired):
                shell.wait(2.0)
