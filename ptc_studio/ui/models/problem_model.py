"""What is wrong with the script, a row each."""

from collections.abc import Sequence
from typing import Any, Protocol

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.plain_text import plain_tip

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
HEADERS = ("Problem", "Line", "")
MESSAGE, LINE, MENDING = range(3)
"""The columns: what it is, where it is, what mends it."""
SEVERITIES = {"error": ("✕", "error"), "warning": ("▲", "warning"), "info": ("●", "accent")}
"""The mark and the colour of each."""


class Problem(Protocol):
    """One thing that is wrong, and where."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def severity(self) -> str: ...
    @property
    def message(self) -> str: ...


def ungranted(problem: Problem) -> str:
    """The tool that is to be granted, where that mends the problem; else nothing."""
    return getattr(problem, "ungranted", "")


class ProblemModel(QAbstractTableModel):
    """The problems, worst first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._problems: list[Problem] = []

    def set_problems(self, problems: Sequence[Problem]) -> None:
        ranks = list(SEVERITIES)
        self.beginResetModel()
        self._problems = sorted(problems, key=lambda each: (ranks.index(_severity(each)), each.line, each.column))
        self.endResetModel()

    def problem(self, row: int) -> Problem:
        return self._problems[row]

    def repaint(self) -> None:
        """The colours have changed."""
        if self._problems:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._problems) - 1, MENDING))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._problems)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole:
            return _alignment(section)
        return HEADERS[section] if role == Role.DisplayRole and 0 <= section < len(HEADERS) else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        problem, column = self._problems[index.row()], index.column()
        mark, colour = SEVERITIES[_severity(problem)]
        match role:
            case Role.DisplayRole:
                return (f"{mark}  {problem.message}", str(problem.line), _mending(problem))[column]
            case Role.ForegroundRole:
                return theme().colour((colour, "muted", "accent")[column])
            case Role.TextAlignmentRole:
                return _alignment(column)
            case Role.ToolTipRole:
                if column == MENDING and ungranted(problem):
                    return plain_tip(f"Grants {ungranted(problem)} to the script (Alt+Enter)")
                return plain_tip(f"{problem.message}\nLine {problem.line}, column {problem.column}")
            case Role.AccessibleTextRole:
                return (f"{_severity(problem)}: {problem.message}", f"line {problem.line}", _mending(problem))[column]
            case _:
                return None


def _mending(problem: Problem) -> str:
    return "Grant it" if ungranted(problem) else ""


def _severity(problem: Problem) -> str:
    return problem.severity if problem.severity in SEVERITIES else "error"


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column == LINE else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)
