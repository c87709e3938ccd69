"""A line above the work that tells what went wrong or asks for attention, and can be closed."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from ptc_studio.ui.icons import icon
from ptc_studio.ui.theme import theme


class NoticeBar(QFrame):
    """Hidden until there is something to say. Not modal: the work goes on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self.setAccessibleName("Notice")
        self._mark = QLabel("▲")
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = QToolButton()
        close.setIcon(icon("close", "muted"))
        close.setAutoRaise(True)
        close.setAccessibleName("Close the notice")
        close.setToolTip("Close")
        close.clicked.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 4, 4)
        layout.addWidget(self._mark)
        layout.addWidget(self._text, 1)
        layout.addWidget(close)
        theme().changed.connect(self._dress)
        self._dress()
        self.hide()

    def tell(self, message: str) -> None:
        """Shows the message until it is closed or another comes."""
        self._text.setText(message)
        self.show()

    def _dress(self) -> None:
        colours = theme().colours
        self.setStyleSheet(
            f"#noticeBar {{ background: {colours.raised}; border: 1px solid {colours.warning}; border-radius: 6px; }}"
        )
        self._mark.setStyleSheet(f"color: {colours.warning};")
