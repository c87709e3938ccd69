"""Keeps an eye on what guests and compilers use, where the kernel does not bound a tree of processes as a whole."""

import contextlib
import itertools
import os
import selectors
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ptc_studio.core.workers import Workers
from ptc_studio.processes.process_tree import end_process_tree, freeze, kill_process_tree, process_tree
from ptc_studio.runtimes.sandbox.bounds import MEBIBYTE, Bounds

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_THREADS, _BORN, _RESIDENT = 17, 19, 21
"""Fields of /proc/PID/stat, counted from the one behind the name."""


@dataclass(frozen=True, slots=True)
class ResourceUse:
    """The processes and threads of a tree, and its memory in bytes."""

    tasks: int
    memory: int


def tree_use(pid: int, most: int | None = None) -> ResourceUse:
    """The use of a tree, lightly: memory that processes share is counted for each."""
    tasks = memory = 0
    for member in process_tree(pid, most):
        with contextlib.suppress(OSError, IndexError):
            fields = _fields(member)
            tasks += int(fields[_THREADS])
            memory += int(fields[_RESIDENT]) * PAGE
    return ResourceUse(tasks, memory)


def tree_memory(pid: int) -> int:
    """The memory of a tree, each page counted once. Exact, but not light."""
    return sum(map(_own_share, process_tree(pid)))


def start_time(pid: int) -> str:
    """When the process began: with its number this names it for good. Empty if there is none."""
    with contextlib.suppress(OSError, IndexError):
        return _fields(pid)[_BORN]
    return ""


def _fields(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _own_share(pid: int) -> int:
    total = 0
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith(("Pss:", "SwapPss:")):
                total += int(line.split()[1]) * 1024
        return total
    # A process that does not let itself be looked into is counted with all that it maps.
    with contextlib.suppress(OSError, IndexError):
        return int(_fields(pid)[_RESIDENT]) * PAGE
    return 0


INTERVAL = 0.1
CLOSE_INTERVAL = 0.02
"""Between two checks, once somebody has used half of what there is."""


@dataclass(frozen=True, slots=True)
class _Watched:
    pid: int
    started: str
    bounds: Bounds
    on_excess: Callable[[str], None]
    on_memory: Callable[[int], None]

    @property
    def there(self) -> bool:
        """False once the process was reaped: its number may be another's."""
        return start_time(self.pid) == self.started


class Watcher:
    """One thread for all guests, which sleeps while there is none."""

    def __init__(self) -> None:
        self._watched: dict[int, _Watched] = {}
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None
        self._workers = Workers("ptc-guest-excess")

    def watch(
        self,
        pid: int,
        bounds: Bounds,
        on_excess: Callable[[str], None],
        on_memory: Callable[[int], None] = lambda _amount: None,
    ) -> Callable[[], None]:
        """Watches the tree of this process, a session's leader, until the function that it gives is called.

        On excess, `on_excess` is called once with a sentence, in a thread of its own; then the tree is killed.
        `on_memory` is told how many bytes the tree has, each time that is looked at.
        """
        number = next(self._numbers)
        with self._changed:
            self._watched[number] = _Watched(pid, start_time(pid), bounds, on_excess, on_memory)
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="ptc-guest-watcher", daemon=True)
                self._thread.start()
            self._changed.notify_all()

        def forget() -> None:
            self._forget(number)

        return forget

    def _forget(self, number: int) -> bool:
        with self._changed:
            return self._watched.pop(number, None) is not None

    def _watch(self) -> None:
        pause = threading.Event()
        while True:
            with self._changed:
                while not self._watched:
                    self._changed.wait()
                watched = list(self._watched.items())
            close = [self._check(number, one) for number, one in watched if one.there]
            pause.wait(CLOSE_INTERVAL if any(close) else INTERVAL)

    def _check(self, number: int, one: _Watched) -> bool:
        """Acts on an excess; True if there may soon be one."""
        use = tree_use(one.pid, one.bounds.processes + 1)
        one.on_memory(use.memory)
        reason = _excess(one, use)
        if reason and self._forget(number):
            self._workers.submit(lambda: _end(one, reason))
        return use.memory * 2 > one.bounds.memory_bytes or use.tasks * 2 > one.bounds.processes


def _excess(watched: _Watched, use: ResourceUse) -> str | None:
    """Says what the tree used too much of. Memory that its processes share is counted once."""
    bounds = watched.bounds
    if use.tasks > bounds.processes:
        # At once: a moment later there may be more of them than can be looked for.
        freeze(watched.pid, bounds.processes)
        return f"The script started more than {bounds.processes} processes and threads."
    if use.memory > bounds.memory_bytes and tree_memory(watched.pid) > bounds.memory_bytes:
        return f"The script used more than {bounds.memory_bytes // MEBIBYTE} MB of memory."
    return None


def _end(watched: _Watched, reason: str) -> None:
    try:
        watched.on_excess(reason)
    finally:
        if watched.there:
            kill_process_tree(watched.pid)


WATCHER = Watcher()
"""That of all processes of the studio."""
OUTPUT_BYTES = 1 << 20
POLL_SECONDS = 0.05
"""How often it is looked whether the answer is still wanted."""


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """How a compiler ended: without a status it was ended, for what it used or for the time that it took."""

    status: int | None
    output: str
    excess: str | None = None


def finished(
    process: "subprocess.Popen[bytes]", bounds: Bounds, end: float, unwanted: Callable[[], bool] = lambda: False
) -> ProgramResult:
    """Waits for the process, a session's leader, until that time; of what it prints, the beginning is kept."""
    excess: list[str] = []
    forget = WATCHER.watch(process.pid, bounds, excess.append)
    try:
        output = _beginning(process, end, unwanted)
        if output is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(POLL_SECONDS, end - time.monotonic()))
    finally:
        forget()
    ended = process.poll() is None or output is None
    if ended:
        end_process_tree(process)
    if process.stdout is not None:
        process.stdout.close()
    text = (output or b"").decode(errors="replace")
    told = excess[0].replace("The script", "The compiler") if excess else None
    return ProgramResult(None if ended or told else process.returncode, text, told)


def _beginning(process: "subprocess.Popen[bytes]", end: float, unwanted: Callable[[], bool]) -> bytes | None:
    """What is printed until the stream is closed; None if that takes too long or nobody waits for it any longer."""
    assert process.stdout is not None
    kept = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while time.monotonic() < end and not unwanted():
            if selector.select(POLL_SECONDS):
                data = os.read(process.stdout.fileno(), 1 << 16)
                if not data:
                    return bytes(kept)
                kept += data[: OUTPUT_BYTES - len(kept)]
    return None
