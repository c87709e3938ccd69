"""Sorts calls into lanes by tool, and each lane into rows in which no call overlaps the next. Knows no Qt."""

from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from ptc_studio.ui.calls.nodes import Caller, CallNode, TreeNode, severity
from ptc_studio.ui.calls.values import duration_text, tooltip

MOST_ROWS = 40
"""Rows of one lane: what runs at once beyond that shares the last one."""


class Bar(NamedTuple):
    """A stretch of a row: one call, or several that lie too close together to be told apart."""

    start: float
    end: float
    status: str


class LaneRow:
    """Calls in the order in which they started."""

    __slots__ = ("_ends", "_failed", "_starts", "calls")

    def __init__(self) -> None:
        self.calls: list[CallNode] = []
        # Beside the calls, because these are looked up for every few pixels of every paint.
        self._starts, self._ends = array("d"), array("d")
        self._failed: list[tuple[float, float, str]] = []

    def is_free_at(self, moment: float) -> bool:
        """Whether its last call had ended by then."""
        return not self._ends or self._ends[-1] <= moment

    def add(self, call: CallNode) -> int:
        """Puts a call at the end; the answer is its place."""
        self.calls.append(call)
        self._starts.append(call.start)
        self._ends.append(inf)
        return len(self.calls) - 1

    def settle(self, place: int) -> bool:
        """Takes note of a call's end, if it has ended."""
        call = self.calls[place]
        end = call.end
        if end is None:
            return False
        self._ends[place] = end
        if severity(call.status):
            insort(self._failed, (call.start, end, call.status))
        return True

    def bars(self, first: float, last: float, step: float, now: float) -> Iterator[Bar]:
        """What is to be drawn from `first` to `last`, in pieces of at least a step; what failed comes last, on top."""
        starts, ends = self._starts, self._ends
        place = max(bisect_right(starts, first) - 1, 0)
        while place < len(starts) and starts[place] < last:
            start = starts[place]
            beyond = bisect_left(starts, start + step, place + 1)
            end = ends[beyond - 1]
            status = self.calls[place].status if beyond == place + 1 else "ok"
            if end >= first:
                yield Bar(start, min(end, now), "running" if end == inf else status)
            place = beyond
        place = max(bisect_left(self._failed, (first,)) - 1, 0)
        while place < len(self._failed) and self._failed[place][0] < last:
            bar = Bar(*self._failed[place])
            if bar.end >= first:
                yield bar
            place = bisect_left(self._failed, (bar.start + step,), place + 1)

    def at(self, moment: float, slack: float, now: float) -> CallNode | None:
        """The call at that time, or the nearest that is no farther than the slack."""
        place = bisect_right(self._starts, moment)
        best: tuple[float, CallNode] | None = None
        for each in range(max(place - 1, 0), min(place + 1, len(self.calls))):
            away = max(self._starts[each] - moment, moment - min(self._ends[each], now), 0.0)
            if away <= slack and (best is None or away < best[0]):
                best = away, self.calls[each]
        return best[1] if best else None

    def has(self, call: CallNode) -> bool:
        first, beyond = bisect_left(self._starts, call.start), bisect_right(self._starts, call.start)
        return any(self.calls[place] is call for place in range(first, beyond))

    def after(self, moment: float, *, or_at: bool) -> CallNode | None:
        """The first call that started after a moment, or at it."""
        place = (bisect_left if or_at else bisect_right)(self._starts, moment)
        return self.calls[place] if place < len(self.calls) else None

    def before(self, moment: float, *, or_at: bool) -> CallNode | None:
        """The last call that started before a moment, or at it."""
        place = (bisect_right if or_at else bisect_left)(self._starts, moment)
        return self.calls[place - 1] if place else None


class Lane:
    """The calls of one tool, made from one place: the script, or another lane's calls."""

    __slots__ = ("below", "count", "depth", "name", "rows")

    def __init__(self, name: str, depth: int) -> None:
        self.name = name
        self.depth = depth
        """How many lanes it stands below."""
        self.count = 0
        self.rows: list[LaneRow] = []
        self.below: dict[str, Lane] = {}

    def put(self, call: CallNode) -> tuple[LaneRow, int]:
        """Finds a row in which nothing else runs when the call does."""
        self.count += 1
        for row in self.rows:
            if row.is_free_at(call.start):
                return row, row.add(call)
        if len(self.rows) < MOST_ROWS:
            self.rows.append(LaneRow())
        return self.rows[-1], self.rows[-1].add(call)

    def next_to(self, call: CallNode, *, after: bool) -> CallNode | None:
        """The next call of the lane by time, or the one before; those of one moment from the top row to the bottom."""
        own = next((number for number, row in enumerate(self.rows) if row.has(call)), 0)
        found = [
            row.after(call.start, or_at=number > own) if after else row.before(call.start, or_at=number < own)
            for number, row in enumerate(self.rows)
        ]
        others = [each for each in found if each is not None and each is not call]
        if not others:
            return None
        return min(others, key=lambda each: each.start) if after else max(reversed(others), key=lambda each: each.start)

    def all(self) -> Iterator["Lane"]:
        """The lanes below it, each followed by those below itself."""
        for lane in self.below.values():
            yield lane
            yield from lane.all()


class Lanes:
    """All lanes of a run, fed with its calls as they come."""

    def __init__(self) -> None:
        self._root = Lane("", -1)
        self._open: list[tuple[LaneRow, int]] = []
        self.taken = 0
        """So many calls have been taken in."""

    def take(self, calls: Iterable[CallNode]) -> None:
        """Takes in calls, in the order in which they came."""
        for call in calls:
            self.taken += 1
            row, place = self._lane_for(call).put(call)
            if not row.settle(place):
                self._open.append((row, place))

    def settle(self) -> None:
        """Looks which calls have ended since."""
        self._open = [(row, place) for row, place in self._open if not row.settle(place)]

    def all(self) -> list[Lane]:
        """The lanes from top to bottom."""
        return list(self._root.all())

    def find(self, call: CallNode) -> tuple[Lane, LaneRow] | None:
        """Where a call is; None for one that has not been taken in."""
        lane = self._known_lane(call)
        row = next((row for row in lane.rows if row.has(call)), None) if lane else None
        return (lane, row) if lane and row else None

    def _known_lane(self, call: CallNode) -> Lane | None:
        caller = _caller(call)
        above = self._known_lane(caller) if caller is not None else self._root
        return above.below.get(call.name) if above else None

    def _lane_for(self, call: CallNode) -> Lane:
        caller = _caller(call)
        above = self._lane_for(caller) if caller is not None else self._root
        lane = above.below.get(call.name)
        if lane is None:
            lane = above.below[call.name] = Lane(call.name, above.depth + 1)
        return lane


def _caller(call: CallNode) -> CallNode | None:
    """The call that made it; None for one that the script made."""
    node: TreeNode | None = call.parent
    while node is not None and not isinstance(node, Caller):
        node = node.parent
    return node if isinstance(node, CallNode) else None


SIZES = ((3, 12, 4), (10, 6, 2), (1_000, 3, 1))
"""For up to so many rows: the height of a bar, and the gap below it."""
PADDING = 7
LOWEST = 26


@dataclass(frozen=True, slots=True)
class Placed:
    """A lane and its place, in pixels from the top of the first."""

    lane: Lane
    top: int
    height: int
    first_bar: int
    """Where its first bar begins, from the top of all."""
    bar: int
    pitch: int
    """From the top of a bar to that of the next."""

    @property
    def bottom(self) -> int:
        return self.top + self.height

    def bar_top(self, number: int) -> int:
        return self.first_bar + number * self.pitch

    def row_at(self, y: float) -> LaneRow | None:
        """The row whose bars are there, or nearest."""
        rows = self.lane.rows
        number = int((y - self.first_bar + (self.pitch - self.bar) / 2) // self.pitch)
        return rows[min(max(number, 0), len(rows) - 1)] if rows else None


def place(lanes: Sequence[Lane], pixels: Callable[[float], int]) -> list[Placed]:
    """Puts the lanes one below the other; `pixels` applies the zoom."""
    placed: list[Placed] = []
    top = 0
    for lane in lanes:
        rows = len(lane.rows)
        bar, gap = next((pixels(bar), pixels(gap)) for most, bar, gap in SIZES if rows <= most)
        bars = rows * (bar + gap) - gap
        height = max(bars + 2 * pixels(PADDING), pixels(LOWEST))
        placed.append(Placed(lane, top, height, top + (height - bars) // 2, bar, bar + gap))
        top += height
    return placed


SHORTEST = 0.05
"""Milliseconds: nobody needs to look closer."""
MARK_ROOM = 90
"""Pixels between two marks, at least."""
SECOND = 1_000.0


@dataclass(frozen=True, slots=True)
class Scale:
    """The stretch of time that is seen, and where."""

    first: float
    last: float
    left: float
    width: float

    @property
    def length(self) -> float:
        return self.last - self.first

    @property
    def step(self) -> float:
        """The milliseconds of a pixel."""
        return self.length / max(self.width, 1.0)

    def x(self, moment: float) -> float:
        return self.left + (moment - self.first) / self.step

    def moment(self, x: float) -> float:
        return self.first + (x - self.left) * self.step

    def zoomed(self, factor: float, context: float, whole: float) -> tuple[float, float]:
        """The stretch that is `factor` as long, with one moment left where it is; never beyond the run."""
        length = min(max(self.length * factor, SHORTEST), whole)
        first = context - (context - self.first) * length / self.length
        first = min(max(first, 0.0), whole - length)
        return first, first + length

    def marks(self) -> Iterator[tuple[float, str]]:
        """Round times, far enough apart for their words."""
        step = _round_up(self.step * MARK_ROOM)
        number = int(self.first // step)
        while number * step <= self.last:
            if number * step >= self.first:
                yield number * step, _words(number * step, step)
            number += 1


def _round_up(length: float) -> float:
    """The next 1, 2 or 5 times a power of ten."""
    power = 1e-3
    while power * 10 <= length:
        power *= 10
    return next((power * times for times in (1, 2, 5) if power * times >= length), power * 10)


def _words(moment: float, step: float) -> str:
    if moment == 0:
        return "0"
    if step < 1:
        return f"{moment:,.{2 if step < 0.1 else 1}f} ms"
    if step < SECOND / 10 and moment < SECOND:
        return f"{moment:,.0f} ms"
    digits = 0 if step >= SECOND else 1 if step >= SECOND / 10 else 2 if step >= SECOND / 100 else 3
    return f"{moment / SECOND:,.{digits}f} s"


def call_text(call: CallNode) -> str:
    """The call, when it began and how long it took."""
    took = "under way" if call.end is None else duration_text(call.end - call.start)
    return f"{tooltip(call)}\n{took}, from {duration_text(call.start)} on"


def lane_text(lane: Lane) -> str:
    """The tool, how many calls, and how many of them at once."""
    calls = f"{lane.count:,} call{'' if lane.count == 1 else 's'}"
    return f"{lane.name}\n{calls}{f', up to {len(lane.rows)} at once' if len(lane.rows) > 1 else ''}"
