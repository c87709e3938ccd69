"""A thin line between the parts of a panel."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def rule() -> QWidget:
    """A horizontal line, coloured by the style sheet."""
    line = QWidget()
    line.setProperty("role", "line")
    line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    line.setFixedHeight(1)
    return line
