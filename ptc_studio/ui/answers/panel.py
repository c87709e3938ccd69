"""The tab in which a person says where calls stop, and what answers instead of tools."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from ptc_studio.ui.answers.section import Section

NO_BREAKPOINTS = "No breakpoints. Click beside a line of the script, or press + to stop at the calls of a tool."
NO_MOCKS = "No mocks. Press + to have a value, an expression or an error answer instead of a tool."


class AnswersPanel(QWidget):
    """Breakpoints at the left, mocks at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("answersView")
        self.setAccessibleName("Answers")
        self.breakpoints = Section("breakpointList", "Breakpoints", NO_BREAKPOINTS)
        self.mocks = Section("mockList", "Mocks", NO_MOCKS)
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setProperty("role", "divided")
        halves.setHandleWidth(1)
        halves.setChildrenCollapsible(False)
        for section in (self.breakpoints, self.mocks):
            halves.addWidget(section)
        halves.setSizes([1, 1])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(halves)
        self.setFocusProxy(self.breakpoints.list)
