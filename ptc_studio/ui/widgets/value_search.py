"""The search field of a value: finds keys and values also where nothing has been opened yet."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut, Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from ptc_studio.ui.models.value_nodes import Path, find
from ptc_studio.ui.slices import SlicedWork
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.flat_button import flat_button
from ptc_studio.ui.widgets.plain_text import PlainLabel

DELAY_MS = 150
MOST = 10_000
"""So many places are remembered."""


class ValueSearch(QWidget):
    """A field, a count, and the way to the next and the one before.

    Signals: found(path): this place is to be shown.
    """

    found = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find key or value…")
        self.field.setClearButtonEnabled(True)
        self.field.setAccessibleName("Find a key or a value")
        self.count = PlainLabel()
        self.count.setProperty("role", "muted")
        self.work = SlicedWork(self)
        self._value: Any = None
        self._places: list[Path] = []
        self._at = -1
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self.search)
        self.field.textChanged.connect(self._timer.start)
        self.field.returnPressed.connect(self.next)
        self.work.done.connect(self._tell)
        self._lay_out()
        self.hide()

    def begin(self) -> None:
        """Opens the field."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def end(self) -> None:
        self.field.clear()
        self.hide()

    def set_value(self, value: Any) -> None:
        """Another value is to be searched."""
        self._value = value
        if not self.isHidden():
            self._timer.start()

    def search(self) -> None:
        """Looks through everything, in slices."""
        self._timer.stop()
        self._places, self._at = [], -1
        if self.field.text():
            self.work.start(self._look(self.field.text()))
        else:
            self.work.cancel()
        self._tell()

    def next(self) -> None:
        self._step(1)

    def previous(self) -> None:
        self._step(-1)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * SPACE, 0, 2 * SPACE, SPACE)
        row.setSpacing(SPACE)
        row.addWidget(self.field, 1)
        row.addWidget(self.count)
        row.addWidget(flat_button("chevron-up", "Previous place", self.previous))
        row.addWidget(flat_button("chevron-down", "Next place", self.next))
        QShortcut(QKeySequence.StandardKey.Cancel, self, self.end).setContext(
            Qt.ShortcutContext.WidgetWithChildrenShortcut
        )

    def _look(self, text: str) -> Iterator[None]:
        for number, path in enumerate(find(self._value, text)):
            if path is not None:
                self._places.append(path)
                if len(self._places) == 1:
                    self._step(1)
                if len(self._places) >= MOST:
                    return
            # The clock is looked at only now and then: it costs more than a step.
            if number % 100 == 0:
                yield

    def _step(self, by: int) -> None:
        if self._timer.isActive():
            self.search()
        elif self._places:
            self._at = (self._at + by) % len(self._places)
            self.found.emit(self._places[self._at])
            self._tell()

    def _tell(self) -> None:
        more = "…" if self.work.busy else "+" if len(self._places) >= MOST else ""
        none = "" if not self.field.text() or self.work.busy else "Nothing found"
        self.count.setText(f"{self._at + 1:,} of {len(self._places):,}{more}" if self._places else none)
