"""Everything drawn under the text of an editor: lines, brackets, matches of a search, squiggles."""

from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from ptc_studio.ui.language.brackets import OPENING, PAIRS, Place, matching
from ptc_studio.ui.language.problems import Problem
from ptc_studio.ui.theme import theme

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


MOST_PROBLEMS = 200
MOST_MATCHES = 300
Match = tuple[int, int]
"""Start and length in the document, in Qt's units."""


class Decorations(QObject):
    """Keeps what is to be drawn in one editor and draws it anew after each change."""

    def __init__(self, editor: QPlainTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self.language = "python"
        """What tells which brackets stand in texts and comments."""
        self._marked: int | None = None
        self._problems: list[tuple[Problem, QTextCursor]] = []
        self._matches: Sequence[Match] = ()
        self._drawn_for: tuple[int, Place | None] | None = None
        """The line of the cursor and the bracket beside it, unless something was selected."""
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
        self._editor.setExtraSelections([*self._lines(), *self._found(), *self._squiggles(), *self._brackets()])

    def _on_cursor_moved(self) -> None:
        # Most keys move it within its line and away from brackets, where what is drawn moves along with the text.
        now = self._surroundings()
        if now is None or now[1] is not None or now != self._drawn_for:
            self.draw()

    def _surroundings(self) -> tuple[int, Place | None] | None:
        cursor = self._editor.textCursor()
        return None if cursor.hasSelection() else (cursor.blockNumber(), self._bracket_beside(cursor))

    def _lines(self) -> list[QTextEdit.ExtraSelection]:
        cursor = self._editor.textCursor()
        layers = [] if cursor.hasSelection() else [_whole_line(cursor, theme().colour("raised"))]
        if self._marked is not None:
            block = self._editor.document().findBlockByNumber(self._marked - 1)
            if block.isValid():
                layers.append(_whole_line(QTextCursor(block), theme().colour("selection")))
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


def _whole_line(cursor: QTextCursor, colour: QColor) -> QTextEdit.ExtraSelection:
    cursor.clearSelection()
    format_ = QTextCharFormat()
    format_.setBackground(colour)
    format_.setProperty(QTextFormat.Property.FullWidthSelection, True)
    return _selection(cursor, format_)


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
