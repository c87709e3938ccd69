"""Short ways for the tests of breakpoints and mocks."""

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from ptc_studio.ui.breakpoints_and_mocks.mocks import BreakpointsAndMocks


class Desk:
    """What a user does with the tab."""

    def __init__(self, studio: Any) -> None:
        self.studio = studio
        self.answers: BreakpointsAndMocks = studio.window.answers
        self.panel = studio.window.panels.answers
        self.core = studio.window.workbench.studio

    @property
    def page(self) -> Any:
        return self.studio.window.editors.current()

    def rows(self, which: str) -> list[tuple[str, str, bool]]:
        """Title, detail and tick of each line of a list."""
        model = getattr(self.panel, which).list.rows
        checked = Qt.ItemDataRole.CheckStateRole
        return [
            (
                model.index(row, 0).data(),
                model.index(row, 1).data(),
                model.index(row, 0).data(checked) == Qt.CheckState.Checked,
            )
            for row in range(model.rowCount())
        ]

    def tick(self, which: str, row: int, on: bool) -> None:
        model = getattr(self.panel, which).list.rows
        state = Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
        model.setData(model.index(row, 0), state.value, Qt.ItemDataRole.CheckStateRole)

    def click_gutter(self, line: int) -> None:
        editor = self.page.editor
        block = editor.document().findBlockByNumber(line - 1)
        box = editor.blockBoundingGeometry(block).translated(editor.contentOffset())
        QTest.mouseClick(editor.gutter, Qt.MouseButton.LeftButton, pos=QPoint(6, round(box.center().y())))

    @property
    def said(self) -> str:
        return self.studio.window.status_line.answers

    @property
    def file(self) -> str:
        path = self.studio.workspace / "mocks.yaml"
        return path.read_text() if path.exists() else ""


@pytest.fixture
def desk(studio: Any) -> Desk:
    return Desk(studio)
