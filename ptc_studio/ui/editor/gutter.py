"""What is drawn beside and under the text of an editor: numbers, problems, stops, brackets, matches, squiggles."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from math import ceil, floor

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from ptc_studio.ui.language.brackets import OPENING, PAIRS, Place, matching
from ptc_studio.ui.language.problems import Problem, Severity
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE

_WIDEST_UNIT = "\uffff"


def to_units(text: str, column: int) -> int:
    """Characters to units."""
    if text.isascii() or max(text, default="") <= _WIDEST_UNIT:
        return column
    return column + sum(letter > _WIDEST_UNIT for letter in text[:column])


def to_characters(text: str, units: int) -> int:
    """Units to characters."""
    if text.isascii() or max(text, default="") <= _WIDEST_UNIT:
        return units
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))


CURSOR_GROUND = "raised"
MOST_PROBLEMS = 200
MOST_MATCHES = 300
Match = tuple[int, int]
"""Start and length in the document, in Qt's units."""


class LineTops(QObject):
    """Where a line of the text is seen.

    Qt counts the lines from the top of the view for each that it is asked for, which takes as long as to write a
    letter; so the last answer is kept until something other than that line has changed.
    """

    def __init__(self, editor: QPlainTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self._known: tuple[int, int, float, int] | None = None
        """The line, the first one in view, how far that is scrolled out of it, and how many lines there are."""
        self._top = 0.0
        theme().changed.connect(self.forget)

    def top_of(self, block: QTextBlock) -> float:
        """From the top of the view."""
        editor = self._editor
        offset = editor.contentOffset()
        known = block.blockNumber(), editor.firstVisibleBlock().blockNumber(), offset.y(), editor.blockCount()
        if known != self._known:
            self._top = editor.blockBoundingGeometry(block).translated(offset).top()
            # Where lines wrap, a wider view moves them all.
            unwrapped = editor.lineWrapMode() == QPlainTextEdit.LineWrapMode.NoWrap
            self._known = known if unwrapped else None
        return self._top

    def forget(self) -> None:
        """More than one line has changed, or all have another height."""
        self._known = None


class Decorations(QObject):
    """Keeps what is to be drawn in one editor and draws it anew after each change."""

    def __init__(self, editor: QPlainTextEdit, tops: LineTops) -> None:
        super().__init__(editor)
        self._editor = editor
        self._tops = tops
        self.language = "python"
        """What tells which brackets stand in texts and comments."""
        self._marked: int | None = None
        self._problems: list[tuple[Problem, QTextCursor]] = []
        self._matches: Sequence[Match] = ()
        self._grounds: list[tuple[QTextCursor, str]] = []
        """Where whole lines have a ground of their own, and the name of its colour; the later lie above."""
        self._drawn_for: tuple[int, Place | None] | None = None
        """The line of the cursor and the bracket beside it, unless something was selected."""
        self.row: QRect | None = None
        """The row of the cursor, if nothing but that is to be painted next, and no other line has a ground."""
        editor.cursorPositionChanged.connect(self._on_cursor_moved)
        theme().changed.connect(self.draw)

    @property
    def marked(self) -> int | None:
        return self._marked

    @property
    def has_matches(self) -> bool:
        return bool(self._matches)

    def mark_line(self, line: int | None) -> None:
        self._marked = line
        self.draw()

    def set_problems(self, problems: Sequence[Problem]) -> None:
        """Squiggles; they move with the text until they are set again."""
        lines = self._editor.blockCount()
        placed = [each for each in problems if 1 <= each.line <= lines][:MOST_PROBLEMS]
        self._problems = [(each, self._cursor_of(each)) for each in placed]
        self.draw()

    def set_matches(self, matches: Sequence[Match]) -> None:
        """What a search has found, in order; only what is near the view is drawn."""
        self._matches = matches
        self.draw()

    def problem_at(self, position: int, *, mendable: bool = False) -> Problem | None:
        """The problem whose squiggle covers that place of the document; `mendable`: one that a grant mends."""
        covering = (
            problem
            for problem, cursor in self._problems
            if cursor.selectionStart() <= position <= max(cursor.selectionEnd(), cursor.selectionStart() + 1)
            and (problem.ungranted or not mendable)
        )
        return next(covering, None)

    def draw(self) -> None:
        """Hands Qt everything, the lowest layer first."""
        self._drawn_for = self._surroundings()
        self._update_grounds()
        self._grounds = self._lines()
        self._update_grounds()
        self.row = None
        self._editor.setExtraSelections([*self._found(), *self._squiggles(), *self._brackets()])

    def paint_grounds(self, painter: QPainter, area: QRect) -> None:
        """All that lies under the text.

        As selections of Qt's the grounds of lines would have the text painted three times over, each time with
        another shape to keep to, at every key.
        """
        if area == self.row:
            painter.fillRect(area, theme().colour(CURSOR_GROUND))
            return
        painter.fillRect(area, self._editor.palette().base())
        for cursor, colour in self._grounds:
            row = self._row(cursor)
            if row.intersects(area):
                painter.fillRect(row.intersected(area), theme().colour(colour))

    def expect(self, line: int, row: QRect) -> None:
        """The line, from 0, was edited and is painted next, as nearly always at a key: its ground is found at once."""
        alone = len(self._grounds) == 1 and self._drawn_for is not None and self._drawn_for[0] == line
        self.row = row if alone else None

    def _update_grounds(self) -> None:
        for cursor, _colour in self._grounds:
            self._editor.viewport().update(self._row(cursor))

    def _row(self, cursor: QTextCursor) -> QRect:
        """The row of the view in which it stands, over the whole width."""
        block = cursor.block()
        top, line = self._tops.top_of(block), block.layout().lineForTextPosition(cursor.positionInBlock())
        if line.isValid():
            top, height = top + line.y(), line.height()
        else:
            height = self._editor.blockBoundingRect(block).height()
        return QRect(0, floor(top), self._editor.viewport().width(), ceil(height))

    def _on_cursor_moved(self) -> None:
        # Most keys move it within its line and away from brackets, where what is drawn moves along with the text.
        now = self._surroundings()
        if now is None or now[1] is not None or now != self._drawn_for or self._grounds[0][0].blockNumber() != now[0]:
            self.draw()

    def _surroundings(self) -> tuple[int, Place | None] | None:
        cursor = self._editor.textCursor()
        return None if cursor.hasSelection() else (cursor.blockNumber(), self._bracket_beside(cursor))

    def _lines(self) -> list[tuple[QTextCursor, str]]:
        cursor = self._editor.textCursor()
        layers = [] if cursor.hasSelection() else [(cursor, CURSOR_GROUND)]
        if self._marked is not None:
            block = self._editor.document().findBlockByNumber(self._marked - 1)
            if block.isValid():
                layers.append((QTextCursor(block), "selection"))
        return layers

    def _found(self) -> list[QTextEdit.ExtraSelection]:
        if not self._matches:
            return []
        first = bisect_left(self._matches, (self._editor.firstVisibleBlock().position(), 0))
        ground = theme().colour("warning")
        ground.setAlpha(70)
        shown = self._matches[max(0, first - 1) : first + MOST_MATCHES]
        return [_filled(self._range(start, start + length), ground) for start, length in shown]

    def _squiggles(self) -> list[QTextEdit.ExtraSelection]:
        return [_underlined(cursor, theme().colour(problem.severity)) for problem, cursor in self._problems]

    def _brackets(self) -> list[QTextEdit.ExtraSelection]:
        cursor = self._editor.textCursor()
        location = None if cursor.hasSelection() else self._bracket_beside(cursor)
        other = matching(self._line, location, self.language) if location else None
        if location is None or other is None:
            return []
        ground = theme().colour("accent")
        ground.setAlpha(80)
        return [_filled(self._letter(each), ground) for each in (location, other)]

    def _bracket_beside(self, cursor: QTextCursor) -> Place | None:
        text, column = cursor.block().text(), cursor.positionInBlock()
        for each in (column - 1, column):
            if 0 <= each < len(text) and (text[each] in PAIRS or text[each] in OPENING):
                return cursor.blockNumber(), each
        return None

    def _line(self, number: int) -> str | None:
        block = self._editor.document().findBlockByNumber(number)
        return block.text() if block.isValid() else None

    def _letter(self, location: Place) -> QTextCursor:
        start = self._editor.document().findBlockByNumber(location[0]).position() + location[1]
        return self._range(start, start + 1)

    def _range(self, start: int, end: int) -> QTextCursor:
        last = self._editor.document().characterCount() - 1
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(min(start, last))
        cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _cursor_of(self, problem: Problem) -> QTextCursor:
        block = self._editor.document().findBlockByNumber(problem.line - 1)
        text, length = block.text(), block.length() - 1
        end = min(to_units(text, problem.end_column - 1), length)
        start = min(to_units(text, problem.column - 1), max(end - 1, 0))
        return self._range(block.position() + start, block.position() + end)


def _filled(cursor: QTextCursor, colour: QColor) -> QTextEdit.ExtraSelection:
    format_ = QTextCharFormat()
    format_.setBackground(colour)
    return _selection(cursor, format_)


def _underlined(cursor: QTextCursor, colour: QColor) -> QTextEdit.ExtraSelection:
    format_ = QTextCharFormat()
    format_.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
    format_.setUnderlineColor(colour)
    return _selection(cursor, format_)


def _selection(cursor: QTextCursor, format_: QTextCharFormat) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    selection.cursor, selection.format = cursor, format_  # pyright: ignore[reportAttributeAccessIssue]
    return selection


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
        metrics = QFontMetricsF(self._editor.font())
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
        painter.setFont(self._editor.font())
        self._painted = self._location()
        digit = painter.fontMetrics().horizontalAdvance("9")
        block = self._editor.firstVisibleBlock()
        first, last = event.rect().top(), event.rect().bottom()
        # Once: Qt counts the lines from the top of the view for each that it is asked for.
        top = self._editor.blockBoundingGeometry(block).translated(self._editor.contentOffset()).top()
        while block.isValid() and top <= last:
            bottom = top + self._editor.blockBoundingRect(block).height()
            if block.isVisible() and bottom >= first:
                line = block.layout().lineAt(0)
                ascent = line.ascent() if line.isValid() else painter.fontMetrics().ascent()
                self._paint_line(painter, block.blockNumber() + 1, round(top + ascent), digit)
            top, block = bottom, block.next()
