"""The text of the output, with marks beside what went to stderr and links to files, and the bar that searches it."""

from bisect import bisect_left
from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QMimeData, QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QTextEdit, QWidget

from ptc_studio.ui.output.writer import CONTINUED, KIND, LINK
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.buttons import SearchBar, flat_button

MARK_WIDTH = 3
_MARK_COLOURS = {
    "stderr": "error",
    "error": "error",
    "failed": "error",
    "ok": "ok",
    "value": "accent",
    "more": "accent",
}


class OutputText(QPlainTextEdit):
    """Shows; what is in it is written by an `OutputWriter`.

    Signals: line_activated(filename, line): a link was followed. follow_changed(follows): the user scrolled away
    from the end, or back to it. all_wanted: what was cut is to be seen whole.
    """

    line_activated = Signal(str, int)
    follow_changed = Signal(bool)
    all_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._follows = True
        self._moving = False
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(10)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def follows(self) -> bool:
        return self._follows

    def set_follow(self, follows: bool) -> None:
        """Whether the end stays in sight as output arrives."""
        if follows != self._follows:
            self._follows = follows
            self.follow_changed.emit(follows)
        self.keep_up()

    def keep_up(self) -> None:
        """Scrolls to the end, where that is followed."""
        if self._follows:
            self.moving(lambda: self.verticalScrollBar().setValue(self.verticalScrollBar().maximum()))

    def moving(self, change: Callable[[], object]) -> None:
        """Does what may scroll without that counting as the user's will."""
        self._moving = True
        try:
            change()
        finally:
            self._moving = False

    def link_at(self, position: QPoint) -> tuple[str, int] | None:
        """The file and line that the link at the place leads to."""
        cursor = self.cursorForPosition(position)
        if not self.cursorRect(cursor).adjusted(-12, 0, 12, 0).contains(position):
            return None
        return _link(cursor.block().text(), cursor.positionInBlock())

    def _is_cut_at(self, position: QPoint) -> bool:
        """Whether the line there stands for what was left out."""
        block = self.cursorForPosition(position).block()
        area = self.blockBoundingGeometry(block).translated(self.contentOffset())
        return _kind(block) == "more" and area.contains(position)

    def _on_scrolled(self, value: int) -> None:
        if self._moving:
            return
        follows = value >= self.verticalScrollBar().maximum()
        if follows != self._follows:
            self._follows = follows
            self.follow_changed.emit(follows)

    def _paint_marks(self, painter: QPainter) -> None:
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        bottom = self.viewport().height()
        while block.isValid() and top < bottom:
            height = self.blockBoundingRect(block).height()
            colour = _MARK_COLOURS.get(_kind(block))
            if colour is not None:
                painter.fillRect(QRectF(0, top, MARK_WIDTH, height), theme().colour(colour))
            top += height
            block = block.next()

    def createMimeDataFromSelection(self) -> QMimeData:
        """The text as it was written: lines that were broken here are whole again."""
        cursor, parts = self.textCursor(), []
        block = self.document().findBlock(cursor.selectionStart())
        while block.isValid() and block.position() <= cursor.selectionEnd():
            start = max(cursor.selectionStart() - block.position(), 0)
            text = block.text()[start : cursor.selectionEnd() - block.position()]
            joined = not parts or block.userState() == CONTINUED
            parts.append(text if joined else f"\n{text}")
            block = block.next()
        data = QMimeData()
        data.setText("".join(parts))
        return data

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        over = self.link_at(place) is not None or self._is_cut_at(place)
        shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        link = self.link_at(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or self.textCursor().hasSelection():
            return
        if link:
            self.line_activated.emit(*link)
        elif self._is_cut_at(event.position().toPoint()):
            self.all_wanted.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            link = _link(self.textCursor().block().text(), None)
            if link:
                self.line_activated.emit(*link)
                return
            if _kind(self.textCursor().block()) == "more":
                self.all_wanted.emit()
                return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        self._paint_marks(painter)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.moving(lambda: super(OutputText, self).resizeEvent(event))
        self.keep_up()


def find_from(document: QTextDocument, text: str, cursor: QTextCursor, *, back: bool) -> QTextCursor:
    """The next place of the text from the cursor on, round the end; a null cursor where there is none."""
    flags = QTextDocument.FindFlag.FindBackward if back else QTextDocument.FindFlag(0)
    found = document.find(text, cursor, flags)
    if found.isNull():
        edge = QTextCursor(document)
        edge.movePosition(QTextCursor.MoveOperation.End if back else QTextCursor.MoveOperation.Start)
        found = document.find(text, edge, flags)
    return found


def _kind(block: QTextBlock) -> str:
    """What the first character of a line is, or its end where it is empty."""
    pieces = block.begin()
    refresh = block.charFormat() if pieces.atEnd() else pieces.fragment().charFormat()
    return refresh.property(KIND) or ""


def _link(text: str, position: int | None) -> tuple[str, int] | None:
    for match in LINK.finditer(text):
        if position is None or match.start() <= position <= match.end():
            return match[1], int(match[2])
    return None


SLICE_SECONDS = 0.004
SETTLE_MS = 150
"""How long the output must rest before it is counted again."""


class OutputSearch(SearchBar):
    """Counts in slices, so that a long output does not hold up the window.

    Signals: counted(number): the whole output has been searched.
    """

    counted = Signal(int)

    def __init__(self, text: OutputText, parent: QWidget | None = None) -> None:
        super().__init__("Find in output", parent=parent)
        self._text = text
        self._locations: list[int] = []
        self._next = QTextBlock()
        self._slices = QTimer(self, interval=0)
        self._slices.timeout.connect(self._on_slice_due)
        self._settling = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._settling.timeout.connect(self.search)
        self.field.setObjectName("outputFind")
        self._lay_out()
        text.document().contentsChanged.connect(self._on_output_changed)
        text.updateRequest.connect(self._on_view_updated)
        theme().changed.connect(self._highlight)

    @property
    def match_count(self) -> int:
        return len(self._locations)

    def put_away(self) -> None:
        """Hides the bar and its highlights."""
        self.hide()
        self._slices.stop()
        self._text.setExtraSelections([])
        self._text.setFocus()

    def go(self, *, back: bool = False) -> None:
        wanted = self.field.text()
        found = find_from(self._text.document(), wanted, self._text.textCursor(), back=back) if wanted else None
        if found is not None and not found.isNull():
            self._text.setTextCursor(found)
            self._text.ensureCursorVisible()
        self._show_count()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 8, 6)
        row.addWidget(self.field, 1)
        row.addWidget(self.count)
        for button in self.arrow_buttons("Previous", "Next"):
            row.addWidget(button)
        row.addWidget(flat_button("close", "Close", self.put_away))

    def search(self) -> None:
        self._locations = []
        self._next = self._text.document().begin() if self.field.text() else QTextBlock()
        self._slices.start()
        self._on_slice_due()

    def _on_slice_due(self) -> None:
        wanted, block = self.field.text().lower(), self._next
        end = perf_counter() + SLICE_SECONDS
        while block.isValid():
            self._search_block(block, wanted)
            block = block.next()
            if perf_counter() >= end:
                break
        self._next = block
        self._show_count()
        if not block.isValid():
            self._slices.stop()
            self._highlight()
            self.counted.emit(self.match_count)

    def _search_block(self, block: QTextBlock, wanted: str) -> None:
        text, start = block.text().lower(), block.position()
        location = text.find(wanted)
        while location >= 0:
            self._locations.append(start + location)
            location = text.find(wanted, location + len(wanted))

    def _show_count(self) -> None:
        if not self.field.text():
            self.count.setText("")
            return
        cursor = self._text.textCursor()
        at = bisect_left(self._locations, cursor.selectionStart())
        here = cursor.hasSelection() and at < self.match_count and self._locations[at] == cursor.selectionStart()
        more = "…" if self._slices.isActive() and self._next.isValid() else ""
        self.count.setText(f"{at + 1} of {self.match_count}{more}" if here else f"{self.match_count}{more} found")

    def _highlight(self) -> None:
        """Marks the matches that are in sight."""
        if not self.isVisible() or not self.field.text():
            self._text.setExtraSelections([])
            return
        first = self._text.firstVisibleBlock().position()
        last = self._text.cursorForPosition(self._text.viewport().rect().bottomRight()).position()
        shown = self._locations[bisect_left(self._locations, first) : bisect_left(self._locations, last + 1)]
        self._text.setExtraSelections([self._selection(location) for location in shown])

    def _selection(self, location: int) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self._text.document())
        cursor.setPosition(location)
        length = len(self.field.text())
        cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, length)
        style = QTextCharFormat()
        style.setBackground(theme().colour("warning"))
        style.setForeground(theme().colour("ground"))
        made.cursor, made.format = cursor, style  # type: ignore[attr-defined]
        return made

    def _on_typed(self) -> None:
        self.search()
        if self.field.text():
            cursor = self._text.textCursor()
            cursor.setPosition(cursor.selectionStart())
            self._text.setTextCursor(cursor)
            self.go()
        self._highlight()

    def _on_output_changed(self) -> None:
        if self.isVisible():
            self._slices.stop()
            self._settling.start()

    def _on_view_updated(self, _area: object, moved: int) -> None:
        if moved and self.isVisible():
            self._highlight()
