"""Turns the marks of sources that are loading."""

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QTreeView

from ptc_studio.ui.models.source_rows import SourceRow
from ptc_studio.ui.models.tool_model import ToolModel
from ptc_studio.ui.widgets.tool_delegate import ToolDelegate

TURN_MS = 150


class ToolSpinner(QObject):
    """Draws nothing but the lines that wait, and nothing at all while none does or nobody sees it."""

    def __init__(self, tree: QTreeView, model: ToolModel, delegate: ToolDelegate) -> None:
        super().__init__(tree)
        self._tree, self._model, self._delegate = tree, model, delegate
        self._timer = QTimer(self, interval=TURN_MS)
        self._timer.timeout.connect(self._turn)

    @property
    def turns(self) -> bool:
        return self._timer.isActive()

    def watch(self, waiting: bool) -> None:
        """Whether there is something that waits."""
        if waiting != self.turns:
            (self._timer.start if waiting else self._timer.stop)()

    def _turn(self) -> None:
        if not self._tree.isVisible():
            return
        self._delegate.phase += 1
        for node in self._model.root.shown:
            if isinstance(node.row, SourceRow) and node.row.waits:
                self._tree.update(self._model.index_of(node))
