"""Slow work of the editor in a thread, with the answer brought back to the window's thread."""

from collections.abc import Callable, Hashable
from typing import Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from ptc_studio.ui.language.background import Background

Answer = Callable[[Any], None]


class Worker(QObject):
    """A thread whose answers arrive as calls in the thread of the window.

    Signals: _answered: for itself, to change threads.
    """

    _answered = Signal(object, object, object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = background = Background(name)
        self._answered.connect(self._on_answered)
        self.destroyed.connect(lambda: background.close())

    def run(self, owner: QObject, job: Callable[[], Any], then: Answer, key: Hashable = None) -> None:
        """Does the job, then hands its answer over if the owner is still there; newer work replaces waiting one."""

        def work() -> None:
            answer = job()
            if isValid(self):
                self._answered.emit(owner, then, answer)

        self._background.submit((id(owner), key), work)

    def wait(self, seconds: float) -> bool:
        """Whether all work was done within that time; blocks, so only for the end of the program and for tests."""
        return self._background.wait(seconds)

    def close(self, seconds: float = 0.0) -> None:
        """Ends the thread."""
        self._background.close(seconds)

    def _on_answered(self, owner: QObject, then: Answer, answer: object) -> None:
        if isValid(owner):
            then(answer)
