"""Which of the recorded calls are still to come, whose turn it is, and why there is no answer where there is none."""

import json
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, cast

from ptc_studio.core.responders.cassette import RecordedCall, equal, fingerprint

Parent = str | None


class ReplayQueue:
    """The recorded calls, each taken at most once; for one thread at a time."""

    def __init__(self, calls: Iterable[RecordedCall], leave_out: Collection[str] = ()) -> None:
        """Calls whose names are left out are neither given nor missed, nor is what they called in turn."""
        self.calls = list(_wanted(calls, leave_out))
        self._taken: set[str] = set()
        self._rows: dict[Parent, _Row] = {}
        self._equal: dict[str, deque[RecordedCall]] = {}
        self._last: dict[str, RecordedCall] = {}
        self._named: dict[str, list[RecordedCall]] = {}
        self._marks = {call.id: fingerprint(call.name, call.arguments) for call in self.calls}
        for call in self.calls:
            self._row(call.parent).append(call)
            self._equal.setdefault(self._marks[call.id], deque()).append(call)
            self._last[self._marks[call.id]] = call
            self._named.setdefault(call.name, []).append(call)

    def children(self, parent: Parent) -> list[RecordedCall]:
        return self._row(parent).calls

    def named(self, name: str) -> list[RecordedCall]:
        return self._named.get(name, [])

    def waiting(self, mark: str, parent: Parent) -> RecordedCall | None:
        """The first that is left of those with the mark: the parent's own, else anybody's."""
        others: RecordedCall | None = None
        for call in self._equal.get(mark, ()):
            if self.is_left(call) and call.parent == parent:
                return call
            others = others or (call if self.is_left(call) else None)
        return others

    def last(self, mark: str) -> RecordedCall | None:
        """The last one with the mark, taken or not."""
        return self._last.get(mark)

    def count(self, mark: str) -> int:
        """How many with the mark there were."""
        return sum(found == mark for found in self._marks.values())

    def in_turn(self, call: RecordedCall) -> bool:
        """Whether all that were over before the call began have been taken, as far as they have to be."""
        return self._row(call.parent).in_turn(call)

    def expected(self, parent: Parent) -> RecordedCall | None:
        """What the parent's next call was."""
        return next((call for call in self._row(parent).next_group() if self.is_left(call)), None)

    def take(self, call: RecordedCall) -> None:
        if call.id in self._taken:
            return
        self._taken.add(call.id)
        self._row(call.parent).take(call)
        equal = self._equal[self._marks[call.id]]
        while equal and equal[0].id in self._taken:
            equal.popleft()

    def is_left(self, call: RecordedCall) -> bool:
        return call.id not in self._taken

    def left(self) -> list[RecordedCall]:
        """What was never asked for, though it should have been: not what may be refused before, nor what such a call
        would have called in turn."""
        ids = {call.id for call in self.calls if self.is_left(call)}
        return [call for call in self.calls if call.id in ids and call.parent not in ids and not call.refused]

    def _row(self, parent: Parent) -> "_Row":
        return self._rows.setdefault(parent, _Row())


def _wanted(calls: Iterable[RecordedCall], leave_out: Collection[str]) -> Iterator[RecordedCall]:
    left_out: set[str] = set()
    for call in calls:
        if call.name in leave_out or call.parent in left_out:
            left_out.add(call.id)
        else:
            yield call


class _Row:
    """The calls of one parent, in groups."""

    def __init__(self) -> None:
        self.calls: list[RecordedCall] = []
        self._groups: list[list[RecordedCall]] = []
        self._places: dict[str, int] = {}
        self._needed: list[int] = []
        """How many of each group have yet to be taken before the next one's turn."""
        self._at = 0

    def append(self, call: RecordedCall) -> None:
        previous = self._groups[-1][0] if self._groups else None
        if previous is None or call.together is None or call.together != (previous.together or previous.id):
            self._groups.append([])
            self._needed.append(0)
        self.calls.append(call)
        self._groups[-1].append(call)
        self._needed[-1] += not call.refused
        self._places[call.id] = len(self._groups) - 1

    def take(self, call: RecordedCall) -> None:
        self._needed[self._places[call.id]] -= not call.refused

    def in_turn(self, call: RecordedCall) -> bool:
        self._go_on()
        return self._places[call.id] <= self._at

    def next_group(self) -> list[RecordedCall]:
        self._go_on()
        return [call for call in self._groups[self._at] if not call.refused] if self._at < len(self._groups) else []

    def _go_on(self) -> None:
        while self._at < len(self._groups) and not self._needed[self._at]:
            self._at += 1


LONGEST = 60
MOST_COMPARED = 200


def unknown_call(cassette: str, name: str, arguments: Any, recorded: Sequence[RecordedCall]) -> str:
    """None of those recorded under the name has these arguments: says in what the most similar one differs."""
    if not recorded:
        return f"The cassette {cassette!r} has no call of {name}."
    nearest = min(recorded[:MOST_COMPARED], key=lambda call: len(_differences(arguments, call.arguments)))
    names = _differences(arguments, nearest.arguments)
    return (
        f"The cassette {cassette!r} has no call of {name} {_told(arguments, names)} "
        f"(recorded: {_told(nearest.arguments, names).removeprefix('with ')}{_location(nearest)})."
    )


def used_up(cassette: str, call: RecordedCall, times: int) -> str:
    """The script calls more often than it did."""
    often = "once" if times == 1 else f"{times:,} times"
    return f"The cassette {cassette!r} has no further call of {described(call)} (recorded {often}, last{_at(call)})."


def out_of_turn(cassette: str, name: str, arguments: Any, expected: RecordedCall | None) -> str:
    """It was recorded, but not at this point."""
    called = f"{name}({_listed(arguments)})"
    if expected is None:
        return f"The cassette {cassette!r} has no call of {called} at this point."
    return f"The cassette {cassette!r} has {described(expected)}{_at(expected)} next, not {called}."


def cut_short(cassette: str, call: RecordedCall) -> str:
    """The result was too long to be kept."""
    return (
        f"The cassette {cassette!r} has only the beginning of what {described(call)} gave{_at(call)}: "
        "it was longer than limits.result_bytes allows."
    )


def unfinished(cassette: str, call: RecordedCall) -> str:
    """The run was cut off while the call was under way."""
    return f"The cassette {cassette!r} has no end of {described(call)}{_at(call)}: the run was over before."


def described(call: RecordedCall) -> str:
    """The call as a script would write it, in short."""
    return f"{call.name}({_listed(call.arguments)})"


def never_made(cassette: str, calls: list[RecordedCall], most: int = 3) -> str:
    """What was recorded and not asked for."""
    several = (
        f"{len(calls):,} calls that this run did not make" if len(calls) > 1 else "a call that this run did not make"
    )
    shown = "; ".join(f"{described(call)}{_at(call)}" for call in calls[:most])
    more = f"; and {len(calls) - most:,} more" if len(calls) > most else ""
    return f"The cassette {cassette!r} has {several}: {shown}{more}."


def _differences(asked: Any, recorded: Any) -> list[str]:
    """The names of the arguments that are not the same."""
    if not isinstance(asked, dict) or not isinstance(recorded, dict):
        return [] if equal(asked, recorded) else ["*"]
    mine, theirs = cast("dict[str, Any]", asked), cast("dict[str, Any]", recorded)
    names = list(dict.fromkeys((*mine, *theirs)))
    return [name for name in names if name not in mine or name not in theirs or not equal(mine[name], theirs[name])]


def _told(arguments: Any, names: list[str]) -> str:
    """The arguments of these names, and which of them are missing."""
    if not isinstance(arguments, dict):
        return f"with {_short(arguments)}"
    given = cast("dict[str, Any]", arguments)
    there = [f"{name}={_short(given[name])}" for name in names if name in given]
    missing = [name for name in names if name not in given]
    without = f"without {', '.join(missing)}" if missing else ""
    return " and ".join(filter(None, (f"with {', '.join(there)}" if there else "", without))) or "with these arguments"


def _listed(arguments: Any) -> str:
    if not isinstance(arguments, dict):
        return _short(arguments)
    return _cut(", ".join(f"{name}={_short(value)}" for name, value in cast("dict[str, Any]", arguments).items()))


def _short(value: Any) -> str:
    return _cut(json.dumps(value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _at(call: RecordedCall) -> str:
    return f" at line {call.line}" if call.line else ""


def _location(call: RecordedCall) -> str:
    return f", at line {call.line}" if call.line else ""
