"""A line above the work that stays until what it tells of is mended, with the way to mend it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel


class FaultBar(QFrame):
    """Hidden until there is something to say; nothing but the mending hides it again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("faultBar")
        self._mend: Callable[[], object] = lambda: None
        self._mark = PlainLabel("✕")
        self.text = PlainLabel()
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.button = QPushButton()
        self.button.clicked.connect(lambda: self._mend())
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * SPACE, SPACE, 2 * SPACE, SPACE)
        row.setSpacing(2 * SPACE)
        row.addWidget(self._mark)
        row.addWidget(self.text, 1)
        row.addWidget(self.button)
        theme().changed.connect(self._dress)
        self._dress()
        self.hide()

    def tell(self, message: str, remedy: str, mend: Callable[[], object]) -> None:
        """Shows the message, and a button that does what is to be done."""
        self.text.setText(message)
        self.setAccessibleName(message)
        self.button.setText(remedy)
        self._mend = mend
        self.show()

    def _dress(self) -> None:
        colours = theme().colours
        self.setStyleSheet(
            f"#faultBar {{ background: {colours.raised}; border: 1px solid {colours.error}; border-radius: 6px; }}"
        )
        self._mark.setStyleSheet(f"color: {colours.error};")
