"""The line at the bottom of the window: how the run stands, where the cursor is, what is open."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel, QStatusBar

from ptc_studio.ui.theme import theme

TONES = {"running": "ok", "ok": "ok", "ready": "muted"}


class StatusLine(QObject):
    """What the window's status bar says."""

    def __init__(self, bar: QStatusBar, workspace: str) -> None:
        super().__init__(bar)
        self._word = "ready"
        self._state, self._place, self._kept = QLabel(), QLabel(), QLabel()
        bar.setSizeGripEnabled(False)
        for label in (self._state, self._place, QLabel("UTF-8")):
            bar.addWidget(label)
        for label in (self._kept, QLabel(workspace)):
            bar.addPermanentWidget(label)
        theme().changed.connect(self._draw)
        self._draw()

    def set_state(self, word: str) -> None:
        """How the run stands, or how the last one ended."""
        self._word = word
        self._draw()

    def set_place(self, row: int, column: int) -> None:
        self._place.setText(f"Ln {row}, Col {column}")

    def clear_place(self) -> None:
        self._place.clear()

    def tell_saved(self) -> None:
        self._kept.setText("Saved")

    def _draw(self) -> None:
        colour = getattr(theme().colours, TONES.get(self._word, "error"))
        self._state.setText(f'<span style="color:{colour}">●</span> {self._word}')
