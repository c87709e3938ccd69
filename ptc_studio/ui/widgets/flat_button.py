"""Small buttons with an icon and no frame."""

from collections.abc import Callable

from PySide6.QtWidgets import QToolButton

from ptc_studio.ui.icons import set_icon
from ptc_studio.ui.widgets.plain_text import plain_tip


def flat_button(icon: str, name: str, act: Callable[[], object]) -> QToolButton:
    """A button that does something."""
    button = _button(icon, name)
    button.clicked.connect(lambda: act())
    return button


def flat_toggle(icon: str, name: str, act: Callable[[bool], object]) -> QToolButton:
    """A button that is on or off."""
    button = _button(icon, name)
    button.setCheckable(True)
    button.toggled.connect(act)
    return button


def _button(icon: str, name: str) -> QToolButton:
    button = QToolButton()
    button.setToolTip(plain_tip(name))
    button.setAccessibleName(name)
    button.setProperty("flat", True)
    set_icon(button, icon, "muted")
    return button
