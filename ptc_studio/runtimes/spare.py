"""Keeps a process of the script that ran last ready, for whoever runs the same script again."""

import threading
from collections.abc import Callable, Hashable

from ptc_studio.runtimes.guest import Guest
from ptc_studio.runtimes.starter import STARTER


class Spare:
    """At most one process. It has said hello or is about to, and does nothing of the script before it is told to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: tuple[Hashable, Guest] | None = None
        self._closed = False

    def take(self, script: Hashable) -> Guest | None:
        """The process, if it is of this script and has not been killed meanwhile."""
        with self._lock:
            if self._kept is None or self._kept[0] != script:
                return None
            (_, guest), self._kept = self._kept, None
        if guest.alive:
            return guest
        guest.dispose()
        return None

    def keep(self, script: Hashable, start: Callable[[], Guest]) -> None:
        """Starts one for this script, in place of that for another; it takes a moment."""
        with self._lock:
            if self._closed or (self._kept is not None and self._kept[0] == script):
                return
        self._put((script, STARTER.start(start)))

    def close(self) -> None:
        """Ends the process; none is started any longer."""
        with self._lock:
            self._closed = True
        self._put(None)

    def _put(self, kept: tuple[Hashable, Guest] | None) -> None:
        with self._lock:
            if self._closed:
                former, self._kept, unwanted = self._kept, None, kept
            else:
                former, self._kept, unwanted = self._kept, kept, None
        for one in (former, unwanted):
            if one is not None:
                one[1].dispose()
