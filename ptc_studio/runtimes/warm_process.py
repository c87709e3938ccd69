"""Keeps processes ready, so that a run need not wait for one to start."""

import threading
from collections import deque
from collections.abc import Callable, Hashable

from ptc_studio.core.workers import SerialWorker
from ptc_studio.runtimes.guest_process import Guest, GuestProcessError


class GuestPool:
    """Starts guests in a thread of its own, which lives as long as the program: a guest dies with its starter."""

    def __init__(self, start: Callable[[], Guest], spare: int = 1) -> None:
        self._start = start
        self._spare = spare
        self._ready: deque[Guest | Exception] = deque()
        self._changed = threading.Condition()
        self._wanted = 0
        self._starting = 0
        self._waiting = 0
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def ready(self) -> "tuple[Guest | Exception, ...]":
        """Those that wait for a run."""
        return tuple(self._ready)

    def warm(self, count: int = 1) -> None:
        """Has as many started as are missing, and does not wait for them."""
        with self._changed:
            self._wanted = max(self._wanted, count - len(self._ready))
            self._wake()

    def refill(self) -> None:
        """Has the spares started that were taken. Called after a run: while it goes on it wants the processor."""
        if self._spare:
            self.warm(self._spare)

    def checkout(self) -> Guest:
        """A guest that said hello; waits if none is ready. Raises GuestError if it cannot be had."""
        found = self._take()
        if not found.alive:
            # A spare may have been killed while it waited.
            _dispose(found)
            found = self._take()
        try:
            if not found.greet():
                raise GuestProcessError("the process ended before it said hello")
        except Exception:
            _dispose(found)
            raise
        return found

    def _take(self) -> Guest:
        with self._changed:
            self._waiting += 1
            try:
                while not self._ready and not self._closed:
                    # Asked for anew each time: somebody else may have come first and taken the one that was for us.
                    if self._wanted < self._waiting - self._starting:
                        self._wanted = self._waiting - self._starting
                        self._wake()
                    self._changed.wait()
            finally:
                self._waiting -= 1
            if self._closed:
                raise GuestProcessError("no process can be had any longer: the runtime was closed")
            found = self._ready.popleft()
        if isinstance(found, Exception):
            raise found
        return found

    def close(self) -> None:
        """Ends every guest that nobody has taken."""
        with self._changed:
            self._closed = True
            left, self._ready = self._ready, deque()
            self._changed.notify_all()
        for guest in left:
            _dispose(guest)

    def _wake(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._start_wanted, name="ptc-guest-starter", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _start_wanted(self) -> None:
        while True:
            with self._changed:
                while self._wanted <= 0 and not self._closed:
                    self._changed.wait()
                if self._closed:
                    break
                self._wanted -= 1
                self._starting = 1
            try:
                guest: Guest | Exception = self._start()
            except Exception as error:  # noqa: BLE001 - it is raised where somebody waits
                guest = error
            with self._changed:
                closed = self._closed
                self._starting = 0
                # A failure is for one who waits: told later it would be out of date.
                if not closed and (self._waiting or not isinstance(guest, Exception)):
                    self._ready.append(guest)
                self._changed.notify_all()
            if closed:
                _dispose(guest)
        # The thread stays: guests that are still in use would die with it.
        threading.Event().wait()


def _dispose(guest: Guest | Exception) -> None:
    if not isinstance(guest, Exception):
        guest.dispose()


STARTER = SerialWorker("ptc-starter")
"""Starts the guests that are for one script; a guest dies with its starter, and this one stays."""


class WarmScript:
    """At most one process. It has said hello or is about to, and does nothing of the script before it is told to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._warm: tuple[Hashable, Guest] | None = None
        self._closed = False

    @property
    def waiting(self) -> Guest | None:
        """The process that waits, whatever its script is."""
        return self._warm[1] if self._warm is not None else None

    def take(self, script: Hashable) -> Guest | None:
        """The process, if it is of this script and has not been killed meanwhile."""
        with self._lock:
            if self._warm is None or self._warm[0] != script:
                return None
            (_, guest), self._warm = self._warm, None
        if guest.alive:
            return guest
        guest.dispose()
        return None

    def prepare(self, script: Hashable, start: Callable[[], Guest]) -> None:
        """Starts one for this script, in place of that for another; it takes a moment."""
        with self._lock:
            if self._closed or (self._warm is not None and self._warm[0] == script):
                return
        self._put((script, STARTER.submit(start).result()))

    def close(self) -> None:
        """Ends the process; none is started any longer."""
        with self._lock:
            self._closed = True
        self._put(None)

    def _put(self, warm: tuple[Hashable, Guest] | None) -> None:
        with self._lock:
            if self._closed:
                former, self._warm, unwanted = self._warm, None, warm
            else:
                former, self._warm, unwanted = self._warm, warm, None
        for one in (former, unwanted):
            if one is not None:
                one[1].dispose()
