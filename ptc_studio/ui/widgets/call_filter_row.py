"""The row of fields that narrow the call tree down."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QIntValidator, QKeySequence, QShortcut
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from ptc_studio.ui.models.call_filter import CallFilter
from ptc_studio.ui.tokens import MARKS, SPACE
from ptc_studio.ui.widgets.elided_combo import ElidedCombo

DELAY_MS = 150
"""After the last key, before the filter goes to work."""
ANY_STATUS, ANY_TOOL = "Any status", "Any tool"
STATUSES: dict[str, frozenset[str]] = {
    ANY_STATUS: frozenset(),
    f"{MARKS['ok']} ok": frozenset({"ok"}),
    f"{MARKS['error']} failed": frozenset({"error", "timeout", "invalid", "not_found", "depth"}),
    f"{MARKS['denied']} denied, cancelled": frozenset({"denied", "cancelled"}),
    f"{MARKS['running']} running": frozenset({"running"}),
    f"{MARKS['waiting']} waiting for you": frozenset({"waiting"}),
}


class CallFilterRow(QWidget):
    """Text, status, tool and least duration.

    Signals: changed(CallFilter): another filter is wanted. left: the user is done with it.
    """

    changed = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = QLineEdit()
        self.text.setPlaceholderText("Name, argument, result or error…")
        self.text.setClearButtonEnabled(True)
        self.status = ElidedCombo()
        self.tool = ElidedCombo()
        self.minimum = QLineEdit()
        self.minimum.setPlaceholderText("Least ms")
        self.minimum.setValidator(QIntValidator(0, 3_600_000, self.minimum))
        self._name_for_screen_readers()
        self.status.addItems(list(STATUSES))
        self.tool.addItem(ANY_TOOL)
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._on_waited)
        for signal in (
            self.text.textChanged,
            self.minimum.textChanged,
            self.status.currentIndexChanged,
            self.tool.currentIndexChanged,
        ):
            signal.connect(self._timer.start)
        QShortcut(QKeySequence.StandardKey.Cancel, self, self._on_escape).setContext(
            Qt.ShortcutContext.WidgetWithChildrenShortcut
        )

    def value(self) -> CallFilter:
        """The filter as the fields have it."""
        tool = self.tool.currentText() if self.tool.currentIndex() > 0 else ""
        statuses = STATUSES[self.status.currentText()]
        return CallFilter(self.text.text(), statuses, tool, float(self.minimum.text() or 0))

    def set_tools(self, names: list[str]) -> None:
        """Offers the tools that were called; keeps the choice."""
        known = {self.tool.itemText(row) for row in range(self.tool.count())}
        self.tool.addItems([name for name in names if name not in known])

    def reset_tools(self) -> None:
        """Offers no tools, but keeps the one that is chosen."""
        chosen = self.tool.currentText() if self.tool.currentIndex() > 0 else None
        self.tool.blockSignals(True)
        self.tool.clear()
        self.tool.addItem(ANY_TOOL)
        if chosen:
            self.tool.addItem(chosen)
            self.tool.setCurrentIndex(1)
        self.tool.blockSignals(False)

    def clear(self) -> None:
        """Lets everything through."""
        self.text.clear()
        self.minimum.clear()
        self.status.setCurrentIndex(0)
        self.tool.setCurrentIndex(0)
        self._timer.stop()
        self._on_waited()

    def _name_for_screen_readers(self) -> None:
        for widget, name in (
            (self.text, "Filter calls by text"),
            (self.status, "Filter calls by status"),
            (self.tool, "Filter calls by tool"),
            (self.minimum, "Filter calls by least duration"),
        ):
            widget.setAccessibleName(name)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        grid.setSpacing(SPACE)
        grid.addWidget(self.text, 0, 0, 1, 3)
        for column, field in enumerate((self.status, self.tool, self.minimum)):
            field.setMinimumWidth(1)
            grid.addWidget(field, 1, column)
            grid.setColumnStretch(column, 1)

    def _on_waited(self) -> None:
        self.changed.emit(self.value())

    def _on_escape(self) -> None:
        self.clear()
        self.left.emit()
