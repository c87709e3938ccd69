"""Finding in the output: a field, how often the text is there, the next and the one before."""

from bisect import bisect_left
from time import perf_counter

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QTextBlock, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QTextEdit, QWidget

from ptc_studio.ui.output.text import OutputText, find_from
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.buttons import flat_button

SLICE_SECONDS = 0.004
SETTLE_MS = 150
"""How long the output must rest before it is counted again."""


class OutputSearch(QWidget):
    """Counts in slices, so that a long output does not hold up the window.

    Signals: counted(number): the whole output has been searched.
    """

    counted = Signal(int)

    def __init__(self, text: OutputText, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._places: list[int] = []
        self._next = QTextBlock()
        self._slices = QTimer(self, interval=0)
        self._slices.timeout.connect(self._on_slice_due)
        self._settling = QTimer(self, interval=SETTLE_MS, singleShot=True)
        self._settling.timeout.connect(self._begin)
        self._build()
        text.document().contentsChanged.connect(self._on_output_changed)
        text.updateRequest.connect(self._on_view_updated)
        theme().changed.connect(self._highlight)

    @property
    def count(self) -> int:
        return len(self._places)

    def start(self) -> None:
        """Shows the field, ready to be typed into."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def stop(self) -> None:
        """Hides the field and its highlights."""
        self.hide()
        self._slices.stop()
        self._text.setExtraSelections([])
        self._text.setFocus()

    def go(self, *, back: bool = False) -> None:
        """To the next place, or the one before."""
        wanted = self.field.text()
        found = find_from(self._text.document(), wanted, self._text.textCursor(), back=back) if wanted else None
        if found is not None and not found.isNull():
            self._text.setTextCursor(found)
            self._text.ensureCursorVisible()
        self._show_count()

    def _build(self) -> None:
        self.field = QLineEdit(placeholderText="Find in output", clearButtonEnabled=True)
        self.field.setObjectName("outputFind")
        self.field.setAccessibleName("Find in output")
        self.field.textChanged.connect(self._on_typed)
        self.field.returnPressed.connect(self.go)
        self._label = QLabel()
        self._label.setProperty("role", "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 8, 6)
        row.addWidget(self.field, 1)
        row.addWidget(self._label)
        row.addWidget(flat_button("chevron-up", "Previous", lambda: self.go(back=True)))
        row.addWidget(flat_button("chevron-down", "Next", self.go))
        row.addWidget(flat_button("close", "Close", self.stop))

    def _begin(self) -> None:
        self._places = []
        self._next = self._text.document().begin() if self.field.text() else QTextBlock()
        self._slices.start()
        self._on_slice_due()

    def _on_slice_due(self) -> None:
        wanted, block = self.field.text().lower(), self._next
        end = perf_counter() + SLICE_SECONDS
        while block.isValid():
            self._search(block, wanted)
            block = block.next()
            if perf_counter() >= end:
                break
        self._next = block
        self._show_count()
        if not block.isValid():
            self._slices.stop()
            self._highlight()
            self.counted.emit(self.count)

    def _search(self, block: QTextBlock, wanted: str) -> None:
        text, start = block.text().lower(), block.position()
        location = text.find(wanted)
        while location >= 0:
            self._places.append(start + location)
            location = text.find(wanted, location + len(wanted))

    def _show_count(self) -> None:
        if not self.field.text():
            self._label.setText("")
            return
        cursor = self._text.textCursor()
        at = bisect_left(self._places, cursor.selectionStart())
        here = cursor.hasSelection() and at < self.count and self._places[at] == cursor.selectionStart()
        more = "…" if self._slices.isActive() and self._next.isValid() else ""
        self._label.setText(f"{at + 1} of {self.count}{more}" if here else f"{self.count}{more} found")

    def _highlight(self) -> None:
        """Marks the places that are in sight."""
        if not self.isVisible() or not self.field.text():
            self._text.setExtraSelections([])
            return
        first = self._text.firstVisibleBlock().position()
        last = self._text.cursorForPosition(self._text.viewport().rect().bottomRight()).position()
        shown = self._places[bisect_left(self._places, first) : bisect_left(self._places, last + 1)]
        self._text.setExtraSelections([self._selection(location) for location in shown])

    def _selection(self, location: int) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self._text.document())
        cursor.setPosition(location)
        length = len(self.field.text())
        cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, length)
        refresh = QTextCharFormat()
        refresh.setBackground(theme().colour("warning"))
        refresh.setForeground(theme().colour("ground"))
        made.cursor, made.format = cursor, refresh  # type: ignore[attr-defined]
        return made

    def _on_typed(self) -> None:
        self._begin()
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.stop()
        elif event.matches(QKeySequence.StandardKey.FindPrevious):
            self.go(back=True)
        elif event.matches(QKeySequence.StandardKey.FindNext):
            self.go()
        else:
            super().keyPressEvent(event)
