"""The event loop of the window: qasync's, with one Qt timer for all that is to be done instead of one for each.

qasync starts a timer of Qt's for every step of every task, and one that is cancelled stays until its time has come:
a client of the endpoint leaves several for half a minute with each call, among which Qt puts every new one in order.
"""

import asyncio
import heapq
import math
from collections import deque
from collections.abc import Callable
from contextvars import Context
from itertools import count
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimerEvent, Signal
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

LONGEST_MS = 3_600_000
"""Qt's timers take no more than some weeks; whoever wakes for nothing looks once more."""
EARLY_SECONDS = 0.0005
"""A timer of whole milliseconds may be so much too early."""
FEW_TIMERS = 64
TURN_SECONDS = 0.008
"""After so long Qt has its turn, to paint and to take in keys, whatever else is to be done."""


class _Alarm(QObject):
    """Two timers of Qt's: one for what is to be done now, one for what is due next. Signals: woken()."""

    woken = Signal()

    def __init__(self, do_ready: Callable[[], None], do_due: Callable[[], None]) -> None:
        super().__init__()
        self._do_ready, self._do_due = do_ready, do_due
        self._due: int | None = None
        self.ready: int | None = None
        """While it is there, what is to be done will be, in a loop of Qt's within another, too."""
        self.woken.connect(self.ring_now, Qt.ConnectionType.QueuedConnection)

    def ring_now(self) -> None:
        if self.ready is None:
            self.ready = self.startTimer(0)

    def ring_in(self, seconds: float) -> None:
        if self._due is not None:
            self.killTimer(self._due)
        wait = min(math.ceil(max(seconds, 0.0) * 1000), LONGEST_MS)
        self._due = self.startTimer(wait, Qt.TimerType.PreciseTimer)

    def stop(self) -> None:
        for timer in (self.ready, self._due):
            if timer is not None:
                self.killTimer(timer)
        self.ready = self._due = None

    def timerEvent(self, event: QTimerEvent) -> None:
        timer = event.timerId()
        self.killTimer(timer)
        if timer == self.ready:
            self.ready = None
            self._do_ready()
        elif timer == self._due:
            self._due = None
            self._do_due()


class WindowLoop(QEventLoop):
    """Runs on Qt's own loop. Like every loop of asyncio's it is for one thread, but for `call_soon_threadsafe`."""

    def __init__(self, application: QApplication) -> None:
        self._now: deque[asyncio.Handle] = deque()
        self._later: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = count()
        self._crowded = FEW_TIMERS
        self._alarm = _Alarm(self._do_ready, self._do_due)
        super().__init__(application)

    @property
    def timers(self) -> int:
        """How many wait for their time, those that were cancelled of late among them."""
        return len(self._later)

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._now.append(handle)
        self._alarm.ring_now()
        return handle

    def call_soon_threadsafe(  # pyright: ignore[reportIncompatibleMethodOverride] - qasync's gives none, asyncio's does
        self, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        if self.is_closed():
            raise RuntimeError("Event loop is closed")
        handle = asyncio.Handle(callback, args, self, context)
        self._now.append(handle)
        # Put there before the look: a timer that is still on, or has just gone off, sees it.
        if self._alarm.ready is None:
            self._alarm.woken.emit()
        return handle

    def call_later(
        self, delay: float, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Context | None = None) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        if len(self._later) >= self._crowded:
            self._drop_cancelled()
        heapq.heappush(self._later, (when, next(self._numbers), handle))
        if self._later[0][2] is handle:
            self._alarm.ring_in(when - self.time())
        return handle

    def close(self) -> None:
        if not self.is_running():
            self._alarm.stop()
            self._now.clear()
            self._later.clear()
        super().close()

    def _drop_cancelled(self) -> None:
        self._later = [each for each in self._later if not each[2].cancelled()]
        heapq.heapify(self._later)
        self._crowded = max(FEW_TIMERS, 2 * len(self._later))

    def _do_due(self) -> None:
        due = self.time() + EARLY_SECONDS
        while self._later and (self._later[0][0] <= due or self._later[0][2].cancelled()):
            self._now.append(heapq.heappop(self._later)[2])
        if self._later:
            self._alarm.ring_in(self._later[0][0] - self.time())
        self._do_ready()

    def _do_ready(self) -> None:
        """All that is there by now, or as much as a turn has room for; what comes of it has its turn after Qt's."""
        left, end = len(self._now), self.time() + TURN_SECONDS
        if left > 1:
            # One of them may run a loop of Qt's, in which the others go on.
            self._alarm.ring_now()
        while left and self._now:
            left -= 1
            handle = self._now.popleft()
            if not handle.cancelled():
                handle._run()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - it is what a loop does
            if self.time() > end:
                break
        if self._now:
            self._alarm.ring_now()
