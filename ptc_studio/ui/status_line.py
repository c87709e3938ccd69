"""The line at the bottom of the window: how the run stands, where the cursor is, what is open."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLabel, QStatusBar, QWidget

from ptc_studio.ui.stylesheet import set_property
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.labels import ElidedLabel, PlainLabel, release_fixed_text, set_fixed_text
from ptc_studio.ui.widgets.layout import CollapseStep, collapse_to_fit

SPACING = 8
"""Between two labels there is no more than this."""
TONES = {"running": "ok", "ok": "ok", "serving": "ok", "ready": "muted"}


class StatusLine(QObject):
    """What the window's status bar says."""

    def __init__(self, bar: QStatusBar, workspace: str) -> None:
        super().__init__(bar)
        self._word = "ready"
        self._words = {"isolation": "", "note": "", "answers": ""}
        self._bar = bar
        self._state, self._location, self._kept = PlainLabel(), PlainLabel(), PlainLabel()
        self._coding = PlainLabel("UTF-8")
        self._state.setTextFormat(Qt.TextFormat.RichText)
        self._isolation = ElidedLabel(about="What keeps the script apart from the rest of the machine")
        self._answers = ElidedLabel(about="Not every call is answered by its tool right away: see Breakpoints & mocks")
        self._answers.setObjectName("answersNote")
        self._note = ElidedLabel()
        bar.setSizeGripEnabled(False)
        for label in (self._state, self._location, self._coding, self._isolation, self._answers, self._note):
            bar.addWidget(label)
        self._workspace = workspace
        self._folder = ElidedLabel(workspace, about="The workspace that is open")
        self._folder.setObjectName("folderNote")
        for label in (self._kept, self._folder):
            bar.addPermanentWidget(label)
        self._steps = tuple(map(self._step, (self._coding, self._kept, self._location)))
        bar.installEventFilter(self)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def set_state(self, word: str) -> None:
        """How the run stands, or how the last one ended."""
        self._word = word
        self._draw()

    def set_restricted(self, restricted: bool) -> None:
        """Says beside the folder's name that nothing of it is loaded."""
        self._folder.setText(f"{self._workspace} · restricted" if restricted else self._workspace)

    def set_place(self, row: int, column: int) -> None:
        set_fixed_text(self._location, f"Ln {row}, Col {column}")
        if self._location.isHidden():
            self._fit()

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
        set_fixed_text(self._location, "")
        self._location.hide()

    def show_saved(self) -> None:
        self._kept.setText("Saved")
        self._fit()

    def _on_theme_changed(self) -> None:
        release_fixed_text(self._location)
        self._draw()

    def _draw(self) -> None:
        colour = getattr(theme().colours, TONES.get(self._word, "error"))
        self._state.setText(f'<span style="color:{colour}">●</span> {self._word}')
        labels = ((self._isolation, "isolation"), (self._answers, "answers"), (self._note, "note"))
        for label, name in labels:
            label.setText(self._words[name])
            tone = {"▲": "warning", "✕": "error"}.get(self._words[name][:1], "")
            if (label.property("tone") or "") != tone:
                set_property(label, "tone", tone)
            label.setVisible(bool(self._words[name]))

    def _step(self, label: QLabel) -> CollapseStep:
        """The label is not there while it says nothing, or gives way."""
        return CollapseStep(
            lambda: label.sizeHint().width() + SPACING if label.text() else 0,
            lambda gives: label.setVisible(bool(label.text()) and not gives),
        )

    def _fit(self) -> None:
        """Where there is little room, what is least needed goes; longer words are cut, and their tooltip has them."""
        giving = (self._coding, self._kept, self._location)
        children = self._bar.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        others = [child for child in children if child not in giving and not child.isHidden()]
        needed = sum(child.sizeHint().width() + SPACING for child in others) + sum(step.saves() for step in self._steps)
        collapse_to_fit(self._steps, needed, self._bar.width())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit()
        return super().eventFilter(watched, event)
