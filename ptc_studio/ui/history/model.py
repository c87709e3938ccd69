"""Past runs as a table, the newest first."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from ptc_studio.storage.history import RunSummary
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS
from ptc_studio.ui.widgets.labels import plain_tip

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
COLUMNS = ("Run", "When", "Runtime", "Status", "Time", "Calls", "Turns", "Kept out")
RUN, WHEN, RUNTIME, STATUS, TIME, CALLS, TURNS, KEPT_OUT = range(len(COLUMNS))
FIGURES = (TIME, CALLS, TURNS, KEPT_OUT)
TONES = {"ok": "ok", "running": "accent", "cancelled": "warning", "interrupted": "warning"}
PIN = "★"


class HistoryModel(QAbstractTableModel):
    """What was found.

    Signals: renamed(run, name): the user gives it another name.
    """

    renamed = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs: list[RunSummary] = []

    @property
    def runs(self) -> Sequence[RunSummary]:
        return self._runs

    def set_runs(self, runs: Sequence[RunSummary]) -> None:
        """Shows these; nothing changes where they are the same."""
        if list(runs) != self._runs:
            self.beginResetModel()
            self._runs = list(runs)
            self.endResetModel()

    def repaint(self) -> None:
        """Any cell may look different."""
        if self._runs:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._runs) - 1, len(COLUMNS) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._runs)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole:
            return _alignment(section)
        if role == Role.ToolTipRole and section in (TURNS, KEPT_OUT):
            return plain_tip("Turns saved, and tokens kept out (about), against the same calls made one a turn")
        return COLUMNS[section] if role == Role.DisplayRole and 0 <= section < len(COLUMNS) else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == RUN else flags

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.EditRole or not index.isValid():
            return False
        self.renamed.emit(self._runs[index.row()], " ".join(str(value).split()))
        return True

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        run, column = self._runs[index.row()], index.column()
        match role:
            case Role.DisplayRole:
                return cell(run, column)
            case Role.EditRole:
                return run.name or ""
            case Role.ToolTipRole:
                return plain_tip(about(run))
            case Role.ForegroundRole:
                return theme().colour(_tone(run, column))
            case Role.TextAlignmentRole:
                return _alignment(column)
            case Role.AccessibleTextRole:
                return f"{COLUMNS[column]}: {cell(run, column) or 'nothing'}"
            case _:
                return None


def cell(run: RunSummary, column: int) -> str:
    """What stands in the cell."""
    match column:
        case 0:
            return f"{PIN} {run.title}" if run.pinned else run.title
        case 1:
            return when(run.started)
        case 2:
            return "call by hand" if run.kind == "call" else run.runtime or ""
        case 3:
            return f"{MARKS.get(run.status, '✕')} {run.status}"
        case 4:
            return "" if run.duration_ms is None else f"{run.duration_ms / 1000:.2f} s"
        case 5:
            return f"{run.calls:,}"
        case 6:
            return "" if run.turns_saved is None else f"{run.turns_saved:,}"
        case _:
            return "" if run.tokens_kept_out is None else f"≈ {run.tokens_kept_out:,}"


def about(run: RunSummary) -> str:
    """All that is known of a run without opening it."""
    lines = [f"{run.script or run.title}", f"run {run.run_id}, {when(run.started, whole=True)}"]
    lines += [f"in {run.workspace}"] if run.workspace else []
    lines += [f"as {run.target} runs it"] if run.target not in (None, "plain") else []
    return "\n".join(lines)


def when(started: float, *, whole: bool = False) -> str:
    """The moment in the time of whoever sits before it; of today, the time alone."""
    moment = datetime.fromtimestamp(started).astimezone()
    today = moment.date() == datetime.now().astimezone().date()
    return moment.strftime("%H:%M" if today and not whole else "%Y-%m-%d %H:%M")


def _tone(run: RunSummary, column: int) -> str:
    if column == STATUS:
        return TONES.get(run.status, "error")
    return "text" if column == RUN else "muted"


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column in FIGURES else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)
