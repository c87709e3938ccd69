"""The tree of tools for a view: an adapter over `tree`, and how its lines are drawn."""

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from ptc_studio.ui.language.target_calls import TargetCalls
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW
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


GAP = 8
SPINNING = "◐◓◑◒"
MARK_ROOM = 44
"""What a source's mark and some of its badge need behind the name."""


class ToolDelegate(QStyledItemDelegate):
    """Lets the style draw the line and its check box, then adds what stands behind the name."""

    phase = 0
    """How far the mark of what is loading has turned."""

    def _finish(self, painter: QPainter, option: QStyleOptionViewItem, node: ToolNode) -> None:
        widget = option.widget
        area = widget.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, widget)
        area.setLeft(area.left() + GAP // 2 + QFontMetrics(option.font).horizontalAdvance(option.text) + GAP)
        if isinstance(node.row, SourceRow):
            self._draw_source(painter, area, node.row, node)
            return
        if not isinstance(node.row, ToolRow):
            if node.children:
                _badge(painter, area, f"{node.count:,}", "muted")
            return
        if not node.row.enabled:
            area.setLeft(_badge(painter, area, "off", "muted") + GAP)
        if node.row.fault:
            _words(painter, area, f"✕ {node.row.brief_fault}", "error")
            return
        if node.row.target:
            area.setLeft(_words(painter, area, f"→ {node.row.target}", "muted") + GAP)
        if node.row.permission != "allow":
            _badge(painter, area, node.row.permission, "warning" if node.row.permission == "ask" else "error")

    def _draw_source(self, painter: QPainter, area: QRect, row: SourceRow, node: ToolNode) -> None:
        """Kind and number of tools, then the mark, then what there is to say."""
        badge = " · ".join(filter(None, (row.badge, f"{node.count:,}" if row.state == "ready" else "")))
        if badge:
            area.setLeft(_badge(painter, area, badge, "muted") + GAP)
        mark = SPINNING[self.phase % len(SPINNING)] if row.waits else row.mark
        area.setLeft(_words(painter, area, mark, row.tone) + GAP // 2)
        _words(painter, area, row.brief, row.tone if row.state in ("failed", "restarting") else "muted")

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        node: ToolNode = index.data(NODE_ROLE)
        if isinstance(node.row, ToolRow):
            option.font = theme().code_font()
            if not node.ticked or not node.row.is_callable:
                option.palette.setColor(option.palette.ColorRole.Text, theme().colour("muted"))
        else:
            option.font = theme().text_font(bold=node.kind == "source")
        if isinstance(node.row, ErrorRow):
            option.text = node.label if node.row.script else f"▲  {node.label}"
        option.fontMetrics = QFontMetrics(option.font)
        option.text = _fitting(option, node)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        full = QStyleOptionViewItem(option)
        self.initStyleOption(full, index)
        painter.save()
        painter.setClipRect(option.rect)
        self._finish(painter, full, index.data(NODE_ROLE))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: ARG002
        return QSize(theme().pixels(120), theme().pixels(ROW))


def _fitting(option: QStyleOptionViewItem, node: ToolNode) -> str:
    """The name, cut so that the permission, or the mark of a source, still has room."""
    if isinstance(node.row, SourceRow) and option.rect.width() > 0:
        taken = theme().pixels(MARK_ROOM) + 3 * GAP
        return option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideRight, option.rect.width() - taken)
    badge = node.row.permission if isinstance(node.row, ToolRow) and node.row.permission != "allow" else ""
    if option.rect.width() <= 0 or not badge:
        return option.text
    taken = QFontMetrics(theme().text_font(small=True)).horizontalAdvance(badge) + theme().pixels(24) + 3 * GAP
    return option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideRight, option.rect.width() - taken)


def _words(painter: QPainter, area: QRect, text: str, colour: str) -> int:
    """A text at the left of the area, cut where it ends; gives where it ends."""
    painter.setFont(theme().text_font())
    painter.setPen(theme().colour(colour))
    metrics = painter.fontMetrics()
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, area.width() - 4))
    painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), text)
    return area.left() + metrics.horizontalAdvance(text)


def _badge(painter: QPainter, area: QRect, text: str, colour: str) -> int:
    """A small rounded frame with a text, at the left of the area, if it has room there; gives where it ends."""
    painter.setFont(theme().text_font(small=True))
    metrics = painter.fontMetrics()
    height = metrics.height() + 4
    frame = QRectF(area.left(), area.center().y() - height / 2 + 0.5, metrics.horizontalAdvance(text) + 14, height)
    if frame.right() > area.right():
        return area.left()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(theme().colours.line))
    painter.setBrush(theme().colour("raised"))
    painter.drawRoundedRect(frame, height / 2, height / 2)
    painter.setPen(theme().colour(colour))
    painter.drawText(frame, int(Qt.AlignmentFlag.AlignCenter), text)
    return int(frame.right())


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
