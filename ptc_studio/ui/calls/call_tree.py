"""The live tree of one run, fed with events. Knows no Qt; tells each change before it takes effect.

Calls repeated from one line fold into a group from the third on, unless all are to stand as they came. No list is
longer than a thousand rows: longer ones are cut into ranges, because a view lays out every open row at each insert.
"""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ptc_studio.core.events import CallEdited, CallFinished, CallNoted, CallProgressed, CallStarted
from ptc_studio.ui.calls.nodes import Caller, CallGroup, CallNode, Kinds, LineGroup, Note, RangeGroup, TreeNode


@dataclass(frozen=True, slots=True)
class NodesAppended:
    """Rows at the end of a list come into view."""

    parent: TreeNode
    first: int
    count: int

    def apply(self) -> None:
        self.parent.shown = self.first + self.count


@dataclass(frozen=True, slots=True)
class NodeInserted:
    """One row comes in between others."""

    parent: TreeNode
    first: int
    node: TreeNode
    count: int = 1

    def apply(self) -> None:
        self.parent.splice(self.first, 0, [self.node])


@dataclass(frozen=True, slots=True)
class NodesMoved:
    """Rows go to the end of another list."""

    source: TreeNode
    first: int
    count: int
    target: TreeNode

    def apply(self) -> None:
        nodes = self.source.rows[self.first : self.first + self.count]
        self.source.splice(self.first, self.count)
        self.target.splice(len(self.target.rows), 0, nodes)


@dataclass(frozen=True, slots=True)
class NodesChanged:
    """Rows of one list, from first to last, look different."""

    parent: TreeNode
    first: int
    last: int

    def apply(self) -> None:
        """Nothing: the values have changed already."""


@dataclass(frozen=True, slots=True)
class NodesRemoved:
    """Rows go, with all below them."""

    parent: TreeNode
    first: int
    count: int

    def apply(self) -> None:
        self.parent.splice(self.first, self.count)


Operation = NodesAppended | NodeInserted | NodesMoved | NodesChanged | NodesRemoved


SPAN = 1_000
"""The longest list of rows."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Which calls a tree keeps: the first, and the newest; between them some more until it is worth to let go."""

    first: int
    newest: int
    more: int = SPAN

    @property
    def most(self) -> int:
        return self.first + self.newest + self.more


OF_A_RUN = Kept(1_000, 200_000, 50_000)
OF_A_JOB = Kept(500, 2_000)
"""Of what is served, perhaps for weeks; the history has all."""


def _as_begun(batch: Iterable[object]) -> list[object]:
    """The calls in the order in which the script made them: those made at once are reported by many threads."""
    events = list(batch)
    starts = [event for event in events if isinstance(event, CallStarted)]
    if all(one.started_ms <= other.started_ms for one, other in pairwise(starts)):
        return events
    starts.sort(key=lambda event: event.started_ms)
    return [*starts, *(event for event in events if not isinstance(event, CallStarted))]


class CallTree:
    """All calls of a run as a tree of rows; `grouped`: those of one line together, else all in their order."""

    def __init__(self, *, grouped: bool = True) -> None:
        self.grouped = grouped
        self.root = Caller()
        self.calls: dict[str, CallNode] = {}
        self.order: list[CallNode] = []
        """The calls in the order in which they came."""
        self.latest = 0.0
        """The run's time at which the last thing happened, in milliseconds."""
        self.left_out = 0
        """So many calls came that are not in the tree any longer."""
        self._grown: dict[TreeNode, None] = {}
        self._touched: dict[TreeNode, None] = {}

    def feed(self, batch: Iterable[object], *, more: bool = False) -> Iterator[Operation]:
        """Takes events in; whoever iterates calls `apply` of each operation before asking for the next.

        With `more`, what can wait is told with the next batch, or by `rest`.
        """
        for event in _as_begun(batch):
            if isinstance(event, CallStarted):
                yield from self._start(event)
            elif isinstance(event, CallFinished):
                self._finish(event)
            elif isinstance(event, CallProgressed):
                self._progress(event)
            elif isinstance(event, CallNoted | CallEdited):
                self._note(event)
        if not more:
            yield from self.rest()

    def rest(self) -> Iterator[Operation]:
        """What has not been told yet."""
        yield from self._appended()
        yield from self._changed()

    def take(self, batch: Iterable[object]) -> list[Operation]:
        """Takes events in at once; the answer is what was done."""
        done: list[Operation] = []
        for operation in self.feed(batch):
            operation.apply()
            done.append(operation)
        return done

    def superfluous(self, kept: Kept, wanted: CallNode | None = None) -> list[CallNode]:
        """The calls to let go of, if it is worth it: neither the first nor the newest, all below them ended.

        Never the wanted one, nor what it was made from.
        """
        if len(self.order) <= kept.most:
            return []
        needed: set[TreeNode] = set()
        between = self.order[kept.first : -kept.newest]
        nested = [call for call in self.order[-kept.newest :] if call.started.parent_id is not None]
        for call in (*nested, *(call for call in between if not call.finished), *([wanted] if wanted else [])):
            _add_above(needed, call)
        return [call for call in between if call not in needed]

    def forget(self, calls: Iterable[CallNode]) -> Iterator[Operation]:
        """Lets go of these calls, and of groups that have none left; to be used as `feed`, after all of it."""
        gone = {self.calls.pop(call.call_id) for call in calls if call.call_id in self.calls}
        if not gone:
            return
        self.left_out += len(gone)
        self.order = [call for call in self.order if call not in gone]
        lists: dict[TreeNode, list[int]] = {}
        for call in gone:
            location = above(call)
            if _caller_of(call) not in gone:
                lists.setdefault(location, []).append(call.row)
        for location, rows in lists.items():
            for fold in (location, *groups_above(location)) if isinstance(location, CallGroup) else ():
                fold.left_out += len(rows)
                self._touch(fold)
            yield from _removed(location, rows)
            _forget_kinds(_caller_of_rows(location), gone)
        for location in lists:
            yield from self._without_empty(location)
        yield from self._changed()

    def _without_empty(self, location: TreeNode) -> Iterator[Operation]:
        """Takes a group without calls away; but a list's last range says where the next one begins."""
        while isinstance(location, CallGroup) and location.parent is not None and not location.rows:
            parent = location.parent
            if isinstance(location, RangeGroup) and location is parent.rows[-1]:
                return
            if isinstance(location, LineGroup) and isinstance(parent, Caller) and parent.kinds:
                parent.kinds.pop(location.first.kind, None)
            self._touched.pop(location, None)
            yield NodesRemoved(parent, location.row, 1)
            location = parent

    def _start(self, event: CallStarted) -> Iterable[Operation]:
        if event.call_id in self.calls:
            return ()
        call = CallNode(event)
        self.calls[event.call_id] = call
        self.order.append(call)
        self.latest = max(self.latest, event.started_ms)
        home = self.calls.get(event.parent_id) if event.parent_id else None
        return self._location(home or self.root, call)

    def _finish(self, event: CallFinished) -> None:
        call = self.calls.get(event.call_id)
        if call is None or call.finished:
            return
        if call.notes:
            self._resume(call)
        call.finished, call.progress = event, None
        self._touch(call)
        end = call.start + event.span_ms
        self.latest = max(self.latest, end)
        for fold in groups_above(call):
            fold.settle(end, event.status)
            self._touch(fold)

    def _progress(self, event: CallProgressed) -> None:
        call = self.calls.get(event.call_id)
        if call is not None and not call.finished:
            call.progress = event
            self._touch(call)

    def _note(self, event: Note) -> None:
        call = self.calls.get(event.call_id)
        if call is None:
            return
        before = call.waits
        call.note(event)
        self._touch(call)
        self._count_waiting(call, call.waits - before)

    def _resume(self, call: CallNode) -> None:
        if call.waits:
            call.resume()
            self._count_waiting(call, -1)

    def _count_waiting(self, call: CallNode, more: int) -> None:
        if more:
            for fold in groups_above(call):
                fold.waiting += more
                self._touch(fold)

    def _touch(self, node: TreeNode) -> None:
        """Notes that a row looks different; one that nobody has seen does not."""
        if node not in self._touched and not node.unseen:
            self._touched[node] = None

    def _location(self, home: Caller, call: CallNode) -> Iterable[Operation]:
        if not self.grouped:
            return self._append(home, call)
        kinds = home.kinds
        if kinds is None:
            kinds = home.kinds = {}
        known = kinds.get(call.kind)
        if isinstance(known, LineGroup):
            return self._append(known, call)
        if isinstance(known, tuple):
            return self._append_third(kinds, known, call)
        kinds[call.kind] = call if known is None else (known, call)
        return self._append(home, call)

    def _append_third(self, kinds: Kinds, known: tuple[CallNode, CallNode], call: CallNode) -> Iterator[Operation]:
        group = kinds[call.kind] = yield from self._fold(*known)
        yield from self._append(group, call)

    def _append(self, location: TreeNode, call: CallNode) -> Iterable[Operation]:
        if len(location.rows) >= SPAN and not isinstance(location.rows[-1], RangeGroup):
            return self._append_to_range(location, call)
        self._put(location, call)
        return ()

    def _append_to_range(self, location: TreeNode, call: CallNode) -> Iterator[Operation]:
        yield from self._split(location)
        self._put(location, call)

    def _put(self, location: TreeNode, call: CallNode) -> None:
        if location.rows and isinstance(location.rows[-1], RangeGroup):
            location = self._last_range(location)
        self._add(location, call)
        for fold in groups_above(call):
            fold.join(call)
            self._touch(fold)

    def _last_range(self, location: TreeNode) -> TreeNode:
        """The range that still has room."""
        last = location.rows[-1]
        if not isinstance(last, RangeGroup) or last.size < SPAN:
            return last
        if not last.rows:
            # Nothing of it is left: the row is that of the next range from here on.
            last.first, last.left_out = last.first + last.size, 0
            last.recount()
        else:
            last = RangeGroup(last.first + last.size)
            self._add(location, last)
        return last

    def _add(self, location: TreeNode, node: TreeNode) -> None:
        location.add(node)
        self._grown[location] = None

    def _split(self, location: TreeNode) -> Iterator[Operation]:
        """Moves a full list into its first range."""
        head = RangeGroup(1)
        self._add(location, head)
        yield from self._appended()
        yield NodesMoved(location, 0, SPAN, head)
        head.left_out = location.left_out if isinstance(location, CallGroup) else 0
        head.recount()

    def _fold(self, first: CallNode, second: CallNode) -> Generator[Any, None, LineGroup]:
        """Puts a group where the first of a kind stood, and both into it."""
        group = LineGroup(first)
        before = [*groups_above(first), *groups_above(second)]
        if first.pending and second.pending:
            self._fold_unseen(group, first, second)
        else:
            yield from self._appended()
            yield NodeInserted(above(first), first.row, group)
            yield NodesMoved(above(first), first.row, 1, group)
            yield NodesMoved(above(second), second.row, 1, group)
        for fold in (group, *before):
            fold.recount()
            self._touch(fold)
        return group

    def _fold_unseen(self, group: LineGroup, first: CallNode, second: CallNode) -> None:
        """The same for calls that nobody has been told of: nobody needs to be told of their move either."""
        above(second).replace(second.row, 1)
        above(first).replace(first.row, 1, [group])
        for call in (first, second):
            self._add(group, call)

    def _appended(self) -> Iterator[Operation]:
        """Brings into view what was added; what stands below rows that come into view now comes with them."""
        grown, self._grown = self._grown, {}
        known = [location for location in grown if not location.unseen]
        for location in grown:
            if location.unseen:
                location.shown = len(location.rows)
        for location in known:
            count = len(location.rows) - location.shown
            if count:
                yield NodesAppended(location, location.shown, count)

    def _changed(self) -> Iterator[Operation]:
        """One operation a list: from its first changed row to its last."""
        touched, self._touched = self._touched, {}
        spans: dict[TreeNode, tuple[int, int]] = {}
        for node in touched:
            location, row = node.parent, node.row
            if location is not None:
                first, last = spans.get(location, (row, row))
                spans[location] = min(first, row), max(last, row)
        for location, (first, last) in spans.items():
            yield NodesChanged(location, first, last)


def above(node: TreeNode) -> TreeNode:
    """The row that a row stands in; the root stands in none."""
    assert node.parent is not None
    return node.parent


def groups_above(node: TreeNode) -> Iterator[CallGroup]:
    """The folds that a row is counted in."""
    fold = node.parent
    while isinstance(fold, CallGroup):
        yield fold
        fold = fold.parent


def _removed(location: TreeNode, rows: list[int]) -> Iterator[Operation]:
    """These rows of a list, a stretch at a time, the last ones first: the others keep their numbers."""
    rows.sort(reverse=True)
    at = 0
    while at < len(rows):
        beyond = at + 1
        while beyond < len(rows) and rows[beyond] == rows[beyond - 1] - 1:
            beyond += 1
        yield NodesRemoved(location, rows[beyond - 1], beyond - at)
        at = beyond


def _add_above(needed: set[TreeNode], call: CallNode) -> None:
    """The call, and those it was made from."""
    node: TreeNode | None = call
    while node is not None and node not in needed:
        needed.add(node)
        node = _caller_of(node)


def _caller_of(node: TreeNode) -> Caller | None:
    """What a call was made from."""
    return _caller_of_rows(node.parent) if node.parent is not None else None


def _caller_of_rows(location: TreeNode) -> Caller:
    """What the calls in a list were made from."""
    while not isinstance(location, Caller):
        location = above(location)
    return location


def _forget_kinds(caller: Caller, gone: set[CallNode]) -> None:
    """What is looked for by its kind must still stand in the tree."""
    for kind, known in tuple((caller.kinds or {}).items()):
        if isinstance(known, LineGroup):
            continue
        left = [call for call in ((known,) if isinstance(known, CallNode) else known) if call not in gone]
        assert caller.kinds is not None
        if not left:
            del caller.kinds[kind]
        elif isinstance(known, tuple) and len(left) == 1:
            caller.kinds[kind] = left[0]
