"""The row of answers below a prompt."""

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton, QWidget

from ptc_studio.ui.prompts.guard import Guard
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.flow_layout import FlowLayout
from ptc_studio.ui.widgets.plain_text import plain_tip


class AnswerButtons(QWidget):
    """Buttons side by side; the first that is added is the one that is meant most."""

    def __init__(self, guard: Guard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._guard = guard
        self._flow = FlowLayout(self, spacing=2 * SPACE)

    def add(self, text: str, about: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.setToolTip(plain_tip(about))
        button.setProperty("primary", self._flow.count() == 0)
        button.clicked.connect(self._guard.guarded(act))
        self._flow.addWidget(button)
        return button
