"""The fields that only the form of an alias has: words as chips, a time limit, a permission."""

import re
from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ptc_studio.core.run import Limits
from ptc_studio.core.tools import Permission, ToolSpec
from ptc_studio.ui.forms.controls import Segments, help_font
from ptc_studio.ui.stylesheet import set_property
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, RADIUS, SPACE
from ptc_studio.ui.widgets.labels import PlainLabel
from ptc_studio.ui.widgets.layout import FlowLayout, discard, filled

_SEPARATORS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Comma)
_REMOVERS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class _WordLine(QLineEdit):
    """Where the next word is typed.

    Signals: ended: the word is whole. emptied_further: Backspace was pressed where nothing is left.
    """

    ended = Signal()
    emptied_further = Signal()

    def sizeHint(self) -> QSize:
        """With room for the word that is being typed."""
        wide = self.fontMetrics().horizontalAdvance(self.text() or self.placeholderText())
        return QSize(max(wide + theme().pixels(6 * SPACE), theme().pixels(120)), super().sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _SEPARATORS and self.text().strip():
            self.ended.emit()
            event.accept()
        elif event.key() == Qt.Key.Key_Backspace and not self.text():
            self.emptied_further.emit()
        elif event.key() != Qt.Key.Key_Comma:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.ended.emit()


class ChipsField(QFrame):
    """Return or a comma ends a word; Backspace takes the last one away.

    Signals: changed: there are other words.
    """

    changed = Signal()

    def __init__(self, name: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chipsField")
        self.chips: list[QPushButton] = []
        self.line = _WordLine(placeholderText=hint)
        self.line.setAccessibleName(name)
        self.line.setFrame(False)
        self.line.installEventFilter(self)
        self.line.ended.connect(self.take_word)
        self.line.emptied_further.connect(self._drop_last)
        self.line.textChanged.connect(self.line.updateGeometry)
        context = theme().pixels(SPACE)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * context, context, context, context)
        inside = QWidget()
        self._flow = FlowLayout(inside, spacing=theme().pixels(SPACE + 2))
        self._flow.addWidget(self.line)
        column.addWidget(inside)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusProxy(self.line)
        theme().changed.connect(self._apply_style)
        self._apply_style()

    def words(self) -> list[str]:
        """Those that are chips, and the one that is being typed."""
        typed = self.line.text().strip()
        made = [chip.text() for chip in self.chips]
        return [*made, typed] if typed and typed not in made else made

    def set_words(self, words: Iterable[str]) -> None:
        """Shows these; says nothing."""
        while self.chips:
            self._remove(self.chips[-1])
        for word in words:
            self._add(word)
        self.line.clear()

    def take_word(self) -> None:
        """Makes a chip of what was typed."""
        word = self.line.text().strip().strip(",")
        if word:
            self.line.clear()
            if word not in [chip.text() for chip in self.chips]:
                self._add(word)
                self.changed.emit()

    def _add(self, word: str) -> None:
        chip = QPushButton(word, self)
        chip.setProperty("chip", True)
        chip.setAutoDefault(False)
        chip.setToolTip("Click to remove it")
        chip.setAccessibleName(f"{word}: remove")
        chip.clicked.connect(lambda: self._drop(chip))
        chip.installEventFilter(self)
        self._flow.addWidget(chip)
        # The line stays behind the chips.
        self._flow.removeWidget(self.line)
        self._flow.addWidget(self.line)
        self.chips.append(chip)
        QWidget.setTabOrder(chip, self.line)
        chip.show()

    def _drop(self, chip: QPushButton) -> None:
        self._remove(chip)
        self.line.setFocus()
        self.changed.emit()

    def _drop_last(self) -> None:
        if self.chips:
            self._drop(self.chips[-1])

    def _remove(self, chip: QPushButton) -> None:
        self.chips.remove(chip)
        discard(self._flow, chip)

    def _apply_style(self) -> None:
        colours, of = theme().colours, theme()
        edge = colours.accent if self.line.hasFocus() else colours.line
        code = of.code_font()
        self.setStyleSheet(
            f"#chipsField {{ background: {colours.raised}; border: 1px solid {edge}; border-radius: {RADIUS}px; }}"
            "#chipsField QLineEdit { background: transparent; border: none; padding: 0; "
            f"min-height: {of.pixels(20)}px; }}"
            f'#chipsField QPushButton {{ font-family: "{code.family()}"; font-size: {of.pixels(11)}px;'
            f" color: {colours.redacted}; background: {colours.redacted_ground}; border: 1px solid transparent;"
            f" border-radius: 4px; padding: 0 {of.pixels(6)}px; min-height: {of.pixels(18)}px; }}"
            f"#chipsField QPushButton:hover, #chipsField QPushButton:focus {{ border-color: {colours.redacted}; }}"
        )
        self.setMinimumHeight(of.pixels(FIELD))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.line and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._apply_style()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _REMOVERS:
            chip = next((each for each in self.chips if each is watched), None)
            if chip is not None:
                self._drop(chip)
                return True
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.line.setFocus()
        super().mousePressEvent(event)


_DURATION = re.compile(
    r"(?P<number>\d+(?:[.,]\d+)?|[.,]\d+)\s*(?P<unit>ms|s|sec|seconds?|min|minutes?|m)?", re.IGNORECASE
)
_SECONDS = {"ms": 0.001, "m": 60, "min": 60, "minute": 60, "minutes": 60}


def seconds_of(text: str) -> float | int | None:
    """`10`, `10 s`, `1.5 min`; None for what is no time at all. A whole number of seconds is an integer."""
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        return None
    seconds = float(found["number"].replace(",", ".")) * _SECONDS.get((found["unit"] or "s").lower(), 1)
    seconds = round(seconds, 6)
    return int(seconds) if seconds == int(seconds) else seconds


def duration(seconds: float) -> str:
    """`10 s`."""
    return f"{seconds:g} s"


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
        self.word.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        filled(QHBoxLayout(self), self.line, (self.word, 1), margins=0, spacing=theme().pixels(2 * SPACE + 2))
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


CHOICES: tuple[Permission | None, ...] = (None, "allow", "ask", "deny")
TEXTS = ("As the tool", "Allow", "Ask", "Deny")
_DONE = {"allow": "always allowed", "ask": "a person is asked each time", "deny": "always refused"}
_OWN = {
    "allow": "Every call is allowed.",
    "ask": "A person is asked before each call.",
    "deny": "Every call is refused.",
}


def who_decides(permission: Permission | None, spec: ToolSpec | None) -> str:
    """Whose word counts, in a sentence."""
    if permission is not None:
        over = f" The tool on its own: {_as_it_is(spec)}." if spec is not None and spec.permission != permission else ""
        return f"{_OWN[permission]}{over}"
    if spec is None:
        return "The same as the tool."
    return f"Same as the tool: {_as_it_is(spec)}."


def _as_it_is(spec: ToolSpec) -> str:
    """`always allowed`, or `a person is asked each time, because of source 'github'`."""
    why = f", because of {spec.permission_by}" if spec.permission_by else ""
    return f"{_DONE[spec.permission]}{why}"


class PermissionField(QWidget):
    """Four segments, and below them who decides.

    Signals: changed: another one was chosen.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec: ToolSpec | None = None
        self.segments = Segments(TEXTS)
        self.segments.setAccessibleName("Permission")
        self.segments.set_current(0)
        self.segments.picked.connect(self._on_picked)
        self.word = PlainLabel(wordWrap=True, role="muted")
        self.word.setStyleSheet(f"font-size: {help_font().pixelSize()}px;")
        self.word.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        filled(QVBoxLayout(self), self.segments, self.word, margins=0, spacing=theme().pixels(SPACE))
        self.setFocusProxy(self.segments.button(0))
        self._tell()

    def permission(self) -> Permission | None:
        return CHOICES[max(self.segments.current(), 0)]

    def set_permission(self, permission: Permission | None) -> None:
        self.segments.set_current(CHOICES.index(permission))
        self._tell()

    def set_tool(self, spec: ToolSpec | None) -> None:
        self._spec = spec
        self._tell()

    def _on_picked(self) -> None:
        self._tell()
        self.changed.emit()

    def _tell(self) -> None:
        self.word.setText(who_decides(self.permission(), self._spec))
        self.word.setAccessibleName(self.word.text())
