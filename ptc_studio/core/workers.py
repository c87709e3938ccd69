"""Threads that do the blocking work of calls and runs, and how they let the window have the interpreter."""

import asyncio
import gc
import logging
import math
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import SimpleQueue
from types import FrameType
from typing import Any, Literal, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

IDLE_SECONDS = 30.0
MOST_IDLE = 64
"""More than this do not wait for work: thousands of threads that all end at one time would hold up everybody."""
RETRY_SECONDS = 0.1


class Task(Future[T]):
    """Work and what comes of it. It is done, whoever waits for it: it cannot be cancelled.

    A failure that nobody asked for is logged when the task is let go of.
    """

    # For the class, because a flood of small work makes thousands.
    _is_awaited = False
    _has_failed = False

    def __init__(self, work: Callable[[], T]) -> None:
        super().__init__()
        self._work: Callable[[], T] | None = work

    def do(self) -> None:
        """Does the work in this thread."""
        # Let go of it first: what it holds may be large.
        work, self._work = self._work, None
        assert work is not None
        try:
            self.set_result(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            self._has_failed = True
            self.set_exception(error)
            # Else the error, its traceback, this frame and the task would hold each other.
            del self

    def cancel(self) -> bool:
        return False

    def result(self, timeout: float | None = None) -> T:
        self._is_awaited = True
        return super().result(timeout)

    def add_done_callback(self, fn: Callable[[Future[T]], object]) -> None:
        self._is_awaited = True
        super().add_done_callback(fn)

    def __del__(self) -> None:
        if self._has_failed and not self._is_awaited:
            log.error("A worker thread's task failed", exc_info=self.exception())


class SerialWorker:
    """One daemon thread that does its work in order. It starts with the first, and stays until it is closed."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._wanted: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """Has the work done after all that was submitted before."""
        task = Task(work)
        self.post(task.do)
        return task

    def post(self, work: Callable[[], None]) -> None:
        """The same for work that never fails and that nobody waits for."""
        self._wanted.put(work)
        if self._thread is None:
            self._start()

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
                thread.start()
                self._thread = thread

    def close(self) -> None:
        """Ends the thread after all that was submitted before."""
        self._wanted.put(None)

    def _serve(self) -> None:
        while (work := self._wanted.get()) is not None:
            work()
            del work


class Workers:
    """A pool without an upper bound, whose threads are daemons.

    Unbounded, because a call waits in its thread for the calls that it makes itself: a full pool would be a deadlock.
    Daemons, because a tool that never returns must not keep the program from ending, as a ThreadPoolExecutor's would.
    """

    def __init__(self, name: str = "ptc-worker") -> None:
        self._name = name
        self._lock = threading.Lock()
        self._waiting: deque[Task[Any]] = deque()
        self._idle: deque[Worker] = deque()
        self._started = 0

    @property
    def idle(self) -> int:
        """How many threads wait for work."""
        return len(self._idle)

    def submit(self, work: Callable[[], T]) -> "Future[T]":
        """Has the work done soon in a thread of its own."""
        task = Task(work)
        with self._lock:
            worker = self._idle.pop() if self._idle else None
            if worker is None:
                self._waiting.append(task)
        if worker is None:
            _HIRING.post(self._hire)
        else:
            worker.give(task)
        return task

    async def run(self, work: Callable[[], T]) -> T:
        """What the work gives, or raises; it goes on if nobody waits for it any longer."""
        return await asyncio.wrap_future(self.submit(work))

    def _hire(self) -> None:
        """Starts a worker, unless another has become free for the work meanwhile."""
        with self._lock:
            if not self._waiting:
                return
            task = self._waiting.popleft()
        self._started += 1
        worker = Worker(self, f"{self._name}-{self._started}")
        worker.give(task)
        try:
            worker.start()
        except RuntimeError:
            # No more threads to be had: what was to be done waits until there are.
            log.exception("A worker thread cannot be started yet")
            with self._lock:
                self._waiting.appendleft(task)
            threading.Event().wait(RETRY_SECONDS)
            _HIRING.post(self._hire)

    def next_for(self, worker: "Worker") -> "Task[Any] | Literal[False] | None":
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


_HIRING = SerialWorker("ptc-hiring")
"""Starts all workers. While a thread comes into being CPython knows it by the number of the one that starts it, and a
script in this process is stopped by the number of its thread: it must not be one that starts others."""


class Worker(threading.Thread):
    """A thread of the pool."""

    def __init__(self, pool: Workers, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._pool = pool
        # Held until there is a task; a lock is handed over in a tenth of a semaphore's time.
        self._given = threading.Lock()
        self._given.acquire()
        self._task: Task[Any] | None = None

    def give(self, task: Task[Any]) -> None:
        self._task = task
        self._given.release()

    def run(self) -> None:
        while (task := self._awaited()) is not None:
            while task:
                task.do()
                # Let go of it first: what came of it may be large.
                task = None
                task = self._pool.next_for(self)
            if task is False:
                return

    def _awaited(self) -> Task[Any] | None:
        """The task that is given next; None if there was none for long."""
        while not self._given.acquire(timeout=IDLE_SECONDS):
            if self._pool.leave(self):
                return None
        task, self._task = self._task, None
        return task


_LOOKING = threading.Lock()


def frame_of(thread: int) -> FrameType | None:
    """Where a thread is.

    While CPython 3.11 looks, no thread can begin or end, and garbage may be collected. That can let another go on,
    and if that one begins or ends, all of them wait for each other for ever. So nothing is collected meanwhile.
    """
    with _LOOKING:
        collected = gc.isenabled()
        gc.disable()
        try:
            # The one way to see another thread's stack.
            return sys._current_frames().get(thread)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        finally:
            if collected:
                gc.enable()


LONGEST = 0.05
"""Seconds that anybody waits: whoever asks too much is not waited for."""
PATIENCE, PAUSE = 0.005, 0.0002
"""Seconds without a turn after which others pause, and for how long: so that a thread on another core can wake up."""


class UiPriority:
    """Asked for by a thread that has little to do in many small steps, such as painting.

    Each step of it gives the interpreter away and has to wait to get it back, while others do calls: a paint of ten
    milliseconds then takes two hundred. So those who do calls hold back between two of them while somebody asks.

    Before it can ask, that thread needs the interpreter once. Whoever does calls lets go of it now and then, but has it
    again before a thread that sleeps has woken up, for dozens of milliseconds at bad times. So they also pause if its
    last turn is long ago.
    """

    def __init__(self) -> None:
        self._free = threading.Event()
        self._free.set()
        self._turn_due = math.inf

    @contextmanager
    def asked(self) -> Generator[None]:
        """Until its end, others hold back; for one thread, the loop's."""
        nested = not self._free.is_set()
        self._free.clear()
        try:
            yield
        finally:
            if not nested:
                self._free.set()

    def had_turn(self) -> None:
        """Told by the loop's thread after each of its turns, for as long as it wants more of them."""
        self._turn_due = time.perf_counter() + PATIENCE

    def needs_no_turns(self) -> None:
        """Told by the loop's thread at the end of that."""
        self._turn_due = math.inf

    def give_way(self) -> None:
        """Pauses if the loop's thread has had no turn for long, and waits while it asks to be alone."""
        if time.perf_counter() >= self._turn_due:
            self.had_turn()
            time.sleep(PAUSE)
        if not self._free.is_set():
            self._free.wait(LONGEST)
