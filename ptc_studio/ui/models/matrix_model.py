"""The runs of one script in several runtimes, a row each; rows come while the runs go on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ptc_studio.core.matrix import differences
from ptc_studio.core.trace import Record
from ptc_studio.ui.models.matrix_rows import (
    CALLS,
    COLUMNS,
    COMPILED,
    ERROR,
    ISOLATION,
    STATUS,
    TIME,
    MatrixRow,
    cell,
    whole,
)
from ptc_studio.ui.models.runtime_model import NO_ISOLATION
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.plain_text import plain_tip

if TYPE_CHECKING:
    from ptc_studio.runtimes.catalog import RuntimeInfo

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
FIGURES = (TIME, COMPILED, CALLS)
TONES = {"ok": "ok", "running": "accent", "not available": "muted", "cancelled": "warning"}


class MatrixModel(QAbstractTableModel):
    """The rows in the order in which the runs began."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[MatrixRow] = []

    @property
    def rows(self) -> Sequence[MatrixRow]:
        return self._rows

    def clear(self) -> None:
        self.beginResetModel()
        self._rows = []
        self.endResetModel()

    def begin_row(self, info: "RuntimeInfo") -> MatrixRow:
        """The script begins in this runtime."""
        return self._append(MatrixRow(info, running=True))

    def end_row(self, info: "RuntimeInfo", record: Record | None) -> None:
        """It has ended there; without a record, the runtime is not available."""
        row = next((row for row in self._rows if row.info.id == info.id), None) or self._append(MatrixRow(info))
        row.running, row.record = False, record
        self._compare()
        self.repaint()

    def set_elapsed(self, seconds: float) -> None:
        """How long the run that goes on has taken."""
        for number, row in enumerate(self._rows):
            if row.running:
                row.elapsed = seconds
                self.dataChanged.emit(self.index(number, TIME), self.index(number, TIME))

    def stop(self) -> None:
        """No run goes on any more, whatever is said of it."""
        for row in self._rows:
            row.running = False
        self.repaint()

    def repaint(self) -> None:
        """Any cell may look different."""
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, len(COLUMNS) - 1))

    def _append(self, row: MatrixRow) -> MatrixRow:
        self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows))
        self._rows.append(row)
        self.endInsertRows()
        return row

    def _compare(self) -> None:
        ended = [row for row in self._rows if row.record is not None]
        for row, unlike in zip(ended, differences([row.record for row in ended if row.record]), strict=True):
            row.unlike = unlike

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole:
            return _alignment(section)
        return COLUMNS[section] if role == Role.DisplayRole and 0 <= section < len(COLUMNS) else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        match role:
            case Role.DisplayRole:
                return cell(row, column)
            case Role.ToolTipRole:
                return plain_tip(whole(row, column))
            case Role.ForegroundRole:
                return theme().colour(_tone(row, column))
            case Role.TextAlignmentRole:
                return _alignment(column)
            case Role.AccessibleTextRole:
                return f"{COLUMNS[column]}: {cell(row, column) or 'nothing'}"
            case _:
                return None


def _tone(row: MatrixRow, column: int) -> str:
    if row.is_unlike(column):
        return "warning"
    if column == STATUS:
        return TONES.get(row.status, "error")
    if column == ERROR and row.record is not None:
        return "error"
    if column == ISOLATION and cell(row, column) == NO_ISOLATION:
        return "warning"
    return "text" if column == 0 or row.record is not None or row.running else "muted"


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column in FIGURES else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)
