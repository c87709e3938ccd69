"""The bar that searches in the output."""

from bisect import bisect_left
from time import perf_counter

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QTextEdit, QWidget

from ptc_studio.ui.output.text import OutputText, find_from
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.search_bar import SearchBar

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
