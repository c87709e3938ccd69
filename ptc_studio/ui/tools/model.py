"""The tree of tools for a view: an adapter over `tool_tree`."""

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from ptc_studio.ui.language.target_calls import TargetCalls
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tools.header import TOOLS_FORMAT, dragged_tools
from ptc_studio.ui.tools.rows import ErrorRow, SourceRow, ToolRow, ToolRows
from ptc_studio.ui.tools.tree import (
    RowsChanged,
    RowsInserted,
    RowsRemoved,
    Ticked,
    ToolNode,
    build,
    changes,
    grant_of,
    narrow,
    tick,
)
from ptc_studio.ui.widgets.labels import plain_tip

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
NODE_ROLE = Role.UserRole + 1
"""The node itself."""
_CHECKS = {
    "all": Qt.CheckState.Checked,
    "some": Qt.CheckState.PartiallyChecked,
    "none": Qt.CheckState.Unchecked,
}


class ToolModel(QAbstractItemModel):
    """One column; groups and tools can be ticked, tools dragged.

    Signals: grant_changed(names): what is ticked changed; None stands for everything. tools_dropped(names): tools
    were dropped where the aliases are.
    """

    grant_changed = Signal(object)
    tools_dropped = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root = build(ToolRows())
        self._former: list[ToolNode] = []
        """Lines that went with the last change, kept until the next: an index may still point at one."""
        self._ticked = Ticked()
        self._filter = ""
        self.language = "python"
        self.calls: TargetCalls | None = None
        """How the script's target wants tools called; None: as everywhere here."""
        """In which calls are dragged."""

    @property
    def root(self) -> ToolNode:
        return self._root

    @property
    def grant(self) -> tuple[str, ...] | None:
        """The names of what is ticked; None stands for everything."""
        return grant_of(self._root)

    def set_tools(
        self,
        tools: Sequence[ToolRow],
        aliases: Sequence[ToolRow] = (),
        errors: Sequence[ErrorRow] = (),
        sources: Sequence[SourceRow] = (),
    ) -> None:
        """Shows these, by as few changes of lines as can be; what was ticked or unticked stays so."""
        before = self.grant
        fresh = build(ToolRows(tuple(tools), tuple(aliases), tuple(errors), tuple(sources)))
        self._ticked.carry_over(self._root, fresh)
        narrow(fresh, self._filter)
        gone: list[ToolNode] = []
        for change in changes(self._root, fresh):
            match change:
                case RowsRemoved():
                    last = change.first + change.count - 1
                    gone += change.parent.shown[change.first : last + 1]
                    self.beginRemoveRows(self.index_of(change.parent), change.first, last)
                    change.apply()
                    self.endRemoveRows()
                case RowsInserted():
                    last = change.first + len(change.nodes) - 1
                    self.beginInsertRows(self.index_of(change.parent), change.first, last)
                    change.apply()
                    self.endInsertRows()
                case RowsChanged():
                    index = self.index_of(change.node)
                    self.dataChanged.emit(index, index)
        self._former = gone
        if self.grant != before:
            self.grant_changed.emit(self.grant)

    def set_filter(self, wanted: str) -> None:
        """Leaves what has every word of the text in its name, module or description."""
        self.beginResetModel()
        self._filter = wanted
        narrow(self._root, wanted)
        self.endResetModel()

    def set_grant(self, names: Iterable[str] | None) -> None:
        """Ticks exactly these."""
        self._ticked.only(self._root, names)
        self._tell_ticks()

    def rename_tick(self, former: str, name: str) -> None:
        """Has an alias that gets another name stay ticked or not."""
        self._ticked.remember(self._root)
        self._ticked.rename(former, name)

    def node(self, index: Index) -> ToolNode:
        return index.internalPointer() if index.isValid() else self._root

    def index_of(self, node: ToolNode) -> QModelIndex:
        return QModelIndex() if node is self._root else self.createIndex(node.location, 0, node)

    def _tell_ticks(self, within: ToolNode | None = None) -> None:
        node = within or self._root
        if node.shown:
            first, last = self.index_of(node.shown[0]), self.index_of(node.shown[-1])
            self.dataChanged.emit(first, last, [Role.CheckStateRole])
        for child in node.shown:
            if child.children:
                self._tell_ticks(child)

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        shown = self.node(parent).shown
        if column != 0 or not 0 <= row < len(shown):
            return QModelIndex()
        return self.createIndex(row, 0, shown[row])

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        above = self.node(index).parent
        return QModelIndex() if above is None else self.index_of(above)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.column() > 0 else len(self.node(parent).shown)

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        # Asked for every row at every layout: worth an answer of its own.
        return bool(self.node(parent).shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, ARG002
        return 1

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node = self.node(index)
        match role:
            case Role.DisplayRole:
                return node.title
            case Role.CheckStateRole:
                return _CHECKS[node.ticks] if _can_be_ticked(node) else None
            case Role.ToolTipRole:
                return plain_tip(_tooltip(node))
            case Role.ForegroundRole:
                return theme().colour(_tone(node)) if node.kind == "error" else None
            case Role.AccessibleTextRole:
                return _spoken(node)
            case _:
                return node if role == NODE_ROLE else None

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.CheckStateRole or not index.isValid() or not _can_be_ticked(self.node(index)):
            return False
        tick(self.node(index), Qt.CheckState(value) == Qt.CheckState.Checked)
        self._ticked.remember(self._root)
        self._tell_ticks()
        self.grant_changed.emit(self.grant)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        node = self.node(index)
        if _can_be_ticked(node):
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        if node.kind == "alias" or node.holds_aliases:
            flags |= Qt.ItemFlag.ItemIsDropEnabled
        return flags | Qt.ItemFlag.ItemIsDragEnabled if node.is_callable else flags

    def mimeTypes(self) -> list[str]:
        return ["text/plain", TOOLS_FORMAT]

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction

    def canDropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        del action, row, column
        return data.hasFormat(TOOLS_FORMAT) and bool(self.flags(parent) & Qt.ItemFlag.ItemIsDropEnabled)

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        if self.canDropMimeData(data, action, row, column, parent):
            self.tools_dropped.emit(dragged_tools(data))
        # Nothing has come into the tree by it.
        return False

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        rows = [self.node(index).row for index in indexes]
        data.setText("\n".join(row.call_in(self.language, self.calls) for row in rows if isinstance(row, ToolRow)))
        names = [row.target or row.name for row in rows if isinstance(row, ToolRow)]
        data.setData(TOOLS_FORMAT, "\n".join(names).encode())
        return data


def _can_be_ticked(node: ToolNode) -> bool:
    return node.is_callable if node.kind in ("tool", "alias") else node.kind != "error"


def _tone(node: ToolNode) -> str:
    return "muted" if isinstance(node.row, ErrorRow) and node.row.script else "error"


def _tooltip(node: ToolNode) -> str:
    row = node.row
    if row is None:
        return ""
    if isinstance(row, ErrorRow):
        line = f", line {row.line}" if row.line else ""
        return f"{row.message}\n{row.file}{line}"
    if isinstance(row, SourceRow):
        return "\n".join(filter(None, (f"{row.mark} {row.name}: {row.word}", row.detail, row.location)))
    leads = f" → {row.target}" if row.target else ""
    state = f"\n✕ {row.fault}" if row.fault else "" if row.enabled else "\nDisabled: scripts cannot call it."
    return f"{node.label}{leads}\n{row.description.partition(chr(10) * 2)[0]}".rstrip() + state


def _spoken(node: ToolNode) -> str:
    row = node.row
    if isinstance(row, SourceRow):
        count = f"{node.count} tool{'' if node.count == 1 else 's'}" if row.state == "ready" else row.brief
        return ", ".join(filter(None, (row.name, row.badge, row.word, count)))
    if not isinstance(row, ToolRow):
        return node.label
    leads = f" leads to {row.target}" if row.target else ""
    state = f", broken: {row.fault}" if row.fault else "" if row.enabled else ", disabled"
    return f"{node.label}{leads}{state}" + (f", {row.permission}" if row.permission != "allow" else "")
