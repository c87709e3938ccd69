"""Thin lines between the parts of a panel."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def rule() -> QWidget:
    """A horizontal line, coloured by the style sheet."""
    line = _line()
    line.setFixedHeight(1)
    return line


def upright_rule() -> QWidget:
    """A vertical line, coloured by the style sheet."""
    line = _line()
    line.setFixedWidth(1)
    return line


def _line() -> QWidget:
    line = QWidget()
    line.setProperty("role", "line")
    line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return line
