"""The output of the script: live, both streams told apart, and how the run ended."""

from time import perf_counter

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from ptc_studio.core.trace import RunRecord
from ptc_studio.ui.output.queue import MOST_CHARACTERS, MOST_LINES, OutputQueue, result_pieces
from ptc_studio.ui.output.search import OutputSearch
from ptc_studio.ui.output.text import OutputText
from ptc_studio.ui.output.writer import OutputWriter
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.buttons import ButtonColumn, flat_button, flat_toggle
from ptc_studio.ui.widgets.empty import OUTPUT as EMPTY
from ptc_studio.ui.widgets.empty import EmptyOverlay
from ptc_studio.ui.widgets.labels import PlainLabel

BATCH_MS = 16
BUDGET_SECONDS = 0.007
BUDGET_LINES = 1000
BUDGET_CHARACTERS = 64_000
"""How much one batch may be; what is left waits for the next. Qt takes its own time for each line afterwards."""
PIECE = 8192


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
        self._queue.put_ending(result_pieces(record))
        self._wake()

    def flush(self) -> None:
        """Writes all that is waiting, at once."""
        while self._queue:
            self._on_batch_due()

    def clear(self) -> None:
        """Empties the view."""
        self._queue = OutputQueue()
        self._empty_document()
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
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.view, 1)
        body.addWidget(self._buttons())
        column.addLayout(body, 1)
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.search.open)

    def _buttons(self) -> ButtonColumn:
        self.follow_button = flat_toggle("follow", "Follow the end of the output", self.view.set_follow)
        self.follow_button.setChecked(True)
        self.view.follow_changed.connect(self.follow_button.setChecked)
        self.wrap_button = flat_toggle("wrap", "Wrap long lines", self.set_wrap)
        find = flat_button("find", "Find in output (Ctrl+F)", self.search.open)
        copy = flat_button("copy", "Copy the selection, or everything", self.copy)
        clear = flat_button("trash", "Clear", self.clear)
        return ButtonColumn((find, self.follow_button, self.wrap_button, copy, clear))

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
