"""The tab in which a person says where calls stop, and what answers instead of tools."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from ptc_studio.ui.answers.section import Section
from ptc_studio.ui.widgets.scrolled import Scrolled

NO_BREAKPOINTS = "No breakpoints. Click beside a line of the script, or press + to stop at the calls of a tool."
NO_MOCKS = "No mocks. Press + to have a value, an expression or an error answer instead of a tool."


class AnswersPanel(QWidget):
    """Breakpoints at the left, mocks at the right; one above the other where their heads would not fit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answersView")
        self.setAccessibleName("Answers")
        self.breakpoints = Section("breakpointList", "Breakpoints", NO_BREAKPOINTS)
        self.mocks = Section("mockList", "Mocks", NO_MOCKS)
        self.halves = QSplitter(Qt.Orientation.Horizontal)
        self.halves.setProperty("role", "divided")
        self.halves.setHandleWidth(1)
        self.halves.setChildrenCollapsible(False)
        for section in (self.breakpoints, self.mocks):
            self.halves.addWidget(section)
        self.halves.setSizes([1, 1])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(Scrolled(self.halves))
        self.setFocusProxy(self.breakpoints.list)

    def _turn(self) -> None:
        wanted = 2 * max(section.head_width for section in (self.breakpoints, self.mocks))
        side = Qt.Orientation.Horizontal if self.width() > wanted else Qt.Orientation.Vertical
        if side != self.halves.orientation():
            self.halves.setOrientation(side)
            self.halves.setSizes([1, 1])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()
