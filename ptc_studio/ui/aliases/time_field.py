"""How long a call may take; empty leaves it to the tool."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from ptc_studio.core.limits import Limits
from ptc_studio.core.tools import ToolSpec
from ptc_studio.ui.aliases.durations import duration, seconds_of
from ptc_studio.ui.forms.looks import help_font
from ptc_studio.ui.stylesheet import set_property
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.plain_text import PlainLabel

WIDTH = 92


class TimeField(QWidget):
    """A short line, and beside it what the tool has by itself.

    Signals: changed: the text is another.
    """

    changed = Signal()

    def __init__(self, limits: Limits, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._limits = limits
        self._spec: ToolSpec | None = None
        self._given: float | None = None
        """As the file has it: a number that nobody changed stays the very same."""
        self.line = QLineEdit()
        self.line.setObjectName("aliasTimeout")
        self.line.setAccessibleName("Time limit in seconds")
        self.line.setFixedWidth(theme().pixels(WIDTH))
        self.line.textChanged.connect(self._on_text_changed)
        self.line.editingFinished.connect(self._write_out)
        self.word = PlainLabel(wordWrap=True)
        self.word.setTextFormat(Qt.TextFormat.PlainText)
        self.word.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme().pixels(2 * SPACE + 2))
        row.addWidget(self.line)
        row.addWidget(self.word, 1)
        self.setFocusProxy(self.line)
        theme().changed.connect(self._tell)
        self._tell()

    def seconds(self) -> float | None:
        """None where the tool's own counts, or the text is no time."""
        if self._given is not None and self.line.text().strip() == duration(self._given):
            return self._given
        return seconds_of(self.line.text())

    def set_seconds(self, seconds: float | None) -> None:
        self._given = seconds
        self.line.setText(duration(seconds) if seconds is not None else "")

    def set_tool(self, spec: ToolSpec | None) -> None:
        self._spec = spec
        self._tell()

    def problem(self) -> str:
        """Why the text is no limit; empty if it is one."""
        text, seconds = self.line.text().strip(), self.seconds()
        if not text:
            return ""
        if seconds is None:
            return f"{text!r} is no time: write it as 10 s."
        return "" if seconds > 0 else "A time limit is more than 0 s."

    def _on_text_changed(self) -> None:
        self._tell()
        self.changed.emit()

    def _write_out(self) -> None:
        seconds = self.seconds()
        if seconds is not None and self.line.text().strip() != duration(seconds):
            self.line.setText(duration(seconds))

    def _tell(self) -> None:
        own = self._spec.timeout if self._spec is not None and self._spec.timeout else self._limits.call_timeout
        self.line.setPlaceholderText(duration(own))
        problem, seconds, cap = self.problem(), self.seconds(), self._limits.call_timeout_cap
        text = f"✕ {problem}" if problem else f"the tool's own is {duration(own)}"
        if not problem and seconds is not None and seconds > cap:
            text = f"▲ no call takes longer than {duration(cap)}"
        tone = "error" if problem else "warning" if text.startswith("▲") else "muted"
        self.word.setText(text)
        self.word.setAccessibleName(text)
        self.word.setStyleSheet(f"color: {theme().colour(tone).name()}; font-size: {help_font().pixelSize()}px;")
        set_property(self.line, "mark", "fault" if problem else "")
