"""Has a key paint the line that it changed, not the whole view.

When a highlighter colours a line, Qt takes it for a change of two lines and paints everything. So what the layout of
the document says during an edit within one line is held back, and the lines that were coloured are painted instead.
"""

from math import ceil, floor

from PySide6.QtCore import QObject, QSizeF
from PySide6.QtWidgets import QPlainTextEdit


class LineRepainting(QObject):
    """Watches one editor that does not wrap lines. Made before its highlighter, so as to hear of an edit first."""

    def __init__(self, editor: QPlainTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
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
        if self._touched is None and blocks == before and position + added < block.position() + block.length():
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
        area = editor.viewport().rect()
        # Qt counts the lines from the top of the view for each of these.
        top = editor.blockBoundingGeometry(editor.document().findBlockByNumber(first))
        bottom = editor.blockBoundingGeometry(editor.document().findBlockByNumber(last)) if last > first else top
        offset = editor.contentOffset()
        area.setTop(floor(top.translated(offset).top()))
        # The last row of these lines, not the first of the next, which would be painted as well.
        area.setBottom(ceil(bottom.translated(offset).bottom()) - 1)
        editor.viewport().update(area)
