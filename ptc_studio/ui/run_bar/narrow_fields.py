"""Fields of the run bar that say less where there is little room: the time limit, and how much was hidden."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QSpinBox, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip, release_fixed_text, set_fixed_text

LONGEST, USUAL = 3600, 30
WORD = "Limit  "


class LimitField(QSpinBox):
    """A number of seconds; the word before it can be left out where there is little room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, minimum=1, maximum=LONGEST, value=USUAL, prefix=WORD, suffix=" s")
        self.setObjectName("timeLimit")
        self.setAccessibleName("Time limit in seconds")
        self.setToolTip("Limit: a run that takes longer is stopped.")
        self.setProperty("plain", True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.valueChanged.connect(lambda: self.setFixedWidth(self._width(self.prefix())))
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        # After the click that gave it the keyboard has put the cursor somewhere.
        QTimer.singleShot(0, self, self.selectAll)

    def show_words(self, shown: bool) -> None:
        """Whether it says what the number is."""
        if shown != bool(self.prefix()):
            self.setPrefix(WORD if shown else "")
            self.setFixedWidth(self._width(self.prefix()))

    @property
    def words_width(self) -> int:
        """How much is won when the word is left out."""
        return self._width(WORD) - self._width("")

    @property
    def whole_width(self) -> int:
        """With the word."""
        return self._width(WORD)

    @property
    def number_width(self) -> int:
        """Without the word."""
        return self._width("")

    def _width(self, prefix: str) -> int:
        # Where there is room, it does not move while one types; where there is little, it takes no more than it needs.
        number = LONGEST if prefix else max(self.value(), 100)
        words = f"{prefix}{number}{self.suffix()}"
        return self.fontMetrics().horizontalAdvance(words) + theme().pixels(6 * SPACE)

    def _on_theme_changed(self) -> None:
        self.setFont(theme().text_font())
        self.setFixedWidth(self._width(self.prefix()))


class RedactedCount(PlainLabel):
    """A chip that is there as soon as something was hidden; where there is little room the word can be left out,
    and where there is none the number.

    Signals: clicked: what was hidden is to be listed.
    """

    clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._count, self._shows_words, self._left_out = 0, True, False
        self.setProperty("role", "redacted")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    @property
    def words(self) -> str:
        return f"{self._count:,} redacted"

    def set_count(self, count: int) -> None:
        if count != self._count:
            self._count = count
            self.setToolTip(plain_tip(f"{self.words}: values hidden in what is shown and kept; a click lists them"))
            self.setAccessibleName(self.words)
            self._draw()

    def show_words(self, shown: bool) -> None:
        """Whether more than the number is seen."""
        if shown != self._shows_words:
            self._shows_words = shown
            self._draw()

    def set_left_out(self, left_out: bool) -> None:
        """Whether there is no room even for the number."""
        if left_out != self._left_out:
            self._left_out = left_out
            self.setVisible(self._count > 0 and not left_out)

    @property
    def number_width(self) -> int:
        """How much is won when it is left out, after the word; nothing if nothing was hidden."""
        return self.whole_width - self.words_width

    @property
    def words_width(self) -> int:
        """How much is won when the word is left out."""
        return self._advance(self.words) - self._advance(f"{self._count:,}") if self._count else 0

    @property
    def whole_width(self) -> int:
        """With the word; nothing if nothing was hidden."""
        return self.sizeHint().width() - self._advance(self.text()) + self._advance(self.words) if self._count else 0

    def _draw(self) -> None:
        release_fixed_text(self)
        set_fixed_text(self, self.words if self._shows_words else f"{self._count:,}")
        self.setVisible(self._count > 0 and not self._left_out)

    def _advance(self, text: str) -> int:
        self.ensurePolished()
        return self.fontMetrics().horizontalAdvance(text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()
