"""Which calls are shown, and how they are picked out of all. Knows no Qt."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ptc_studio.core.events import CallEdited, CallFinished, CallNoted, CallProgressed
from ptc_studio.ui.calls.call_tree import CallTree
from ptc_studio.ui.calls.nodes import CallNode
from ptc_studio.ui.calls.rows import searchable

_LATER = (CallFinished, CallProgressed, CallNoted, CallEdited)


@dataclass(frozen=True, slots=True)
class CallFilter:
    """What a call has to be like; what is left empty does not matter."""

    text: str = ""
    """Stands in the name, the arguments, the result's summary or the error, in any case."""
    statuses: frozenset[str] = frozenset()
    tool: str = ""
    """A tool's or an alias's name."""
    minimum_ms: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.text.strip() or self.statuses or self.tool or self.minimum_ms > 0)

    def admits(self, call: CallNode) -> bool:
        """Whether the call, as it stands now, is wanted."""
        if self.statuses and not self.statuses & {call.status, call.mark}:
            return False
        if self.tool and self.tool not in (call.started.tool, call.started.alias):
            return False
        if self.minimum_ms > 0 and (call.finished is None or call.finished.duration_ms < self.minimum_ms):
            return False
        text = self.text.strip().casefold()
        return not text or text in searchable(call).casefold()


class FilterPass:
    """Picks the events of wanted calls, and of the calls they were made from, out of a whole run."""

    def __init__(self, source: CallTree, wanted: CallFilter) -> None:
        self._source = source
        self._wanted = wanted
        self._passed: set[str] = set()
        self._matched: set[str] = set()
        self._changed: list[CallNode] = []
        """Calls that ended, or of which something else is known now: they may be wanted only now."""
        self._cursor = 0

    @property
    def behind(self) -> bool:
        """Whether there are calls that have not been looked at, or not since they ended."""
        return bool(self._changed) or self._cursor < len(self._source.order)

    @property
    def matches(self) -> int:
        """How many calls are wanted, not counting those shown for the sake of others."""
        return len(self._matched)

    def ends(self, batch: Iterable[object]) -> list[object]:
        """The ends, in a batch, of calls that are shown; the other calls are looked at once more by `catch_up`.

        And how far those that are shown say they are, and what is to be seen of them.
        """
        found: list[object] = []
        for event in batch:
            if not isinstance(event, _LATER):
                continue
            if event.call_id in self._passed:
                found.append(event)
            call = self._source.calls.get(event.call_id)
            if call is not None and not isinstance(event, CallProgressed):
                self._changed.append(call)
        return found

    def catch_up(self, limit: int) -> list[object]:
        """Looks at the next calls, and at the end at those that have ended meanwhile."""
        calls = self._source.order[self._cursor : self._cursor + limit]
        self._cursor += len(calls)
        if self._cursor == len(self._source.order):
            calls += self._changed
            self._changed = []
        return [event for call in calls if self._wanted.admits(call) for event in self._match(call)]

    def _match(self, call: CallNode) -> Iterator[object]:
        self._matched.add(call.call_id)
        yield from self._events(call)

    def _events(self, call: CallNode) -> Iterator[object]:
        """What is known of the call, after what is known of those above it."""
        if call.call_id in self._passed:
            return
        self._passed.add(call.call_id)
        above = self._source.calls.get(call.started.parent_id or "")
        if above is not None:
            yield from self._events(above)
        yield call.started
        yield from call.notes
        if call.finished:
            yield call.finished
        elif call.progress:
            yield call.progress
