"""What is wrong with the script, as a list that leads to the places."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTreeView, QWidget

from ptc_studio.ui.models.problem_model import Problem, ProblemModel
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.empty_overlay import EmptyOverlay

NO_PROBLEMS = "No problems"


class ProblemsView(QTreeView):
    """A list; one click or Return leads to the place.

    Signals: problem_activated(line, column).
    """

    problem_activated = Signal(int, int)

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
        self.clicked.connect(self._on_activated)
        self.activated.connect(self._on_activated)
        theme().changed.connect(self._problems.repaint)

    @property
    def count(self) -> int:
        return self._problems.rowCount()

    def set_problems(self, problems: Sequence[Problem], note: str = "") -> None:
        """Shows these, worst first; where there are none, the note tells what would let some be found."""
        self._problems.set_problems(problems)
        self._empty.setText(f"{NO_PROBLEMS}\n{note}" if note else NO_PROBLEMS)

    def _shape_header(self) -> None:
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setMinimumSectionSize(64)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def _on_activated(self, index: QModelIndex) -> None:
        problem = self._problems.problem(index.row())
        self.problem_activated.emit(problem.line, problem.column)
