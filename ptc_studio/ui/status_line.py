"""The line at the bottom of the window: how the run stands, where the cursor is, what is open."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel, QStatusBar

from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.still_text import release, set_still_text

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
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def set_state(self, word: str) -> None:
        """How the run stands, or how the last one ended."""
        self._word = word
        self._draw()

    def set_place(self, row: int, column: int) -> None:
        set_still_text(self._place, f"Ln {row}, Col {column}")

    def clear_place(self) -> None:
        set_still_text(self._place, "")

    def tell_saved(self) -> None:
        self._kept.setText("Saved")

    def _on_theme_changed(self) -> None:
        release(self._place)
        self._draw()

    def _draw(self) -> None:
        colour = getattr(theme().colours, TONES.get(self._word, "error"))
        self._state.setText(f'<span style="color:{colour}">●</span> {self._word}')
