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
        self._words = {"isolation": "", "note": "", "answers": ""}
        self._state, self._place, self._kept = QLabel(), QLabel(), QLabel()
        self._note, self._isolation, self._answers = QLabel(), QLabel(), QLabel()
        self._answers.setObjectName("answersNote")
        self._answers.setToolTip("Not every call is answered by its tool right away: see the tab Answers")
        self._isolation.setToolTip("What keeps the script apart from the rest of the machine")
        bar.setSizeGripEnabled(False)
        for label in (self._state, self._place, QLabel("UTF-8"), self._isolation, self._answers, self._note):
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

    def set_isolation(self, text: str) -> None:
        """What keeps the scripts of the chosen runtime apart; a warning begins with its mark."""
        self._words["isolation"] = text
        self._draw()

    def set_note(self, text: str) -> None:
        """Something to know of the run; stays until the next one."""
        self._words["note"] = text
        self._draw()

    def set_answers(self, text: str) -> None:
        """What stands in for tools, or stops their calls; empty for nothing."""
        if text != self._words["answers"]:
            self._words["answers"] = text
            self._draw()

    @property
    def answers(self) -> str:
        return self._words["answers"]

    @property
    def note(self) -> str:
        return self._words["note"]

    @property
    def isolation(self) -> str:
        return self._words["isolation"]

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
        labels = ((self._isolation, "isolation"), (self._answers, "answers"), (self._note, "note"))
        for label, name in labels:
            label.setText(_marked(self._words[name]))
            label.setVisible(bool(self._words[name]))


def _marked(text: str) -> str:
    """A warning in its colour."""
    if not text.startswith("▲"):
        return text
    # Imported late: it is large, and the first paint does not need it.
    from html import escape

    return f'<span style="color:{theme().colours.warning}">{escape(text)}</span>'
