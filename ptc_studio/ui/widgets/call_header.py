"""The head of the call tree: its name, how many calls, filter and follow."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

HEIGHT = 34


class CallHeader(QWidget):
    """Title, count, and two toggles."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.count = QLabel()
        self.count.setProperty("role", "badge")
        self.count.hide()
        self.filter = _toggle("Filter…", "Show only some calls (Ctrl+F)")
        self.follow = _toggle("⤓ Follow", "Keep the newest call in sight")
        self.follow.setChecked(True)
        title = QLabel("Calls")
        title.setProperty("role", "title")
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * SPACE, 0, SPACE, 0)
        row.setSpacing(2 * SPACE)
        for widget in (title, self.count):
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        for widget in (self.filter, self.follow):
            row.addWidget(widget)
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_count(self, total: int, matching: int) -> None:
        """How many calls there are, and how many of them are shown."""
        self.count.setText(f"{total:,}" if matching == total else f"{matching:,} of {total:,}")
        self.count.setVisible(total > 0)

    def _restyle(self) -> None:
        self.setFixedHeight(theme().pixels(HEIGHT))


def _toggle(text: str, about: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(about)
    button.setCheckable(True)
    button.setProperty("flat", True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
