"""Text of any length to read: the beginning of what is too long, with all of it to copy."""

from collections.abc import Callable, Iterable, Iterator
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from ptc_studio.core.trace import CallErrorRecord
from ptc_studio.ui.chunked_task import ChunkedTask
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import EmptyState, PlainLabel

Pieces = Callable[[], Iterable[str]]
"""Makes the text anew, in pieces."""
PIECE = 16_384


LEAST = 40


class LongText(QWidget):
    """Shows up to a number of characters, filled bit by bit, and copies all."""

    def __init__(self, cap: int = 1_000_000, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cap = cap
        self._pieces: Pieces = tuple
        self.view = QPlainTextEdit()
        self.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.view.setReadOnly(True)
        self.view.setMinimumHeight(LEAST)
        self.view.setUndoRedoEnabled(False)
        self.note = PlainLabel()
        self.note.setWordWrap(True)
        self.note.setProperty("role", "muted")
        self.copy = QPushButton("Copy all")
        self.copy.clicked.connect(self.copy_all)
        self.filling = ChunkedTask(self)
        self.copying = ChunkedTask(self)
        self._lay_out()
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_text(self, text: str) -> None:
        """Shows a text that is there already."""
        self.set_pieces(lambda: (text[at : at + PIECE] for at in range(0, len(text), PIECE)))

    def set_pieces(self, pieces: Pieces) -> None:
        """Shows a text that is made bit by bit."""
        self._pieces = pieces
        self.view.clear()
        self.note.clear()
        self.note.hide()
        self.filling.start(self._fill())

    def copy_all(self) -> None:
        """Puts all of it, not only what is shown, on the clipboard."""
        self.copy.setEnabled(False)
        self.copying.start(self._copy())

    def _lay_out(self) -> None:
        self.foot = foot = QHBoxLayout()
        foot.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, 2 * SPACE)
        foot.addWidget(self.note, 1)
        foot.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignRight)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view, 1)
        column.addLayout(foot)

    def _restyle(self) -> None:
        font = theme().code_font()
        self.view.setFont(font)
        # A style sheet with a font size beats a font that was set.
        self.view.setStyleSheet(f"font-family: '{font.family()}'; font-size: {font.pixelSize()}px;")

    def _fill(self) -> Iterator[None]:
        shown = 0
        for piece in _collected(self._pieces()):
            self._append(piece[: self._cap - shown])
            shown += len(piece)
            if shown > self._cap:
                self.note.setText(f"The first {self._cap:,} characters; “Copy all” copies everything.")
                self.note.show()
                return
            yield

    def _append(self, text: str) -> None:
        cursor = QTextCursor(self.view.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)

    def _copy(self) -> Iterator[None]:
        texts: list[str] = []
        for piece in self._pieces():
            texts.append(piece)
            yield
        QGuiApplication.clipboard().setText("".join(texts))
        self.copy.setEnabled(True)


def _collected(pieces: Iterable[str]) -> Iterator[str]:
    """The same text in larger pieces."""
    waiting: list[str] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= PIECE:
            yield "".join(waiting)
            waiting, size = [], 0
    yield "".join(waiting)


class ErrorView(QWidget):
    """Shows the `error` of a record."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = PlainLabel()
        self.kind.setTextFormat(Qt.TextFormat.RichText)
        self.kind.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text = LongText(100_000)
        self.text.view.setLineWrapMode(self.text.view.LineWrapMode.WidgetWidth)
        self._empty = EmptyState("No error")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._page())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def set_error(self, error: CallErrorRecord | None, running: bool) -> None:
        self._stack.setCurrentIndex(1 if error else 0)
        self._empty.setText("No error so far: the call has not ended" if running else "No error: the call succeeded")
        if error:
            colour = theme().colours.error
            self.kind.setText(f"<span style='color: {colour}; font-weight: 600'>✕ {escape(error['type'])}</span>")
            traceback = error.get("traceback")
            self.text.set_text(f"{error['message']}\n\n{traceback}" if traceback else error["message"])

    def _page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(2 * SPACE, SPACE, 0, 0)
        column.addWidget(self.kind)
        column.addWidget(self.text, 1)
        return page
