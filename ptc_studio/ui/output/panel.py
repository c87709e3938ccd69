"""The output of the script: a bounded queue, both streams told apart, and how the run ended."""

from collections import deque
from collections.abc import Iterable, Iterator
from time import perf_counter

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QVBoxLayout, QWidget

from ptc_studio.core.trace import RunRecord
from ptc_studio.ui.output.ending import OutputAndValue, Piece, ValuePane, opens, result_pieces
from ptc_studio.ui.output.text import OutputSearch, OutputText
from ptc_studio.ui.output.writer import OutputWriter
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.buttons import ButtonRow, flat_button, flat_toggle
from ptc_studio.ui.widgets.labels import OUTPUT as EMPTY
from ptc_studio.ui.widgets.labels import EmptyOverlay, PlainLabel

MOST_LINES = 200_000
MOST_CHARACTERS = 10_000_000
LONGEST_PIECE = 65_536
"""What is longer is cut when it comes, so that taking from it stays cheap."""


class _Store:
    """Pieces in their order, with their size kept count of."""

    def __init__(self) -> None:
        self.pieces: deque[Piece] = deque()
        self.lines = 0
        self.characters = 0

    def add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self.lines += piece[1].count("\n")
        self.characters += len(piece[1])

    def take(self) -> Piece:
        piece = self.pieces.popleft()
        self.lines -= piece[1].count("\n")
        self.characters -= len(piece[1])
        return piece

    def trim(self) -> int:
        """Forgets the oldest pieces while there is too much; gives the number of lines that went."""
        before = self.lines
        while len(self.pieces) > 1 and (self.lines > MOST_LINES or self.characters > MOST_CHARACTERS):
            self.take()
        return before - self.lines


class OutputQueue:
    """First in, first out; of a flood, only the end is kept. What was taken can be had again, for a new theme."""

    def __init__(self) -> None:
        self.dropped = 0
        """Lines that are kept no longer, whether they were ever shown or not."""
        self._waiting = _Store()
        self._shown = _Store()
        self._ending: Iterator[Piece] | None = None

    def __bool__(self) -> bool:
        return bool(self._waiting.pieces) or self._ending is not None

    def put(self, kind: str, text: str) -> None:
        """Adds to the end."""
        for start in range(0, len(text), LONGEST_PIECE):
            self._waiting.add((kind, text[start : start + LONGEST_PIECE]))
        if self._waiting.lines > MOST_LINES or self._waiting.characters > MOST_CHARACTERS:
            self.dropped += self._waiting.trim()

    def put_ending(self, pieces: Iterable[Piece]) -> None:
        """What comes after all that is waiting; it is made as it is taken."""
        self._ending = iter(pieces)

    def take(self, most: int) -> Piece | None:
        """The next text, of one kind, not much longer than `most`."""
        if not self._waiting.pieces:
            return self._next_of_ending()
        kind, text = self._waiting.take()
        if len(text) > most:
            self._put_back((kind, text[most:]))
            text = text[:most]
        parts, size = [text], len(text)
        while self._waiting.pieces and size < most and self._waiting.pieces[0][0] == kind:
            part = self._waiting.take()[1]
            parts.append(part)
            size += len(part)
        return self._remember((kind, "".join(parts)))

    def rewind(self) -> None:
        """Puts what was taken before what is waiting."""
        for piece in reversed(self._shown.pieces):
            self._put_back(piece)
        self._shown = _Store()

    def _next_of_ending(self) -> Piece | None:
        piece = next(self._ending, None) if self._ending is not None else None
        if piece is None:
            self._ending = None
            return None
        return self._remember(piece)

    def _remember(self, piece: Piece) -> Piece:
        self._shown.add(piece)
        self.dropped += self._shown.trim()
        return piece

    def _put_back(self, piece: Piece) -> None:
        self._waiting.pieces.appendleft(piece)
        self._waiting.lines += piece[1].count("\n")
        self._waiting.characters += len(piece[1])


BATCH_MS = 16
BUDGET_SECONDS = 0.007
BUDGET_LINES = 1000
BUDGET_CHARACTERS = 64_000
"""How much one batch may be; what is left waits for the next. Qt takes its own time for each line afterwards."""
PIECE = 8192
WRAPPED_LINES = 2_000


class OutputPanel(QWidget):
    """The view with its buttons; what arrives is gathered and written once a frame.

    Signals: line_activated(filename, line): a link in a traceback was followed.
    """

    line_activated = Signal(str, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._queue = OutputQueue()
        self.view = OutputText()
        self.view.setObjectName("outputView")
        self.view.setAccessibleName("Output")
        self.view.setMaximumBlockCount(MOST_LINES)
        self.search = OutputSearch(self.view)
        self.search.hide()
        self._writer = OutputWriter(self.view.document())
        self.value = ValuePane()
        self._empty = EmptyOverlay(self.view, EMPTY)
        self._batches = QTimer(self, interval=BATCH_MS)
        self._batches.timeout.connect(self._on_batch_due)
        self._build()
        self.view.line_activated.connect(self.line_activated)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def start_run(self) -> None:
        """Makes way for the output of a new run."""
        self.clear()
        self.view.set_follow(True)

    def append(self, stream: str, text: str) -> None:
        """Adds what was written to `stdout` or `stderr`; cheap, the text shows with the next batch."""
        if text:
            self._queue.put(stream, text)
            self._wake()

    def end_run(self, record: RunRecord) -> None:
        """Adds the status, the value and the error in full below all output."""
        if record.get("error") and self.view.blockCount() < WRAPPED_LINES:
            # What went wrong is to be read whole; to break the lines of a flood would take too long.
            self.wrap_button.setChecked(True)
        self._queue.put_ending(result_pieces(record))
        self._wake()
        value = record.get("value")
        self.value.set_value(value)
        self.value_button.setEnabled(value is not None)
        self.value_button.setChecked(opens(value))

    def flush(self) -> None:
        """Writes all that is waiting, at once."""
        while self._queue:
            self._on_batch_due()

    def clear(self) -> None:
        """Empties the view."""
        self._queue = OutputQueue()
        self._empty_document()
        self.value_button.setChecked(False)
        self.value_button.setEnabled(False)
        if self.value.value is not None:
            self.value.set_value(None)
        self._note.hide()
        self._empty.show()

    def copy(self) -> None:
        """Puts the selection, or everything, on the clipboard."""
        cursor = self.view.textCursor()
        if cursor.hasSelection():
            self.view.copy()
            return
        self.view.selectAll()
        QApplication.clipboard().setMimeData(self.view.createMimeDataFromSelection())
        self.view.setTextCursor(cursor)

    def show_value(self) -> None:
        """Shows all of the value, and puts the keyboard there."""
        self.value_button.setChecked(True)
        self.value.view.tree.setFocus()

    def set_wrap(self, wraps: bool) -> None:
        """Whether long lines are broken at the edge of the view."""
        modes = QPlainTextEdit.LineWrapMode
        self.view.setLineWrapMode(modes.WidgetWidth if wraps else modes.NoWrap)
        self.view.keep_up()

    def _build(self) -> None:
        self._note = PlainLabel(wordWrap=True)
        self._note.setProperty("role", "note")
        self._note.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.search, self._note):
            column.addWidget(part)
        self._parts = OutputAndValue(self.view, self.value)
        column.addWidget(self._parts, 1)
        self.tab_buttons = self._buttons()
        self.view.all_wanted.connect(self.show_value)
        self.value.closed.connect(lambda: self.value_button.setChecked(False))
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.search.open)

    def _buttons(self) -> ButtonRow:
        self.follow_button = flat_toggle("follow", "Follow the end of the output", self.view.set_follow)
        self.follow_button.setChecked(True)
        self.view.follow_changed.connect(self.follow_button.setChecked)
        self.wrap_button = flat_toggle("wrap", "Wrap long lines", self.set_wrap)
        self.value_button = flat_toggle("expand", "Show the value as a tree", self._parts.show_value)
        self.value_button.setEnabled(False)
        find = flat_button("find", "Find in output (Ctrl+F)", self.search.open)
        copy = flat_button("copy", "Copy the selection, or everything", self.copy)
        clear = flat_button("trash", "Clear", self.clear)
        return ButtonRow((find, self.follow_button, self.wrap_button, self.value_button, copy, clear), self)

    def _wake(self) -> None:
        if not self._batches.isActive():
            self._batches.start()

    def _on_batch_due(self) -> None:
        if not self._queue:
            self._batches.stop()
            return
        self._empty.hide()
        self.view.moving(self._write_batch)
        self.view.keep_up()
        self._show_note()

    def _write_batch(self) -> None:
        end = perf_counter() + BUDGET_SECONDS
        lines, characters = BUDGET_LINES, BUDGET_CHARACTERS
        self._writer.begin()
        while perf_counter() < end and lines > 0 and characters > 0:
            piece = self._queue.take(PIECE)
            if piece is None:
                break
            lines -= piece[1].count("\n")
            characters -= len(piece[1])
            self._writer.write(*piece)
        self._writer.end()
        self._trim()

    def _trim(self) -> None:
        """Keeps the size within its bound; the number of lines, the view keeps itself."""
        document = self.view.document()
        excess = document.characterCount() - MOST_CHARACTERS
        if excess > 0:
            cursor = QTextCursor(document)
            cursor.setPosition(excess, QTextCursor.MoveMode.KeepAnchor)
            cursor.movePosition(QTextCursor.MoveOperation.NextBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()

    def _show_note(self) -> None:
        if self._queue.dropped:
            limit = f"{MOST_LINES:,} lines or {MOST_CHARACTERS // 1_000_000} MB"
            lost = f"About {self._queue.dropped:,} lines at the beginning are no longer shown"
            self._note.setText(f"▲ {lost}: the view keeps {limit}.")
            self._note.show()

    def _empty_document(self) -> None:
        self.view.moving(self.view.clear)
        self._writer.reset()

    def _on_theme_changed(self) -> None:
        """Formats hold colours: what is shown is written anew."""
        self.view.setFont(theme().code_font())
        self.view.document().setDefaultFont(theme().code_font())
        self._queue.rewind()
        if self._queue:
            self._empty_document()
            self._wake()
