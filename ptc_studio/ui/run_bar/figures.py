"""The small parts of the run bar: figures of the run, its depth, its limit, how much was hidden."""

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QFont, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel, plain_tip, release_fixed_text, set_fixed_text

MOST_BARS = 10
BAR, GAP, HEIGHT = 6, 3, 12


class DepthGauge(QWidget):
    """A small bar for each level, lit up to the depth; the last one that is allowed warns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._depth, self._most = 0, 5
        self.setAccessibleName("Depth of calls")
        theme().changed.connect(self.updateGeometry)

    def set_depth(self, depth: int, most: int) -> None:
        if (depth, most) != (self._depth, self._most):
            self._depth, self._most = depth, most
            self.setToolTip(plain_tip(f"The deepest call was at level {depth}; at most {most} are allowed."))
            self.updateGeometry()
            self.update()

    @property
    def _bars(self) -> int:
        return max(1, min(self._most, MOST_BARS))

    def sizeHint(self) -> QSize:
        width = self._bars * (BAR + GAP) - GAP
        return QSize(theme().pixels(width), theme().pixels(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        lit = round(self._depth * self._bars / max(1, self._most)) if self._most > MOST_BARS else self._depth
        on = theme().colour("warning" if self._depth >= self._most else "accent")
        step, width, height = theme().pixels(BAR + GAP), theme().pixels(BAR), theme().pixels(HEIGHT)
        for bar in range(self._bars):
            painter.setBrush(on if bar < lit else theme().colour("line"))
            painter.drawRoundedRect(QRectF(bar * step, (self.height() - height) / 2, width, height), 2, 2)


FIGURE_SPACING = 6


class Figure(QWidget):
    """One of the run bar's figures; the caption, and what stands between it and the number, can be left out."""

    def __init__(self, caption: str) -> None:
        super().__init__()
        self.caption = PlainLabel(caption)
        self.caption.setProperty("role", "muted")
        self.value = PlainLabel()
        self.value.setProperty("role", "figure")
        self.value.setAccessibleName(caption)
        self.between: QWidget | None = None
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(FIGURE_SPACING)
        self._row.addWidget(self.caption)
        self._row.addWidget(self.value)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def put_between(self, widget: QWidget) -> None:
        """Puts something between caption and number."""
        self.between = widget
        self._row.insertWidget(1, widget)

    @property
    def words(self) -> str:
        return f"{self.caption.text()} {self.value.text()}"

    @property
    def parts(self) -> tuple[QWidget, ...]:
        return tuple(part for part in (self.caption, self.between, self.value) if part is not None)

    def width_of(self, part: QWidget | None) -> int:
        """How much is won when the part is left out."""
        # A number that has become shorter may still have the room that it had before.
        return max(part.sizeHint().width(), part.minimumWidth()) + FIGURE_SPACING if part is not None else 0

    @property
    def whole_width(self) -> int:
        """With everything that can be left out."""
        return sum(map(self.width_of, self.parts)) - FIGURE_SPACING

    @property
    def shown_width(self) -> int:
        """As it stands there, if it stands there."""
        return sum(self.width_of(part) for part in self.parts if not part.isHidden()) - FIGURE_SPACING

    def show_value(self, text: str, caption: str = "") -> None:
        set_fixed_text(self.value, text)
        if caption and caption != self.caption.text():
            self.caption.setText(caption)
            self.value.setAccessibleName(caption)

    def _on_theme_changed(self) -> None:
        font = theme().text_font(bold=True)
        font.setFeature(QFont.Tag("tnum"), 1)
        release_fixed_text(self.value)
        self.value.setFont(font)


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
