"""The tree of calls itself: columns, opening and closing, running times, what is selected."""

from collections.abc import Iterator

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from ptc_studio.ui.models.call_model import CALL, MS, TIME, CallModel
from ptc_studio.ui.models.call_nodes import Call, Fold, Node
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW
from ptc_studio.ui.widgets.call_delegates import BarDelegate, MillisecondsDelegate, WordsDelegate
from ptc_studio.ui.widgets.flat_tree import FlatTree

MOST_OPENED = 2_000
"""Opening everything stops at so many rows: a tree lays out every open row at each insert."""


class CallTreeView(FlatTree):
    """Shows a `CallModel`.

    Signals: touched: the user chose a row with mouse or keys. again_requested(record): the same call is wanted by hand.
    answer_requested(verb, record): such calls are to stop (`break`), or to be answered otherwise (`mock`).
    """

    touched = Signal()
    again_requested = Signal(object)
    answer_requested = Signal(str, object)

    def __init__(self, model: CallModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setObjectName("callTree")
        self.setAccessibleName("Calls of the run")
        self.setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._delegates = (WordsDelegate(model, self), MillisecondsDelegate(model, self), BarDelegate(model, self))
        for column, delegate in enumerate(self._delegates):
            self.setItemDelegateForColumn(column, delegate)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        header.setMinimumSectionSize(theme().pixels(40))
        header.setSectionResizeMode(CALL, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(MS, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(TIME, QHeaderView.ResizeMode.Fixed)
        self.restyle()

    def restyle(self) -> None:
        super().restyle()
        self.header().setFixedHeight(theme().pixels(ROW))
        self._size_columns()

    def lay_out_now(self) -> None:
        """Gives new rows their places at once; Qt would do it later, when others want the interpreter, too."""
        self.executeDelayedItemsLayout()

    def select(self, node: Node) -> None:
        """Makes a row the current one, in sight."""
        index = self._model.index_of(node)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, flags)
        self.scrollTo(index)

    def selected_calls(self) -> list[Call]:
        """The calls that are selected; of a group, all of it."""
        found: dict[Call, None] = {}
        for index in self.selectionModel().selectedRows():
            node = self._model.node(index)
            for call in [node] if isinstance(node, Call) else node.calls():
                found[call] = None
        return list(found)

    def open_all(self) -> bool:
        """Opens what can be opened, from the top, up to a bound; the answer is whether that was all."""
        opened = self._model.rowCount()
        for node in self._parents():
            opened += node.shown
            if opened > MOST_OPENED:
                return False
            self.expand(self._model.index_of(node))
        return True

    def update_running(self) -> None:
        """Draws the visible rows that have not ended, as their time goes on, and all bars, as the run gets longer."""
        width = self.viewport().width()
        bars = self.columnViewportPosition(TIME)
        self.viewport().update(bars, 0, width - bars, self.viewport().height())
        for index in self.visible_indexes():
            node = self._model.node(index)
            if isinstance(node, Call | Fold) and node.end is None:
                rect = self.visualRect(index)
                self.viewport().update(0, rect.top(), width, rect.height())

    def _parents(self) -> Iterator[Node]:
        """All rows that have rows below them, each after the one it stands in."""
        waiting = [self._model.node(QModelIndex())]
        while waiting:
            node = waiting.pop(0)
            if node.parent is not None:
                yield node
            waiting.extend(below for below in node.rows if below.shown)

    def _size_columns(self) -> None:
        width = self.viewport().width()
        self.header().resizeSection(MS, theme().pixels(62))
        self.header().resizeSection(TIME, min(max(int(width * 0.26), theme().pixels(64)), theme().pixels(260)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._size_columns()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.touched.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        super().keyPressEvent(event)
        if self.currentIndex() != before:
            self.touched.emit()
