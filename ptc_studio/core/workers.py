"""Threads that do the blocking work of calls and runs."""

import logging
import threading
from collections import deque
from collections.abc import Callable

log = logging.getLogger(__name__)

IDLE_SECONDS = 30.0


class Workers:
    """A pool without an upper bound, whose threads are daemons.

    Unbounded, because a call waits in its thread for the calls that it makes itself: a full pool would be a deadlock.
    Daemons, because a tool that never returns must not keep the program from ending, as a ThreadPoolExecutor's would.
    """

    def __init__(self, name: str = "ptc-worker") -> None:
        self._name = name
        self._lock = threading.Lock()
        self._idle: deque[Worker] = deque()
        self._started = 0

    def submit(self, work: Callable[[], None]) -> None:
        """Has the work done soon in a thread of its own."""
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        if worker is None:
            self._started += 1
            worker = Worker(self, f"{self._name}-{self._started}")
            worker.give(work)
            worker.start()
        else:
            worker.give(work)

    def rest(self, worker: "Worker") -> None:
        """Called by a worker that has nothing to do; the one that rested last works next, its caches are warm."""
        with self._lock:
            self._idle.append(worker)

    def leave(self, worker: "Worker") -> bool:
        """Called by a worker that waited long; False means that work is on its way to it."""
        with self._lock:
            try:
                self._idle.remove(worker)
            except ValueError:
                return False
            return True


class Worker(threading.Thread):
    """A thread of the pool."""

    def __init__(self, pool: Workers, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._pool = pool
        self._given = threading.Semaphore(0)
        self._work: Callable[[], None] | None = None

    def give(self, work: Callable[[], None]) -> None:
        self._work = work
        self._given.release()

    def run(self) -> None:
        while True:
            if not self._given.acquire(timeout=IDLE_SECONDS):
                if self._pool.leave(self):
                    return
                continue
            work, self._work = self._work, None
            try:
                if work is not None:
                    work()
            except Exception:
                log.exception("A worker thread's task failed")
            work = None
            self._pool.rest(self)
