"""What the grant selector offers: everything, the sets, what is ticked, and what can be done to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ptc_studio.ui.widgets.plain_text import plain_tip

Kind = Literal["everything", "set", "ticked", "line", "action"]
Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROW_ROLE = Role.UserRole + 1
EVERYTHING = "Everything"
AS_TICKED = "As ticked"


@dataclass(frozen=True, slots=True)
class GrantRow:
    """One line."""

    kind: Kind
    title: str = ""
    key: str = ""
    """The name of the set, or of the action."""
    note: str = ""
    """How much it grants, or what is wrong with it."""
    faulty: bool = False

    @property
    def is_choice(self) -> bool:
        return self.kind in ("everything", "set", "ticked")


ALL = GrantRow("everything", EVERYTHING)


class GrantRows(QAbstractListModel):
    """The lines, in their order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[GrantRow, ...] = (ALL,)

    @property
    def rows(self) -> tuple[GrantRow, ...]:
        return self._rows

    def set_rows(self, rows: Sequence[GrantRow]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row_of(self, kind: Kind, key: str = "") -> int:
        """Where it stands; -1 if it is not there."""
        return next((place for place, row in enumerate(self._rows) if (row.kind, row.key) == (kind, key)), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Role.DisplayRole:
                return row.title
            case Role.ToolTipRole:
                return plain_tip(row.note) or None
            case Role.AccessibleTextRole:
                return f"{row.title}, {row.note}" if row.note else row.title
            case Role.UserRole:
                return row.key
            case _:
                return row if role == ROW_ROLE else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or self._rows[index.row()].kind == "line":
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
