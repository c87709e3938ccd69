"""The buttons of a row: the one that opens a group, and the one for null."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from ptc_studio.ui.icons import set_icon


def header_button(parent: QWidget, text: str, name: str, description: str, *, opened: bool) -> QToolButton:
    """Title and chevron of a group."""
    button = QToolButton(parent)
    button.setProperty("header", True)
    button.setCheckable(True)
    button.setChecked(opened)
    button.setText(text)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setAccessibleName(name)
    button.setAccessibleDescription(description)
    show_opened(button, opened)
    return button


def show_opened(button: QToolButton, opened: bool) -> None:
    """Turns the chevron."""
    set_icon(button, "chevron-down" if opened else "chevron-right", "muted")


def null_button(name: str) -> QToolButton:
    """On while null stands in for a value."""
    button = QToolButton()
    button.setText("null")
    button.setProperty("flat", True)
    button.setCheckable(True)
    button.setToolTip("Null instead of a value")
    button.setAccessibleName(f"{name}: null")
    return button
