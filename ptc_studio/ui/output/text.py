"""The text of the output: selectable, with a mark beside what went to stderr, and links to lines of files."""

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from ptc_studio.ui.output.writer import CONTINUED, KIND, LINK
from ptc_studio.ui.theme import theme

MARK_WIDTH = 3
_MARK_COLOURS = {"stderr": "error", "error": "error", "failed": "error", "ok": "ok", "value": "accent"}


class OutputText(QPlainTextEdit):
    """Shows; what is in it is written by an `OutputWriter`.

    Signals: line_activated(filename, line): a link was followed. follow_changed(follows): the user scrolled away
    from the end, or back to it.
    """

    line_activated = Signal(str, int)
    follow_changed = Signal(bool)

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
        over = self.link_at(event.position().toPoint()) is not None
        shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        link = self.link_at(event.position().toPoint())
        if link and event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self.line_activated.emit(*link)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            link = _link(self.textCursor().block().text(), None)
            if link:
                self.line_activated.emit(*link)
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
