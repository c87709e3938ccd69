"""Looks at one thing in worker threads, one look after the other."""

import threading
from collections.abc import Callable
from concurrent.futures import Future

from ptc_studio.core.workers import Workers


class Looks:
    """Whoever asks gets a look that begins after he asked: one under way may be past what he saved a moment ago.

    All who ask while one is under way share the next.
    """

    def __init__(self, workers: Workers, look: Callable[[], None]) -> None:
        self._workers = workers
        self._look = look
        self._lock = threading.Lock()
        self._next: Future[None] | None = None
        self._is_busy = False
        self._looker: int | None = None

    @property
    def is_in_this_thread(self) -> bool:
        """Whether it is the look under way that asks this."""
        return self._looker == threading.get_ident()

    def ask(self) -> "Future[None]":
        """The future ends when the look has, and never fails."""
        with self._lock:
            if self._next is not None:
                return self._next
            self._next = asked = Future()
            is_busy, self._is_busy = self._is_busy, True
        if not is_busy:
            self._workers.submit(self._do)
        return asked

    def _do(self) -> None:
        with self._lock:
            asked, self._next = self._next, None
        assert asked is not None
        self._looker = threading.get_ident()
        try:
            self._look()
        finally:
            self._looker = None
            with self._lock:
                self._is_busy = self._next is not None
                again = self._is_busy
            if again:
                self._workers.submit(self._do)
            asked.set_result(None)
