"""The head of the tool panel: its name and what can be done there."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW


def tool_header(actions: Sequence[QAction] = ()) -> QHBoxLayout:
    """The title, and a button for each action."""
    row = QHBoxLayout()
    row.setContentsMargins(10, 3, 6, 3)
    row.setSpacing(2)
    title = QLabel("Tools")
    title.setProperty("role", "title")
    row.addWidget(title)
    row.addStretch(1)
    for action in actions:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setProperty("flat", True)
        row.addWidget(button)
    row.addWidget(_strut())
    return row


def _strut() -> QWidget:
    """Keeps the header as high as that of a panel with buttons."""
    strut = QWidget()
    strut.setFixedSize(0, theme().pixels(ROW + 2))
    return strut
