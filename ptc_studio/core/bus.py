"""Carries events from the threads where they happen to those who watch, in batches."""

import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence

from ptc_studio.core.events import Event

log = logging.getLogger(__name__)

Observer = Callable[[Sequence[Event]], None]
Schedule = Callable[[Callable[[], None]], None]
"""Has a function called a little later on the observers' thread; may be called from any thread."""


class Bus:
    """Events go in from any thread and come out on one.

    Waking the loop costs more than a whole call does elsewhere, so it is woken once for all events of a short while.
    """

    def __init__(self, schedule: Schedule | None = None) -> None:
        self._schedule = schedule
        self._events: deque[Event] = deque()
        self._observers: list[Observer] = []
        self._due = threading.Lock()

    def publish(self, event: Event) -> None:
        """Takes an event from any thread."""
        self._events.append(event)
        if self._schedule is not None and self._due.acquire(blocking=False):
            self._schedule(self._on_due)

    def subscribe(self, observer: Observer) -> Callable[[], None]:
        """Has the observer called with each batch; the answer ends that."""
        self._observers.append(observer)
        return lambda: self._remove(observer)

    def flush(self) -> None:
        """Hands over everything that has been published, now; on the observers' thread only."""
        # A wake-up may have got lost, as when its thread was stopped just then; the next event asks for a new one.
        self._clear_due()
        batch = [self._events.popleft() for _ in range(len(self._events))]
        if batch:
            for observer in tuple(self._observers):
                self._hand(observer, batch)

    def _on_due(self) -> None:
        self.flush()

    def _clear_due(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._due.release()

    def _hand(self, observer: Observer, batch: Sequence[Event]) -> None:
        try:
            observer(batch)
        except Exception:
            # One broken view must not end the run for the others.
            log.exception("The observer %r failed and is removed", observer)
            self._remove(observer)

    def _remove(self, observer: Observer) -> None:
        if observer in self._observers:
            self._observers.remove(observer)
