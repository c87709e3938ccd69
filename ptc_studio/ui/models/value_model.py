"""A JSON value for Qt's views: an adapter over `ValueNode`, which builds what is opened."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ptc_studio.ui.models.value_nodes import Path, ValueNode
from ptc_studio.ui.models.value_text import plain
from ptc_studio.ui.widgets.plain_text import plain_tip

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
TOOLTIP_ROOM = 2_000


class ValueModel(QAbstractItemModel):
    """One value; its only top row is the whole of it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._top: ValueNode | None = None

    @property
    def value(self) -> Any:
        return self._top.value if self._top else None

    def set_value(self, value: Any) -> None:
        """Shows another value."""
        self.beginResetModel()
        # Indexes point at nodes: the old ones must live until the views have let go.
        before, self._top = self._top, ValueNode(value)
        self.endResetModel()
        del before

    def node(self, index: Index) -> ValueNode:
        return index.internalPointer()

    def index_of_path(self, path: Path) -> QModelIndex:
        """Where a value stands, building what leads to it."""
        index = self.index(0, 0)
        for key in path:
            node = self.node(index)
            self.fetchMore(index)
            row = node.row_of(key)
            if node.rows and node.rows[0].span is not None:
                size = len(node.rows[0].span)
                index, row = self.index(row // size, 0, index), row % size
                self.fetchMore(index)
            index = self.index(row, 0, index)
        return index

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node: ValueNode = index.internalPointer()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return plain(node.parts())
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(node.value, str) and len(node.value) > 40:
            more = "…" if len(node.value) > TOOLTIP_ROOM else ""
            return plain_tip(node.value[:TOOLTIP_ROOM] + more)
        return None

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        if column != 0 or row < 0:
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(0, 0, self._top) if row == 0 and self._top else QModelIndex()
        rows = parent.internalPointer().rows
        return self.createIndex(row, 0, rows[row]) if row < len(rows) else QModelIndex()

    def parent(self, index: Index = NOWHERE) -> QModelIndex:  # pyright: ignore[reportIncompatibleMethodOverride]
        above = index.internalPointer().parent if index.isValid() else None
        return QModelIndex() if above is None else self.createIndex(above.row, 0, above)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        if not parent.isValid():
            return 1 if self._top else 0
        return len(parent.internalPointer().rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:  # noqa: ARG002
        return 1

    def hasChildren(self, parent: Index = NOWHERE) -> bool:
        return parent.internalPointer().has_rows if parent.isValid() else self._top is not None

    def canFetchMore(self, parent: Index) -> bool:
        if not parent.isValid():
            return False
        node: ValueNode = parent.internalPointer()
        return node.has_rows and not node.rows

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            node: ValueNode = parent.internalPointer()
            rows = node.build()
            self.beginInsertRows(parent, 0, len(rows) - 1)
            node.rows = rows
            self.endInsertRows()
