"""Pages of text with markup. Apart from the labels: the first paint does not wait for Qt's classes of documents."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QTextBrowser


class StillBrowser(QTextBrowser):
    """A page of ours, with the words of others escaped in it: it reads nothing, whatever it is told to show."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        # Not nothing: for a picture that is not there Qt would look for a file of that name by itself.
        empty = QImage(1, 1, QImage.Format.Format_ARGB32)
        empty.fill(0)
        return empty


class WholeLinesBrowser(StillBrowser):
    """A page that ends, where there is no room for all of it, below a line and not in the middle of one."""

    def setHtml(self, text: str) -> None:
        super().setHtml(text)
        self._end_below_a_line()

    def _end_below_a_line(self) -> None:
        room = self.contentsRect().height()
        end = whole_lines(self.document(), room)
        if self.viewportMargins().bottom() != room - end:
            self.setViewportMargins(0, 0, 0, room - end)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._end_below_a_line()


def whole_lines(document: QTextDocument, room: int) -> int:
    """How much of the room the lines take that fit into it whole."""
    if document.size().height() <= room:
        return room
    end, found = float(room), list(_lines(document))
    # In a table several stand beside each other.
    while cut := [top for top, bottom in found if top < end < bottom]:
        end = min(cut)
    # Of a single line that is too high something is better than nothing.
    return int(end) if any(bottom <= end for _, bottom in found) else room


def _lines(document: QTextDocument) -> Iterator[tuple[float, float]]:
    block = document.begin()
    while block.isValid():
        top = document.documentLayout().blockBoundingRect(block).top()
        for number in range(block.layout().lineCount()):
            line = block.layout().lineAt(number)
            yield top + line.y(), top + line.y() + line.height()
        block = block.next()
