"""Keeps a click or a key that was meant for one question from answering the next."""

import time
from collections.abc import Callable

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.layout import FlowLayout, rule

GUARD_SECONDS = 0.4
"""So long nothing answers a question that took the place of another by itself."""


class ClickGuard:
    """What it guards does nothing for a moment after the question changed."""

    def __init__(self) -> None:
        self._until = 0.0

    @property
    def holds(self) -> bool:
        return time.monotonic() < self._until

    def hold(self) -> None:
        """The question is another one from now on."""
        self._until = time.monotonic() + GUARD_SECONDS

    def release(self) -> None:
        """The user asked for the question himself."""
        self._until = 0.0

    def guarded(self, act: Callable[[], object]) -> Callable[[], None]:
        """Does it, unless the question has only just changed."""

        def do() -> None:
            if not self.holds:
                act()

        return do


class AnswerButtons(QWidget):
    """Buttons side by side; the first that is added is the one that is meant most."""

    def __init__(self, guard: ClickGuard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._guard = guard
        self._flow = FlowLayout(self, spacing=2 * SPACE)

    def add(self, text: str, about: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.setToolTip(about)
        button.setProperty("primary", self._flow.count() == 0)
        button.clicked.connect(self._guard.guarded(act))
        self._flow.addWidget(button)
        return button


def lay_out_with_footer(room: QWidget, body: QWidget, *foot: QWidget) -> None:
    """Fills the room with the body and, below a line, the foot."""
    below = QVBoxLayout()
    below.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 3 * SPACE)
    below.setSpacing(2 * SPACE)
    for widget in foot:
        below.addWidget(widget)
    column = QVBoxLayout(room)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(body, 1)
    column.addWidget(rule())
    column.addLayout(below)
