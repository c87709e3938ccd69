"""Keeps an eye on what guests use, where the kernel does not bound a family of processes as a whole."""

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass

from ptc_studio.runtimes.confinement.bounds import MEBIBYTE, Bounds
from ptc_studio.runtimes.confinement.usage import Use, born, family_memory, family_use
from ptc_studio.runtimes.family import freeze, kill_family

INTERVAL = 0.1
CLOSE_INTERVAL = 0.02
"""Between two looks, once somebody has used half of what there is."""


@dataclass(frozen=True, slots=True)
class _Watched:
    pid: int
    born: str
    bounds: Bounds
    on_excess: Callable[[str], None]

    @property
    def there(self) -> bool:
        """False once the process was reaped: its number may be another's."""
        return born(self.pid) == self.born


class Watcher:
    """One thread for all guests, which sleeps while there is none."""

    def __init__(self) -> None:
        self._watched: dict[int, _Watched] = {}
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None

    def watch(self, pid: int, bounds: Bounds, on_excess: Callable[[str], None]) -> Callable[[], None]:
        """Watches the family of this process, a session's leader, until the function that it gives is called.

        On excess, `on_excess` is called once with a sentence, in a thread of its own; then the family is killed.
        """
        number = next(self._numbers)
        with self._changed:
            self._watched[number] = _Watched(pid, born(pid), bounds, on_excess)
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
            close = [self._look(number, one) for number, one in watched if one.there]
            pause.wait(CLOSE_INTERVAL if any(close) else INTERVAL)

    def _look(self, number: int, one: _Watched) -> bool:
        """Acts on an excess; True if there may soon be one."""
        use = family_use(one.pid, one.bounds.processes + 1)
        reason = _excess(one, use)
        if reason and self._forget(number):
            threading.Thread(target=_end, args=(one, reason), name="ptc-guest-excess", daemon=True).start()
        return use.memory * 2 > one.bounds.memory_bytes or use.tasks * 2 > one.bounds.processes


def _excess(watched: _Watched, use: Use) -> str | None:
    """Says what the family used too much of. Memory that its processes share is counted once."""
    bounds = watched.bounds
    if use.tasks > bounds.processes:
        # At once: a moment later there may be more of them than can be looked for.
        freeze(watched.pid, bounds.processes)
        return f"The script started more than {bounds.processes} processes and threads."
    if use.memory > bounds.memory_bytes and family_memory(watched.pid) > bounds.memory_bytes:
        return f"The script used more than {bounds.memory_bytes // MEBIBYTE} MB of memory."
    return None


def _end(watched: _Watched, reason: str) -> None:
    try:
        watched.on_excess(reason)
    finally:
        if watched.there:
            kill_family(watched.pid)
