"""Work that is too long for one go, done on the window's thread a few milliseconds at a time."""

import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal

BUDGET = 0.004
"""Seconds of one go: a frame has sixteen milliseconds, and others want some of it."""


class ChunkedTask(QObject):
    """Runs one generator bit by bit; a new one takes the place of an old one.

    Signals: done: the generator has come to its end; not emitted when it was cancelled.
    """

    done = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: Iterator[object] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    @property
    def busy(self) -> bool:
        return self._steps is not None

    def start(self, steps: Iterator[object]) -> None:
        """Begins with a first go at once, so that short work is done when this returns."""
        self.cancel()
        self._steps = steps
        self._timer.start()
        self._go_on()

    def cancel(self) -> None:
        self._steps = None
        self._timer.stop()

    def finish(self) -> None:
        """Does all that is left, now."""
        while self._steps is not None:
            self._go_on()

    def _go_on(self) -> None:
        steps, end = self._steps, time.perf_counter() + BUDGET
        if steps is None:
            return
        for _ in steps:
            # A step may have started other work, or cancelled this one.
            if self._steps is not steps or time.perf_counter() >= end:
                return
        if self._steps is steps:
            self.cancel()
            self.done.emit()
