"""A list whose lines can be switched on and off: what each is, and what it does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.plain_text import plain_tip

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
TITLE, DETAIL = range(2)


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """One line."""

    title: str
    detail: str
    checked: bool
    tone: str = "tool"
    """The colour of the title."""
    tip: str = ""


class CheckedRows(QAbstractTableModel):
    """The lines in order.

    Signals: switched(row, on): the user ticked a line, or no longer; whoever owns the list makes it so.
    """

    switched = Signal(int, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[CheckedRow] = []

    def set_rows(self, rows: Sequence[CheckedRow]) -> None:
        """Other lines; where there are as many as before, what is selected stays so."""
        if len(rows) == len(self._rows):
            self._rows = list(rows)
            self.repaint()
            return
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def repaint(self) -> None:
        """The lines, or their colours, have changed."""
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, DETAIL))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 2

    def flags(self, index: Index) -> Qt.ItemFlag:
        checkable = Qt.ItemFlag.ItemIsUserCheckable if index.column() == TITLE else Qt.ItemFlag.NoItemFlags
        return super().flags(index) | checkable

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        match role:
            case Role.DisplayRole:
                return row.title if column == TITLE else row.detail
            case Role.CheckStateRole if column == TITLE:
                return Qt.CheckState.Checked if row.checked else Qt.CheckState.Unchecked
            case Role.ForegroundRole:
                return theme().colour(row.tone if column == TITLE and row.checked else "muted")
            case Role.FontRole if column == TITLE and row.tone == "tool":
                return theme().code_font()
            case Role.ToolTipRole:
                return plain_tip(row.tip or f"{row.title}\n{row.detail}")
            case Role.AccessibleTextRole:
                return f"{row.title}, {row.detail}" if column == TITLE else row.detail
            case _:
                return None

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.CheckStateRole or not index.isValid():
            return False
        self.switched.emit(index.row(), Qt.CheckState(value) == Qt.CheckState.Checked)
        return True
