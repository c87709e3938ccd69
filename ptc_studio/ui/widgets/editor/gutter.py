"""The line numbers beside the text, with the marks of problems."""

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from ptc_studio.ui.language.problems import Severity
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

MARKS: dict[Severity, str] = {"error": "✕", "warning": "▲"}
FEWEST_DIGITS = 3


class Gutter(QWidget):
    """Stands at the left of an editor, which tells it what to draw."""

    def __init__(self, editor: QPlainTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self._problems: dict[int, Severity] = {}
        self._painted: tuple[int, float, int] | None = None
        self.setAccessibleName("Line numbers")
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def set_problems(self, problems: dict[int, Severity]) -> None:
        """The gravest problem of each line; lines count from 1."""
        self._problems = problems
        self.update()

    def follow(self) -> None:
        """Draws the numbers anew if others are beside the text: most keys change the text alone."""
        if self._place() != self._painted:
            self.update()

    def needed_width(self) -> int:
        """Room for a mark and the longest number."""
        metrics = QFontMetricsF(theme().code_font())
        digits = max(FEWEST_DIGITS, len(str(self._editor.blockCount())))
        return round(metrics.horizontalAdvance("9") * (digits + 1.6)) + 4 * SPACE

    def _place(self) -> tuple[int, float, int]:
        editor = self._editor
        return editor.firstVisibleBlock().blockNumber(), editor.contentOffset().y(), editor.blockCount()

    def _paint_line(self, painter: QPainter, number: int, baseline: float, digit: float) -> None:
        severity, text = self._problems.get(number), str(number)
        current = number == self._editor.textCursor().blockNumber() + 1
        painter.setPen(theme().colour(severity or ("text" if current else "muted")))
        painter.drawText(QPointF(self.width() - 3 * SPACE - digit * len(text), baseline), text)
        if severity:
            painter.drawText(QPointF(2 * SPACE, baseline), MARKS[severity])

    def sizeHint(self) -> QSize:
        return QSize(self.needed_width(), 0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cursor = self._editor.cursorForPosition(QPointF(0, event.position().y()).toPoint())
        cursor.select(cursor.SelectionType.LineUnderCursor)
        self._editor.setTextCursor(cursor)
        self._editor.setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), theme().colour("panel"))
        painter.setFont(theme().code_font())
        self._painted = self._place()
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
