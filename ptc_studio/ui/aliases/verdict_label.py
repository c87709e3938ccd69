"""A sentence with its mark below a field."""

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from ptc_studio.ui.aliases.verdicts import Verdict
from ptc_studio.ui.forms.looks import help_font
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.plain_text import PlainLabel


class VerdictLabel(PlainLabel):
    """Shows one verdict; keeps its line free where there is none, so that nothing jumps, unless it may go."""

    def __init__(self, parent: QWidget | None = None, *, goes: bool = False) -> None:
        super().__init__(parent=parent)
        self._goes = goes
        self._verdict = Verdict("muted", "")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        theme().changed.connect(self._dress)
        self.show_verdict(self._verdict)

    @property
    def verdict(self) -> Verdict:
        return self._verdict

    def show_verdict(self, verdict: Verdict) -> None:
        self._verdict = verdict
        self.setText(verdict.line or " ")
        self.setAccessibleName(verdict.line)
        self.setHidden(self._goes and not verdict.text)
        self._dress()

    def _dress(self) -> None:
        # "free" is calm: only its mark is green.
        colour = theme().colour("muted" if self._verdict.tone == "ok" else self._verdict.tone).name()
        self.setStyleSheet(f"color: {colour}; font-size: {help_font().pixelSize()}px;")
        if self._verdict.tone == "ok" and self._verdict.text:
            self.setTextFormat(Qt.TextFormat.RichText)
            self.setText(f"<span style='color:{theme().colours.ok}'>✓</span> {escape(self._verdict.text)}")
        else:
            self.setTextFormat(Qt.TextFormat.PlainText)
            self.setText(self._verdict.line or " ")
