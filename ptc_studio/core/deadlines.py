"""One thread that ends what has run out of time."""

import logging
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Protocol

from ptc_studio.core.workers import Workers

log = logging.getLogger(__name__)

RETRY_SECONDS = 0.1


class Expiring(Protocol):
    """Something with an end in time, on the clock of `time.monotonic`."""

    @property
    def deadline(self) -> float: ...
    def expire(self) -> None: ...


class Holdable(Protocol):
    """Something whose end in time can be moved."""

    deadline: float


class Deadlines:
    """Watches calls and runs and expires those whose time is up.

    Adding and removing happen twice per call, so both are one dictionary operation; the thread is woken only
    for a deadline earlier than all it knows of. Few things are under way at once, so it looks at all of them.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._watched: dict[int, Expiring] = {}
        self._held: dict[int, tuple[int, float]] = {}
        """How many hold an item, and the seconds that it has left."""
        self._condition = threading.Condition()
        self._next = float("inf")
        self._thread: threading.Thread | None = None

    @property
    def watched(self) -> int:
        """How many calls and runs have an end in time just now."""
        return len(self._watched)

    def watch(self, item: Expiring) -> Callable[[], None]:
        """Expires the item, in a worker thread, when its time is up; the answer takes it off the watch."""
        key = id(item)
        self._watched[key] = item
        if item.deadline < self._next:
            self._wake(item.deadline)

        def unwatch() -> None:
            self._watched.pop(key, None)

        return unwatch

    @contextmanager
    def held(self, items: "Sequence[Holdable]") -> Generator[None]:
        """While this lasts, the items' time stands still; may be nested, and overlap in several threads."""
        for item in items:
            self._hold(item)
        try:
            yield
        finally:
            for item in items:
                self._release(item)

    def _hold(self, item: "Holdable") -> None:
        with self._condition:
            holders, left = self._held.get(id(item), (0, 0.0))
            if holders == 0:
                left = item.deadline - time.monotonic()
                item.deadline = float("inf")
            self._held[id(item)] = (holders + 1, left)

    def _release(self, item: "Holdable") -> None:
        with self._condition:
            holders, left = self._held.pop(id(item))
            if holders > 1:
                self._held[id(item)] = (holders - 1, left)
                return
            item.deadline = time.monotonic() + left
        if id(item) in self._watched and item.deadline < self._next:
            self._wake(item.deadline)

    def _wake(self, deadline: float) -> None:
        with self._condition:
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="ptc-deadlines", daemon=True)
                self._thread.start()
            self._next = min(self._next, deadline)
            self._condition.notify()

    def _watch(self) -> None:
        while True:
            with self._condition:
                while (pause := self._next - time.monotonic()) > 0:
                    self._condition.wait(min(pause, threading.TIMEOUT_MAX))
            self._expire_due()
            with self._condition:
                # An item added from here on sees the infinite `_next` and wakes this thread if it is not counted below.
                # `_next` stays when its item is done early: waking once in vain is cheaper than being told of each.
                self._next = float("inf")
                earliest = min((item.deadline for item in tuple(self._watched.values())), default=self._next)
                self._next = min(self._next, earliest)

    def _expire_due(self) -> None:
        now = time.monotonic()
        for key, item in tuple(self._watched.items()):
            if item.deadline <= now and self._watched.pop(key, None) is not None:
                try:
                    self._workers.submit(item.expire)
                except RuntimeError:
                    # No more threads to be had: it is tried again, and this thread must not end.
                    log.exception("What is out of time cannot be ended yet")
                    self._watched[key] = item
                    time.sleep(RETRY_SECONDS)
