"""Past runs as a table, the newest first."""

from datetime import datetime
from typing import Any

from PySide6.QtCore import Qt, Signal

from ptc_studio.storage.history import RunSummary
from ptc_studio.ui.tokens import MARKS
from ptc_studio.ui.widgets.item_views import Index, Role, RowTable
from ptc_studio.ui.widgets.labels import plain_tip

COLUMNS = ("Run", "When", "Runtime", "Status", "Time", "Calls", "Turns", "Kept out")
RUN, WHEN, RUNTIME, STATUS, TIME, CALLS, TURNS, KEPT_OUT = range(len(COLUMNS))
FIGURES = (TIME, CALLS, TURNS, KEPT_OUT)
TONES = {"ok": "ok", "running": "accent", "cancelled": "warning", "interrupted": "warning"}
PIN = "★"


class HistoryModel(RowTable[RunSummary]):
    """What was found.

    Signals: renamed(run, name): the user gives it another name.
    """

    columns, figures = COLUMNS, FIGURES
    renamed = Signal(object, str)

    def cell(self, row: RunSummary, column: int) -> str:
        return cell(row, column)

    def whole(self, row: RunSummary, column: int) -> str:  # noqa: ARG002
        return about(row)

    def tone(self, row: RunSummary, column: int) -> str:
        if column == STATUS:
            return TONES.get(row.status, "error")
        return "text" if column == RUN else "muted"

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if role == Role.ToolTipRole and section in (TURNS, KEPT_OUT):
            return plain_tip("Turns saved, and tokens kept out (about), against the same calls made one a turn")
        return super().headerData(section, orientation, role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == RUN else flags

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.EditRole or not index.isValid():
            return False
        self.renamed.emit(self.rows[index.row()], " ".join(str(value).split()))
        return True

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if role == Role.EditRole and index.isValid():
            return self.rows[index.row()].name or ""
        return super().data(index, role)


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
