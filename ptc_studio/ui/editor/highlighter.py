"""Colours code as it is typed: what is seen at once, the rest in the pauses.

A block's state is a number that stands for a pair: the stack of the lexer at its start and at its end. A block
is settled when its start is the end of the block before; so a later look can tell what is left to do.
"""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from math import ceil, floor
from time import perf_counter

from PySide6.QtCore import QObject, QSizeF, QTimer
from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextBlock, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit

from ptc_studio.ui.editor.gutter import Decorations, LineTops, to_units
from ptc_studio.ui.language.line_lexer import ROOT, LineLexer, Stack
from ptc_studio.ui.language.names import PLAIN
from ptc_studio.ui.language.tool_mentions import tool_spans
from ptc_studio.ui.theme import theme

EDIT_SECONDS = 0.001
"""How long the lines after an edited one may take before they have to wait for a pause."""
SLICE_SECONDS = 0.002
VISIBLE_SECONDS = 0.03
QUIET_SECONDS = 0.1
"""How long nothing was typed before lines out of sight are coloured: the next key must not wait for them."""
WIDEST_VIEW = 400
NO_LIMIT = 2**31


class Highlighter(QSyntaxHighlighter):
    """Colours one document."""

    def __init__(self, document: QTextDocument, language: str = PLAIN, parent: QObject | None = None) -> None:
        super().__init__(parent or document)
        self.on_coloured: Callable[[int], None] | None = None
        """Told the number of each line that was coloured."""
        self._language = language
        self._lexer = LineLexer(language)
        self._tools: AbstractSet[str] = frozenset()
        self._formats: dict[str, QTextCharFormat] = {}
        self._numbers: dict[tuple[Stack, Stack], int] = {}
        self._pairs: dict[int, tuple[Stack, Stack]] = {}
        self._next_number = 0
        self._front = 0
        """The blocks before this one are settled."""
        self._blocks = document.blockCount()
        self._edited_at = 0.0
        self.deadline, self._last_allowed = 0.0, NO_LIMIT
        self._edited_until, self._asked_for = -1, -1
        """Where the text of the last edit ends, while its blocks are being coloured."""
        self._first_visible, self._last_visible = 0, 60
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._on_pause)
        # Connected before the base class connects itself: the allowance has to be set when it begins to colour.
        document.contentsChange.connect(self._on_contents_change)
        self.setDocument(document)
        theme().changed.connect(self._on_theme_changed)
        self._make_formats()

    @property
    def is_settled(self) -> bool:
        """Whether every line has its colours."""
        return self._front >= self.document().blockCount()

    def set_language(self, language: str) -> None:
        if language != self._language:
            self._language, self._lexer = language, LineLexer(language)
            self._start_anew()

    def set_tool_names(self, names: AbstractSet[str]) -> None:
        """The names to draw as tools where they are called."""
        if names != self._tools:
            self._tools = frozenset(names)
            self._start_anew()

    def show_lines(self, first: int, last: int) -> None:
        """Colours the blocks that are seen now, if they are not yet; they count from 0."""
        self._first_visible, self._last_visible = first, min(last, first + WIDEST_VIEW)
        self._settle_visible()

    def _start_anew(self) -> None:
        """Every block is to be coloured again; what is drawn stays until its turn comes."""
        self._numbers.clear()
        self._pairs.clear()
        self._front = 0
        self._settle_visible()

    def _settle_visible(self) -> None:
        self._walk(self._first_visible, self._last_visible, perf_counter() + VISIBLE_SECONDS)
        self._pause.start(0)

    def _walk(self, first: int, last: int, until: float) -> int:
        """Settles the blocks from the first to the last as long as there is time; tells how far it came."""
        block = self.document().findBlockByNumber(first)
        while block.isValid() and first <= last and perf_counter() < until:
            if not self._is_settled(block):
                self.deadline, self._last_allowed, self._edited_until = until, last, -1
                self._asked_for = block.position()
                self._colour_block(block, seen=self._first_visible <= first <= self._last_visible)
            first += 1
            block = block.next()
        return first

    def _colour_block(self, block: QTextBlock, *, seen: bool) -> None:
        """Colours change no size: for a line that nobody sees, the view is not told, or it would paint all anew."""
        layout = self.document().documentLayout()
        before = layout.blockSignals(not seen)
        self.rehighlightBlock(block)
        layout.blockSignals(before)

    def _is_settled(self, block: QTextBlock) -> bool:
        pair = self._pairs.get(block.userState())
        return pair is not None and pair[0] == self._end_of(block.previous())

    def _end_of(self, block: QTextBlock) -> Stack:
        pair = self._pairs.get(block.userState()) if block.isValid() else None
        return pair[1] if pair else ROOT

    def _on_pause(self) -> None:
        """Settles as many blocks as one pause allows, those in view first, then waits for the next."""
        now = perf_counter()
        until = now + SLICE_SECONDS
        self._walk(self._first_visible, self._last_visible, until)
        if now - self._edited_at < QUIET_SECONDS:
            self._pause.start(round(1000 * QUIET_SECONDS))
            return
        self._front = self._walk(self._front, NO_LIMIT, until)
        if not self.is_settled:
            self._pause.start(0)

    def _on_contents_change(self, position: int, removed: int, added: int) -> None:
        del removed
        self._edited_until, self._asked_for = position + added, -1
        self._edited_at = perf_counter()
        self.deadline, self._last_allowed = self._edited_at + EDIT_SECONDS, NO_LIMIT
        # Whoever takes its document away does so before it is gone.
        document: QTextDocument | None = self.document()
        if document is None:
            return
        blocks = document.blockCount()
        line = self.document().findBlock(position).blockNumber()
        if self._front > line:
            self._front = max(line, self._front + blocks - self._blocks)
        self._blocks = blocks

    def _on_theme_changed(self) -> None:
        old = {kind: format_.foreground().color() for kind, format_ in self._formats.items()}
        self._make_formats()
        if old != {kind: format_.foreground().color() for kind, format_ in self._formats.items()}:
            self._start_anew()

    def _make_formats(self) -> None:
        for kind in ("comment", "keyword", "string", "number", "tool"):
            self._formats[kind] = QTextCharFormat()
            self._formats[kind].setForeground(QColor(theme().colour(kind)))

    def _postpone(self) -> None:
        if self._front:
            self._front = min(self._front, self.currentBlock().blockNumber())
        if not self._pause.isActive():
            self._pause.start(0)

    def _number(self, pair: tuple[Stack, Stack]) -> int:
        number = self._numbers.get(pair)
        if number is None:
            # Never used twice, so that a number from before a change of language says nothing.
            number = self._numbers[pair] = self._next_number
            self._pairs[number] = pair
            self._next_number += 1
        return number

    def _colour(self, text: str, start: Stack) -> Stack:
        pieces, end = self._lexer.lex(text, start)
        plain = text.isascii()
        for at, length, kind in pieces:
            format_ = self._formats.get(kind)
            if format_ is not None:
                first, last = (at, at + length) if plain else (to_units(text, at), to_units(text, at + length))
                self.setFormat(first, last - first, format_)
        for at, length in tool_spans(text, pieces, self._tools, self._language):
            self.setFormat(to_units(text, at), length, self._formats["tool"])
        return end

    def is_late(self) -> bool:
        """Whether the current block has to wait; never the one that was asked for, or it would be passed over."""
        over = perf_counter() > self.deadline
        if not over and self._last_allowed == NO_LIMIT:
            return False
        block = self.currentBlock()
        return block.position() != self._asked_for and (over or block.blockNumber() > self._last_allowed)

    def highlightBlock(self, text: str) -> None:
        late = self.is_late()
        if late and self.currentBlockState() not in self._pairs:
            self._postpone()
            return
        # The state of a block whose own text was edited says nothing any more: it is never kept, however late it is.
        late = late and self.currentBlock().position() > self._edited_until
        before = self._pairs.get(self.previousBlockState())
        start = before[1] if before else ROOT
        end = self._colour(text, start)
        if self.on_coloured is not None:
            self.on_coloured(self.currentBlock().blockNumber())
        if late:
            # Its colours are right already, but its old state stays: that stops Qt from going on to the next block.
            self._postpone()
        else:
            self.setCurrentBlockState(self._number((start, end)))


class LineRepainting(QObject):
    """Has a key paint its line alone, unless lines wrap. Made before the highlighter, to hear of an edit first."""

    def __init__(self, editor: QPlainTextEdit, decorations: Decorations, tops: LineTops) -> None:
        super().__init__(editor)
        self._editor = editor
        self._decorations, self._tops = decorations, tops
        self._blocks = editor.blockCount()
        self._touched: tuple[int, int] | None = None
        """The first and last line of the edit that goes on, if it is one within a line."""
        self._size = QSizeF()
        document = editor.document()
        document.contentsChange.connect(self._on_contents_change)
        document.contentsChanged.connect(self._on_contents_changed)

    def on_coloured(self, line: int) -> None:
        """The line, from 0, has been coloured, perhaps differently."""
        if self._touched is not None:
            first, last = self._touched
            self._touched = min(first, line), max(last, line)

    def _on_contents_change(self, position: int, _removed: int, added: int) -> None:
        document, blocks = self._editor.document(), self._editor.blockCount()
        block, before = document.findBlock(position), self._blocks
        self._blocks = blocks
        within = blocks == before and position + added < block.position() + block.length()
        if self._touched is not None or not within:
            self._tops.forget()
        elif self._editor.lineWrapMode() == QPlainTextEdit.LineWrapMode.NoWrap:
            self._touched = block.blockNumber(), block.blockNumber()
            self._size = document.documentLayout().documentSize()
            document.documentLayout().blockSignals(True)

    def _on_contents_changed(self) -> None:
        if self._touched is None:
            return
        (first, last), self._touched = self._touched, None
        layout = self._editor.document().documentLayout()
        layout.blockSignals(False)
        size = layout.documentSize()
        if size != self._size:
            # The widest line is another one: the scroll bars have to know.
            layout.documentSizeChanged.emit(size)
            self._editor.viewport().update()
        else:
            self._paint(first, last)

    def _paint(self, first: int, last: int) -> None:
        editor = self._editor
        document, area = editor.document(), editor.viewport().rect()
        block = document.findBlockByNumber(first)
        top = bottom = self._tops.top_of(block)
        for _ in range(first, last + 1):
            bottom, block = bottom + editor.blockBoundingRect(block).height(), block.next()
        area.setTop(floor(top))
        # The last row of these lines, not the first of the next, which would be painted as well.
        area.setBottom(ceil(bottom) - 1)
        if first == last:
            self._decorations.expect(first, area)
        editor.viewport().update(area)
