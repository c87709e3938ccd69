"""What is wrong with the script, as a list that leads to the places, and mends what one click can mend."""

from collections.abc import Sequence
from typing import Any, Protocol

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHeaderView, QMenu, QTreeView, QWidget

from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.labels import EmptyOverlay, plain_tip

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
HEADERS = ("Problem", "Line", "")
MESSAGE, LINE, MENDING = range(3)
"""The columns: what it is, where it is, what mends it."""
SEVERITIES = {"error": ("✕", "error"), "warning": ("▲", "warning"), "info": ("●", "accent")}
"""The mark and the colour of each."""


class ProblemRow(Protocol):
    """One thing that is wrong, and where."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def severity(self) -> str: ...
    @property
    def message(self) -> str: ...


def ungranted(problem: ProblemRow) -> str:
    """The tool that is to be granted, where that mends the problem; else nothing."""
    return getattr(problem, "ungranted", "")


class ProblemModel(QAbstractTableModel):
    """The problems, worst first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._problems: list[ProblemRow] = []

    def set_problems(self, problems: Sequence[ProblemRow]) -> None:
        ranks = list(SEVERITIES)
        self.beginResetModel()
        self._problems = sorted(problems, key=lambda each: (ranks.index(_severity(each)), each.line, each.column))
        self.endResetModel()

    def problem(self, row: int) -> ProblemRow:
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


def _mending(problem: ProblemRow) -> str:
    return "Grant it" if ungranted(problem) else ""


def _severity(problem: ProblemRow) -> str:
    return problem.severity if problem.severity in SEVERITIES else "error"


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column == LINE else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)


NO_PROBLEMS = "No problems"


class ProblemsView(QTreeView):
    """A list; one click or Return leads to the place, a click on "Grant it" or Alt+Enter mends it.

    Signals: problem_activated(line, column). grant_requested(names): the script is to be granted these tools.
    """

    problem_activated = Signal(int, int)
    grant_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("problemsView")
        self.setAccessibleName("Problems")
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self._problems = ProblemModel(self)
        self.setModel(self._problems)
        self._shape_header()
        self._empty = EmptyOverlay(self, NO_PROBLEMS)
        self._empty.watch(self._problems)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu_requested)
        self.clicked.connect(self._on_clicked)
        self.activated.connect(self._on_activated)
        theme().changed.connect(self._problems.repaint)

    @property
    def count(self) -> int:
        return self._problems.rowCount()

    def set_problems(self, problems: Sequence[ProblemRow], note: str = "") -> None:
        """Shows these, worst first; where there are none, the note tells what would let some be found."""
        self._problems.set_problems(problems)
        self._empty.setText(f"{NO_PROBLEMS}\n{note}" if note else NO_PROBLEMS)
        self.setColumnHidden(MENDING, not any(ungranted(problem) for problem in problems))

    def menu_for(self, index: QModelIndex) -> QMenu:
        """What can be done with the row."""
        menu = QMenu(self)
        name = ungranted(self._problems.problem(index.row()))
        menu.addAction("Go to the place", lambda: self._on_activated(index))
        if name:
            menu.addAction(f"Grant {name}", lambda: self.grant_requested.emit([name]))
            missing = self._missing()
            if len(missing) > 1:
                menu.addAction(f"Grant all {len(missing)} that are missing", lambda: self.grant_requested.emit(missing))
        return menu

    def _missing(self) -> list[str]:
        """Every tool that is not granted, once."""
        names = (ungranted(self._problems.problem(row)) for row in range(self.count))
        return list(dict.fromkeys(filter(None, names)))

    def _shape_header(self) -> None:
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(MESSAGE, QHeaderView.ResizeMode.Stretch)
        for column in (LINE, MENDING):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.setColumnHidden(MENDING, True)
        header.setMinimumSectionSize(48)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def _on_activated(self, index: QModelIndex) -> None:
        problem = self._problems.problem(index.row())
        self.problem_activated.emit(problem.line, problem.column)

    def _on_clicked(self, index: QModelIndex) -> None:
        if self._is_link(index):
            self.grant_requested.emit([ungranted(self._problems.problem(index.row()))])
        else:
            self._on_activated(index)

    def _on_menu_requested(self, location: QPoint) -> None:
        index = self.indexAt(location)
        if index.isValid():
            menu = self.menu_for(index)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.viewport().mapToGlobal(location))

    def _is_link(self, index: QModelIndex) -> bool:
        return index.isValid() and index.column() == MENDING and bool(ungranted(self._problems.problem(index.row())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        name = ungranted(self._problems.problem(index.row())) if index.isValid() else ""
        alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        if name and alt and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.grant_requested.emit([name])
            return
        super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        link = self._is_link(self.indexAt(event.position().toPoint()))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)
