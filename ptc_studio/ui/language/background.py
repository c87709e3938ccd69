"""One thread for slow work, where newer work takes the place of the older that still waits."""

import logging
from collections.abc import Callable, Hashable
from threading import Condition, Thread

log = logging.getLogger(__name__)
Job = Callable[[], None]


class Background:
    """Runs jobs one after the other in a thread of its own, which starts with the first job."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._waiting: dict[Hashable, Job] = {}
        self._changed = Condition()
        self._closed = False
        self._busy = False
        self._thread: Thread | None = None

    def submit(self, key: Hashable, job: Job) -> None:
        """Queues the job; one that waits under the same key is dropped for it."""
        with self._changed:
            if self._closed:
                return
            self._waiting.pop(key, None)
            self._waiting[key] = job
            if self._thread is None:
                self._thread = Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Whether all work was done within that time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._busy, seconds)

    def close(self, seconds: float = 0.0) -> None:
        """Drops what waits, and gives the job under way that long to end."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify_all()
        if self._thread is not None and seconds:
            self._thread.join(seconds)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                job()
            except Exception:
                log.exception("work in %s failed", self._name)

    def _next(self) -> Job | None:
        with self._changed:
            self._busy = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if self._closed:
                return None
            self._busy = True
            return self._waiting.pop(next(iter(self._waiting)))
