"""The calls of one script that are under way while it goes on."""

import time
from collections import deque
from queue import Empty, SimpleQueue
from threading import Condition

from ptc_studio.core.calls import Call, CallRequest, Outcome
from ptc_studio.core.scripts import Job
from ptc_studio.gateway.service import MOST_WAITING

Settled = tuple[int, Outcome]


class ConcurrentCalls:
    """Starts calls, no more at once than the run may have, and tells which have been answered."""

    def __init__(self, job: Job) -> None:
        self._executor = job.executor
        self._free = job.run.limits.concurrent_calls
        self._waiting: deque[Call] = deque()
        self._lock = Condition()
        self._woken = False
        self._settled: SimpleQueue[Settled | None] = SimpleQueue()

    def start(self, number: int, request: CallRequest) -> None:
        """Has the call performed soon; the number is the script's. Waits while too many wait for their turn."""
        with self._lock:
            self._lock.wait_for(lambda: len(self._waiting) < MOST_WAITING or self._woken)
            if self._woken:
                return
        call = self._executor.admit(request, lambda outcome: self._settled.put((number, outcome)))
        with self._lock:
            self._waiting.append(call)
        self._perform_next()

    def sleep(self, number: int, seconds: float) -> None:
        """Something to await that is answered after a while."""
        self._executor.deadlines.watch(_Nap(number, time.monotonic() + seconds, self._settled))

    def settled(self) -> dict[int, Outcome]:
        """What has been answered since the last time; waits for one. Empty once `wake` was called."""
        found: dict[int, Outcome] = {}
        item = self._settled.get()
        while item is not None:
            found[item[0]] = item[1]
            try:
                item = self._settled.get_nowait()
            except Empty:
                break
        return found

    def wake(self) -> None:
        """Lets whoever waits go on, though nothing has been answered: the run is stopped."""
        self._settled.put(None)
        with self._lock:
            self._woken = True
            self._lock.notify_all()

    def _perform_next(self) -> None:
        with self._lock:
            if not self._waiting or self._free <= 0:
                return
            self._free -= 1
            call = self._waiting.popleft()
            self._lock.notify_all()

        def perform() -> None:
            self._executor.perform(call)
            with self._lock:
                self._free += 1
            self._perform_next()

        self._executor.workers.submit(perform)


class _Nap:
    """An `asyncio.sleep` of the script's."""

    def __init__(self, number: int, deadline: float, settled: "SimpleQueue[Settled | None]") -> None:
        self.deadline = deadline
        self._number = number
        self._queue = settled

    def expire(self) -> None:
        self._queue.put((self._number, Outcome("ok")))
