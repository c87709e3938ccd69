"""What the tree of a run is made of: calls, and the folds that keep long lists short. Knows no Qt."""

from collections.abc import Iterator, Sequence

from ptc_studio.core.events import CallEdited, CallFinished, CallNoted, CallProgressed, CallStarted
from ptc_studio.core.redaction import Redaction
from ptc_studio.core.trace import CallRecord, call_record, redactions_of

Kind = tuple[str, str | None, int | None]
"""Calls of one parent with the same tool, alias and line are of one kind."""

Note = CallNoted | CallEdited
"""What is to be seen of a call beside its values."""

_SEVERITY = {"ok": 0, "cancelled": 1, "denied": 1}
_WORST = 2


def severity(status: str) -> int:
    """How bad an end is: 0 for a good one, 1 for a call that was not let through, 2 for a failure."""
    return _SEVERITY.get(status, _WORST)


class TreeNode:
    """One row of the tree and the rows below it."""

    __slots__ = ("parent", "row", "rows", "shown")

    def __init__(self) -> None:
        self.parent: TreeNode | None = None
        self.row = 0
        """Its place among its parent's rows."""
        self.rows: Sequence[TreeNode] = ()
        self.shown = 0
        """So many of the rows have been announced; the others are about to be."""

    def add(self, node: "TreeNode") -> None:
        """Puts a row at the end; it is not shown yet."""
        if not isinstance(self.rows, list):
            self.rows = []
        node.parent, node.row = self, len(self.rows)
        self.rows.append(node)

    def splice(self, at: int, removed: int, nodes: Sequence["TreeNode"] = ()) -> None:
        """Takes rows out and puts others in their place, all of them shown."""
        self.replace(at, removed, nodes)
        self.shown += len(nodes) - removed

    def replace(self, at: int, removed: int, nodes: Sequence["TreeNode"] = ()) -> None:
        """Takes rows out and puts others in their place, where none has been shown yet."""
        rows = list(self.rows)
        rows[at : at + removed] = nodes
        self.rows = rows
        for row in range(at, len(rows)):
            node = rows[row]
            node.parent, node.row = self, row

    @property
    def pending(self) -> bool:
        """Whether the row itself has yet to be announced."""
        return self.parent is not None and self.row >= self.parent.shown

    @property
    def unseen(self) -> bool:
        """Whether it, or a row that it stands in, has yet to be announced."""
        node: TreeNode = self
        while node.parent is not None:
            if node.row >= node.parent.shown:
                return True
            node = node.parent
        return False

    def calls(self) -> Iterator["CallNode"]:
        """The calls of this row, looking into folds but not below calls."""
        for node in self.rows:
            if isinstance(node, CallNode):
                yield node
            else:
                yield from node.calls()


class Caller(TreeNode):
    """What calls are made from: the script itself, or a call."""

    __slots__ = ("kinds",)

    def __init__(self) -> None:
        super().__init__()
        self.kinds: Kinds | None = None


class CallNode(Caller):
    """One call."""

    __slots__ = ("finished", "notes", "progress", "started")

    def __init__(self, started: CallStarted) -> None:
        super().__init__()
        self.started = started
        self.finished: CallFinished | None = None
        self.progress: CallProgressed | None = None
        """How far it said it is, while it runs."""
        self.notes: tuple[Note, ...] = ()
        """What still holds of it: that it waits, was edited, is not as it was recorded."""

    def note(self, note: Note) -> None:
        """Takes in what is to be seen; what no longer holds is dropped."""
        if isinstance(note, CallEdited):
            self.started = self.started.edited(note.arguments)
            self.notes = (*(each for each in self.notes if not isinstance(each, CallEdited)), note)
        elif note.kind == "resumed":
            self.resume()
        elif not self.finished or note.kind != "waiting":
            self.notes = (*self.notes, note)

    def resume(self) -> None:
        """It does not wait any longer."""
        if self.notes:
            self.notes = tuple(each for each in self.notes if not _waits(each))

    @property
    def waits(self) -> bool:
        """Whether it waits for a person."""
        return bool(self.notes) and any(map(_waits, self.notes))

    @property
    def mark(self) -> str:
        """What its sign tells: the status, or that it waits."""
        return "waiting" if self.waits else self.status

    @property
    def call_id(self) -> str:
        return self.started.call_id

    @property
    def name(self) -> str:
        return self.started.alias or self.started.tool

    @property
    def redactions(self) -> tuple[Redaction, ...]:
        """What was hidden in its arguments and in what came of it."""
        return redactions_of(self.started, self.finished)

    @property
    def line(self) -> int | None:
        return self.started.line

    @property
    def kind(self) -> Kind:
        return self.started.tool, self.started.alias, self.started.line

    @property
    def status(self) -> str:
        return self.finished.status if self.finished else "running"

    @property
    def start(self) -> float:
        return self.started.started_ms

    @property
    def end(self) -> float | None:
        """When it ended, or None while it runs."""
        return self.started.started_ms + self.finished.span_ms if self.finished else None

    def record(self) -> CallRecord:
        """The call as the records have it."""
        return call_record(self.started, self.finished)


def _waits(note: Note) -> bool:
    return isinstance(note, CallNoted) and note.kind == "waiting"


class CallGroup(TreeNode):
    """Several calls under one row, with what they add up to."""

    __slots__ = ("count", "latest", "left_out", "running", "start", "waiting", "worst")

    def __init__(self) -> None:
        super().__init__()
        self.left_out = 0
        """So many of its calls are not in the tree any longer; they count all the same."""
        self._clear()

    @property
    def status(self) -> str:
        """The worst that happened; else whether some still run."""
        return "running" if self.running and severity(self.worst) == 0 else self.worst

    @property
    def mark(self) -> str:
        """What its sign tells: that somebody is needed, else the status."""
        return "waiting" if self.waiting else self.status

    @property
    def end(self) -> float | None:
        return None if self.running else self.latest

    def join(self, call: CallNode) -> None:
        """Counts a call in."""
        self.count += 1
        self.running += 1
        self.start = min(self.start, call.start)
        if call.notes and call.waits:
            self.waiting += 1
        if call.finished:
            self.settle(call.start + call.finished.span_ms, call.finished.status)

    def settle(self, end: float, status: str) -> None:
        """Takes note of a call's end."""
        self.running -= 1
        self.latest = max(self.latest, end)
        if status != self.worst and severity(status) > severity(self.worst):
            self.worst = status

    def recount(self) -> None:
        """Adds everything up again, after calls went elsewhere."""
        self._clear()
        for call in self.calls():
            self.join(call)

    def _clear(self) -> None:
        self.count, self.running, self.waiting = self.left_out, 0, 0
        self.start, self.latest = float("inf"), 0.0
        self.worst = "ok"


class LineGroup(CallGroup):
    """Calls of one kind: a loop, most of the time."""

    __slots__ = ("first",)

    def __init__(self, first: CallNode) -> None:
        super().__init__()
        self.first = first

    @property
    def name(self) -> str:
        return self.first.name

    @property
    def line(self) -> int | None:
        return self.first.line


Kinds = dict[Kind, CallNode | tuple[CallNode, CallNode] | LineGroup]
"""What there is of each kind so far: one, two, or a group."""


class RangeGroup(CallGroup):
    """A stretch of a list that is too long to be shown as one."""

    __slots__ = ("first",)

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first
        """The number of its first row, counted from one over the whole list."""

    @property
    def size(self) -> int:
        """How many rows it has, or had."""
        return len(self.rows) + self.left_out

    @property
    def bounds(self) -> tuple[int, int]:
        """The numbers of its first and last row."""
        return self.first, self.first + self.size - 1
