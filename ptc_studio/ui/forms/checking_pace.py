"""When a form is checked: at every key while that is quick, else in the pauses."""

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

QUICK_SECONDS = 0.006
PAUSE_MS = 180


class CheckingPace(QObject):
    """Runs one piece of work at once, or a moment after the last request if it has proved slow."""

    def __init__(self, work: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._took = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.now)

    def request(self) -> None:
        """Has it done soon."""
        if self._took <= QUICK_SECONDS:
            self.now()
        else:
            self._timer.start(PAUSE_MS)

    def later(self) -> None:
        """Has it done when the window has nothing more urgent to do."""
        self._timer.start(0)

    def now(self) -> None:
        """Does it."""
        self._timer.stop()
        began = perf_counter()
        self._work()
        self._took = perf_counter() - began

    def flush(self) -> None:
        """Does what has been waiting."""
        if self._timer.isActive():
            self.now()
