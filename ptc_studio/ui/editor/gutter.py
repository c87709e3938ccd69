"""The line numbers beside the text, with the marks of problems and of the lines at which calls stop."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from ptc_studio.ui.language.problems import Severity
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

MARKS: dict[Severity, str] = {"error": "✕", "warning": "▲"}
FEWEST_DIGITS = 3
DOT = 0.55
"""The size of a dot, in heights of a line."""


class Gutter(QWidget):
    """Stands at the left of an editor, which tells it what to draw.

    Signals: line_clicked(line): calls of that line are to stop, or no longer.
    """

    line_clicked = Signal(int)

    def __init__(self, editor: QPlainTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self._problems: dict[int, Severity] = {}
        self._stops: Mapping[int, bool] = {}
        self._pointed: int | None = None
        self._painted: tuple[int, float, int] | None = None
        self.setAccessibleName("Line numbers")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Click to stop at the calls of a line (F9)")
        self.setMouseTracking(True)

    def set_stops(self, stops: Mapping[int, bool]) -> None:
        """The lines at which calls stop, and whether they do so now."""
        self._stops = stops
        self.update()

    def set_problems(self, problems: dict[int, Severity]) -> None:
        """The gravest problem of each line; lines count from 1."""
        self._problems = problems
        self.update()

    def follow(self) -> None:
        """Draws the numbers anew if others are beside the text: most keys change the text alone."""
        if self._location() != self._painted:
            self.update()

    def needed_width(self) -> int:
        """Room for a mark and the longest number."""
        metrics = QFontMetricsF(theme().code_font())
        digits = max(FEWEST_DIGITS, len(str(self._editor.blockCount())))
        return round(metrics.horizontalAdvance("9") * (digits + 1.6)) + theme().pixels(4 * SPACE)

    def _location(self) -> tuple[int, float, int]:
        editor = self._editor
        return editor.firstVisibleBlock().blockNumber(), editor.contentOffset().y(), editor.blockCount()

    def _paint_line(self, painter: QPainter, number: int, baseline: float, digit: float) -> None:
        severity, text = self._problems.get(number), str(number)
        current = number == self._editor.textCursor().blockNumber() + 1
        painter.setPen(theme().colour(severity or ("text" if current else "muted")))
        painter.drawText(QPointF(self.width() - theme().pixels(3 * SPACE) - digit * len(text), baseline), text)
        if number in self._stops or number == self._pointed:
            self._paint_stop(painter, number, baseline)
        elif severity:
            painter.drawText(QPointF(theme().pixels(2 * SPACE), baseline), MARKS[severity])

    def _paint_stop(self, painter: QPainter, number: int, baseline: float) -> None:
        """A dot; a ring where it is switched off, and a pale one where the mouse offers it."""
        enabled = self._stops.get(number)
        radius = painter.fontMetrics().height() * DOT / 2
        centre = QPointF(theme().pixels(2 * SPACE) + radius, baseline - painter.fontMetrics().capHeight() / 2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(0.35 if enabled is None else 1.0)
        painter.setPen(theme().colour("muted" if enabled is False else "error"))
        painter.setBrush(Qt.BrushStyle.NoBrush if enabled is False else theme().colour("error"))
        painter.drawEllipse(centre, radius, radius)
        painter.restore()

    def _line_at(self, event: QMouseEvent) -> int:
        return self._editor.cursorForPosition(QPointF(0, event.position().y()).toPoint()).blockNumber() + 1

    def _point_at(self, line: int | None) -> None:
        if line != self._pointed:
            self._pointed = line
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.needed_width(), 0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.line_clicked.emit(self._line_at(event))
            self._editor.setFocus()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self._line_at(event))

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().colour("panel"))
        painter.setFont(theme().code_font())
        self._painted = self._location()
        digit = painter.fontMetrics().horizontalAdvance("9")
        block = self._editor.firstVisibleBlock()
        offset = self._editor.contentOffset()
        while block.isValid():
            box = self._editor.blockBoundingGeometry(block).translated(offset)
            if box.top() > event.rect().bottom():
                break
            if block.isVisible() and box.bottom() >= event.rect().top():
                line = block.layout().lineAt(0)
                ascent = line.ascent() if line.isValid() else painter.fontMetrics().ascent()
                self._paint_line(painter, block.blockNumber() + 1, round(box.top() + ascent), digit)
            block = block.next()
