"""A field for a few words: each becomes a chip that can be taken away again."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import FIELD, RADIUS, SPACE
from ptc_studio.ui.widgets.discarding import discard
from ptc_studio.ui.widgets.flow_layout import FlowLayout

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
        around = theme().pixels(SPACE)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * around, around, around, around)
        inside = QWidget()
        self._flow = FlowLayout(inside, spacing=theme().pixels(SPACE + 2))
        self._flow.addWidget(self.line)
        column.addWidget(inside)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusProxy(self.line)
        theme().changed.connect(self._dress)
        self._dress()

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
        chip.setToolTip("Click to take it away")
        chip.setAccessibleName(f"{word}: take it away")
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

    def _dress(self) -> None:
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
            self._dress()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in _REMOVERS:
            chip = next((each for each in self.chips if each is watched), None)
            if chip is not None:
                self._drop(chip)
                return True
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.line.setFocus()
        super().mousePressEvent(event)
