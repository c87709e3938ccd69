"""The call tree for Qt's views: an adapter over `CallTree`."""

import time
from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from ptc_studio.core.cost import tokens_of_call
from ptc_studio.core.trace import CallRecord
from ptc_studio.ui.calls.call_tree import (
    OF_A_RUN,
    CallTree,
    NodeInserted,
    NodesAppended,
    NodesChanged,
    NodesMoved,
    NodesRemoved,
    Operation,
)
from ptc_studio.ui.calls.filter import CallFilter, FilterPass
from ptc_studio.ui.calls.nodes import CallGroup, CallNode, LineGroup, TreeNode
from ptc_studio.ui.calls.values import milliseconds, row_text, tooltip
from ptc_studio.ui.chunked_task import ChunkedTask
from ptc_studio.ui.tokens import MARKS
from ptc_studio.ui.widgets.labels import plain_tip


class RunClock:
    """Learns from what comes in where the run's zero lies; stands still once the run has ended."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._zero = now() * 1000
        self._latest = 0.0
        self._running = True

    @property
    def running(self) -> bool:
        return self._running

    def saw(self, run_ms: float) -> None:
        """Something of that time came in just now, so the run began at least so long ago."""
        self._latest = max(self._latest, run_ms)
        self._zero = min(self._zero, self._now() * 1000 - run_ms)

    def stop(self) -> None:
        """The run has ended."""
        self._latest = self.elapsed()
        self._running = False

    def elapsed(self) -> float:
        """Milliseconds since the run began, or all it took."""
        return max(self._latest, self._now() * 1000 - self._zero) if self._running else self._latest


CALL, MS, TIME, TOKENS = range(4)
HEADERS = ("Call", "ms", "Time", "Tokens")
RECORD, LINE, CALL_ID, STATUS = range(Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 5)
LOOKED_AT_ONCE = 50
"""So many calls go through the filter before the clock is looked at."""

Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
NOWHERE = QModelIndex()


class CallModel(QAbstractItemModel):
    """The calls of one run, all or those that a filter lets through.

    Signals: counted: the number of calls, or of those shown, is another.
    """

    counted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.clock = RunClock()
        self.clock.stop()
        self._filter = CallFilter()
        self._grouped = True
        self._all = CallTree()
        self._call_tree = self._all
        self._sieve: FilterPass | None = None
        self._filtering = ChunkedTask(self)
        self.kept = OF_A_RUN
        """Which calls stay in the tree where there are very many."""
        self._tools: dict[str, None] = {}
        self._tokens: dict[str, int] = {}

    @property
    def total(self) -> int:
        """The number of all calls, those that are not in the tree any longer among them."""
        return len(self._all.calls) + self._all.left_out

    @property
    def left_out(self) -> int:
        """So many calls are not in the tree any longer."""
        return self._all.left_out

    @property
    def matching(self) -> int:
        """The number of calls that the filter lets through."""
        return self._sieve.matches if self._sieve else self.total

    @property
    def filter(self) -> CallFilter:
        return self._filter

    @property
    def filtering(self) -> ChunkedTask:
        """The filter's work through calls that were there before it."""
        return self._filtering

    @property
    def tools(self) -> list[str]:
        """The names under which there were calls, in the order in which they came."""
        return list(self._tools)

    def start_run(self) -> None:
        """Forgets all calls; the clock starts."""
        self.kept = OF_A_RUN
        self.clock = RunClock()
        self._tools.clear()
        self._tokens.clear()
        self._reset(CallTree(grouped=self._grouped))

    def end_run(self) -> None:
        """The clock stands still; what has not ended never will, and what the filter took in late gets its place."""
        self.clock.stop()
        if self._sieve is not None and self._sieve.is_mixed:
            self._reset(self._all)

    def apply(self, batch: Sequence[object], *, more: bool = False) -> None:
        """Takes in what happened; with `more`, views are told with the next batch, or by `catch_up`."""
        known = len(self._all.order)
        if self._sieve is None:
            self._perform(self._all.feed(batch, more=more))
        else:
            self._all.take(batch)
            self._perform(self._call_tree.feed(self._sieve.ends(batch)))
            if not self._filtering.busy:
                self._filtering.start(self._sift(self._sieve))
        for call in self._all.order[known:]:
            self._tools.setdefault(call.name)
        self.clock.saw(self._all.latest)
        if not more:
            self.counted.emit()

    def leave_out(self, before: int) -> None:
        """So many calls came before those that are shown from here on."""
        self._all.left_out += before
        self.counted.emit()

    def let_go(self, wanted: TreeNode | None = None) -> None:
        """Lets go of calls where there are too many, but not of the wanted one; when all that came has been told."""
        call = self._all.calls.get(wanted.call_id) if isinstance(wanted, CallNode) else None
        gone = self._all.superfluous(self.kept, call)
        if not gone:
            return
        before = self._all.order
        for each in gone:
            self._tokens.pop(each.call_id, None)
        if self._sieve is None:
            self._perform(self._all.forget(gone))
        else:
            self._sieve.forget(gone, before)
            self._perform(self._call_tree.forget(gone))
            for operation in self._all.forget(gone):
                operation.apply()
        self.counted.emit()

    def catch_up(self) -> None:
        """Tells the views what they have not been told yet."""
        self._perform(self._call_tree.rest())
        self.counted.emit()

    def set_filter(self, wanted: CallFilter) -> None:
        """Shows only what the filter lets through; older calls come in bit by bit."""
        if wanted != self._filter:
            self._filter = wanted
            self._reset(self._all)

    def set_grouped(self, grouped: bool) -> None:
        """Whether calls of one line stand together, or all in the order in which they came."""
        if grouped != self._grouped:
            self._grouped = grouped
            self._reset(self._all)

    def call(self, call_id: str) -> CallNode | None:
        """The call, if it is shown."""
        call = self._call_tree.calls.get(call_id)
        return None if call is None or call.unseen else call

    def any_call(self, call_id: str) -> CallNode | None:
        """The call, whether it is shown or not."""
        return self._all.calls.get(call_id)

    @property
    def all_calls(self) -> Sequence[CallNode]:
        """All calls of the run, shown or not, in the order in which they came; another list for each run."""
        return self._all.order

    def calls(self) -> Sequence[CallNode]:
        """All calls that are shown, in the order in which they came."""
        return self._call_tree.order

    def call_on_line(self, line: int) -> CallNode | None:
        """The first call that the script made from a line."""
        return next((call for call in self._call_tree.root.calls() if call.line == line and not call.unseen), None)

    def index_of(self, node: TreeNode | None, column: int = 0) -> QModelIndex:
        """Where a call or a fold stands."""
        if node is None or node.parent is None:
            return QModelIndex()
        return self.createIndex(node.row, column, node)

    def node(self, index: Index) -> TreeNode:
        """What stands there; the root for no index."""
        return index.internalPointer() if index.isValid() else self._call_tree.root

    def record(self, index: Index) -> CallRecord | None:
        """The record of the call that stands there."""
        node = self.node(index)
        return node.record() if isinstance(node, CallNode) else None

    def duration(self, node: TreeNode) -> float:
        """What a row took, or has taken so far."""
        if not isinstance(node, CallNode | CallGroup):
            return 0.0
        if isinstance(node, CallNode) and node.finished:
            return node.finished.duration_ms
        end = self.clock.elapsed() if node.end is None else node.end
        return max(end - node.start, 0.0)

    def _reset(self, everything: CallTree) -> None:
        self._filtering.cancel()
        self.beginResetModel()
        # Indexes point at nodes: the old ones must live until the views have let go.
        before = self._call_tree
        self._all = everything
        as_it_is = not self._filter and everything.grouped == self._grouped
        self._call_tree = everything if as_it_is else CallTree(grouped=self._grouped)
        self._sieve = None if as_it_is else FilterPass(everything, self._filter)
        self.endResetModel()
        del before
        if self._sieve:
            self._filtering.start(self._sift(self._sieve))
        self.counted.emit()

    def _sift(self, sieve: FilterPass) -> Iterator[None]:
        while sieve.behind:
            before = sieve.matches
            self._perform(self._call_tree.feed(sieve.catch_up(LOOKED_AT_ONCE)))
            if sieve.matches != before:
                self.counted.emit()
            yield

    def _perform(self, operations: Iterator[Operation]) -> None:
        """Tells the views, has it done, and tells them that it is done."""
        for operation in operations:
            match operation:
                case NodesAppended() | NodeInserted():
                    last = operation.first + operation.count - 1
                    self.beginInsertRows(self.index_of(operation.parent), operation.first, last)
                    operation.apply()
                    self.endInsertRows()
                case NodesRemoved():
                    last = operation.first + operation.count - 1
                    self.beginRemoveRows(self.index_of(operation.parent), operation.first, last)
                    operation.apply()
                    self.endRemoveRows()
                case NodesMoved():
                    self._move(operation)
                case NodesChanged():
                    self._change(operation)

    def _move(self, moved: NodesMoved) -> None:
        source, target = self.index_of(moved.source), self.index_of(moved.target)
        last = moved.first + moved.count - 1
        self.beginMoveRows(source, moved.first, last, target, len(moved.target.rows))
        moved.apply()
        self.endMoveRows()

    def _change(self, changed: NodesChanged) -> None:
        rows = changed.parent.rows
        top = self.index_of(rows[changed.first])
        self.dataChanged.emit(top, self.index_of(rows[changed.last], TOKENS))

    def tokens_text(self, node: TreeNode) -> str:
        """About how many tokens its answer has; empty of what runs, and of groups."""
        if not isinstance(node, CallNode) or not node.finished:
            return ""
        if node.call_id not in self._tokens:
            # To look at a long answer takes a while, and a row is drawn often.
            self._tokens[node.call_id] = tokens_of_call(node.record())
        return f"{self._tokens[node.call_id]:,}"

    def _text(self, node: TreeNode, column: int) -> str:
        if column == CALL:
            return f"{MARKS.get(getattr(node, 'mark', ''), '')} {row_text(node)}"
        if column == TOKENS:
            return self.tokens_text(node)
        return milliseconds(self.duration(node)) if column == MS else ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        node: Any = index.internalPointer()
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._text(node, index.column())
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(tooltip(node)) if index.column() == CALL else None
            case Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT if index.column() in (MS, TOKENS) else None
            case _:
                return self._own_data(node, role)

    def _own_data(self, node: TreeNode, role: int) -> Any:
        if role == RECORD:
            # Qt would copy a plain dict, deeply and with its keys sorted.
            return MappingProxyType(node.record()) if isinstance(node, CallNode) else None
        if role == LINE:
            return node.line if isinstance(node, CallNode | LineGroup) else None
        if role == CALL_ID:
            return node.call_id if isinstance(node, CallNode) else None
        return getattr(node, "status", None) if role == STATUS else None

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        above: TreeNode = parent.internalPointer() if parent.isValid() else self._call_tree.root
        if 0 <= row < above.shown and 0 <= column <= TOKENS and parent.column() <= 0:
            return self.createIndex(row, column, above.rows[row])
        return QModelIndex()

    def parent(self, index: Index = NOWHERE) -> QModelIndex:  # pyright: ignore[reportIncompatibleMethodOverride]
        above = index.internalPointer().parent if index.isValid() else None
        if above is None or above.parent is None:
            return QModelIndex()
        return self.createIndex(above.row, 0, above)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        if not parent.isValid():
            return self._call_tree.root.shown
        return 0 if parent.column() > 0 else parent.internalPointer().shown

    def columnCount(self, parent: Index = NOWHERE) -> int:  # noqa: ARG002
        return len(HEADERS)

    def hasChildren(self, parent: Index = NOWHERE) -> bool:
        if not parent.isValid():
            return self._call_tree.root.shown > 0
        return parent.column() <= 0 and parent.internalPointer().shown > 0

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADERS[section]
        if role == Qt.ItemDataRole.ToolTipRole and section == TOKENS:
            return plain_tip("About how many tokens the answer has: what it would have put into a model's context")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in (MS, TOKENS) else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None
