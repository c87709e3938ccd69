"""A quiet sign in the status line that a run is recorded or replayed; a click ends that."""

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import RADIUS, SPACE
from ptc_studio.ui.widgets.plain_text import plain_tip


class Chip(QPushButton):
    """Hidden as long as there is nothing to say."""

    def __init__(self, name: str, colour: str, leave: Callable[[], object]) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAutoDefault(False)
        self._colour = colour
        self.clicked.connect(lambda: leave())
        theme().changed.connect(self._dress)
        self._dress()
        self.hide()

    def show_text(self, text: str, tip: str) -> None:
        """Says this; nothing if it is empty."""
        self.setText(f"{text}  ✕" if text else "")
        self.setToolTip(plain_tip(tip))
        self.setAccessibleName(text)
        self.setAccessibleDescription(tip)
        self.setVisible(bool(text))

    def _dress(self) -> None:
        colours, pixels = theme().colours, theme().pixels
        self.setStyleSheet(
            f"QPushButton {{ color: {theme().colour(self._colour).name()}; background: {colours.raised};"
            f" border: 1px solid {colours.line}; border-radius: {RADIUS}px; min-height: 0;"
            f" padding: 1px {pixels(2 * SPACE)}px; }}"
            f"QPushButton:hover {{ border-color: {theme().colour(self._colour).name()}; }}"
            f"QPushButton:focus {{ border-color: {colours.accent}; }}"
        )
