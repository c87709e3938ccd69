"""Threads that do the blocking work of calls and runs."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Literal

log = logging.getLogger(__name__)

Work = Callable[[], None]

IDLE_SECONDS = 30.0
MOST_IDLE = 64
"""More than this do not wait for work: thousands of threads that all end at one time would hold up everybody."""
RETRY_SECONDS = 0.1


class Workers:
    """A pool without an upper bound, whose threads are daemons.

    Unbounded, because a call waits in its thread for the calls that it makes itself: a full pool would be a deadlock.
    Daemons, because a tool that never returns must not keep the program from ending, as a ThreadPoolExecutor's would.
    """

    def __init__(self, name: str = "ptc-worker") -> None:
        self._name = name
        self._lock = threading.Lock()
        self._waiting: deque[Work] = deque()
        self._idle: deque[Worker] = deque()
        self._started = 0

    def submit(self, work: Work) -> None:
        """Has the work done soon in a thread of its own."""
        with self._lock:
            worker = self._idle.pop() if self._idle else None
            if worker is None:
                self._waiting.append(work)
        if worker is None:
            _HIRING.start(self._hire)
        else:
            worker.give(work)

    def _hire(self) -> None:
        """Starts a worker, unless another has become free for the work meanwhile."""
        with self._lock:
            if not self._waiting:
                return
            work = self._waiting.popleft()
        self._started += 1
        worker = Worker(self, f"{self._name}-{self._started}")
        worker.give(work)
        try:
            worker.start()
        except RuntimeError:
            with self._lock:
                self._waiting.appendleft(work)
            raise

    def next_for(self, worker: "Worker") -> "Work | Literal[False] | None":
        """Called by a worker that is done: what it does next, None to wait for work, False to leave.

        The one that rested last works next, its caches are warm.
        """
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            if len(self._idle) >= MOST_IDLE:
                return False
            self._idle.append(worker)
            return None

    def leave(self, worker: "Worker") -> bool:
        """Called by a worker that waited long; False means that work is on its way to it."""
        with self._lock:
            try:
                self._idle.remove(worker)
            except ValueError:
                return False
            return True


class _Hiring:
    """Starts all workers in one thread.

    While a thread comes into being CPython knows it by the number of the one that starts it. A script in this process
    is stopped by the number of its thread, so it must not be the one that starts others.
    """

    def __init__(self) -> None:
        self._wanted: SimpleQueue[Work] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self, hire: Work) -> None:
        self._wanted.put(hire)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="ptc-hiring", daemon=True)
                self._thread.start()

    def _serve(self) -> None:
        while True:
            hire = self._wanted.get()
            try:
                hire()
            except RuntimeError:
                # No more threads to be had: what was to be done waits until there are.
                log.exception("A worker thread cannot be started yet")
                self._wanted.put(hire)
                threading.Event().wait(RETRY_SECONDS)
            del hire


_HIRING = _Hiring()


class Worker(threading.Thread):
    """A thread of the pool."""

    def __init__(self, pool: Workers, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._pool = pool
        self._given = threading.Semaphore(0)
        self._work: Work | None = None

    def give(self, work: Work) -> None:
        self._work = work
        self._given.release()

    def run(self) -> None:
        while (work := self._awaited()) is not None:
            while work:
                _do(work)
                # Let go of it first: what it holds may be large.
                work = None
                work = self._pool.next_for(self)
            if work is False:
                return

    def _awaited(self) -> Work | None:
        """The work that is given next; None if there was none for long."""
        while not self._given.acquire(timeout=IDLE_SECONDS):
            if self._pool.leave(self):
                return None
        work, self._work = self._work, None
        return work


def _do(work: Work) -> None:
    try:
        work()
    except Exception:
        log.exception("A worker thread's task failed")
