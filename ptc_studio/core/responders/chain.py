"""The chain of those who may answer a call, ending with its tool; and which calls a name of theirs means."""

from collections.abc import Callable, Mapping
from functools import reduce
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

from ptc_studio.core import codec
from ptc_studio.core.errors import PtcError
from ptc_studio.core.registry import Grant
from ptc_studio.core.stages import effective_arguments

if TYPE_CHECKING:
    from ptc_studio.core.calls import Call


Answer = Callable[["Call"], Any]
"""Gives a call its value, or raises."""


class Responder(Protocol):
    """Answers calls instead of their tools, as far as it wants to. Runs in a worker thread and may wait."""

    kind: str
    """What `answered_by` says of the calls that it answered, such as `mock`."""
    rank: int
    """Those with a lower rank come first: a person (10), a mock (20), a cassette (30)."""

    def answer(self, call: "Call", rest: Answer) -> Any:
        """The call's value; or `rest(call)`, to leave it to the others. Raising is an answer too.

        `call.answered_by` is set by the chain: it names whoever was asked last. One who replaces what `rest` gave
        sets it again.
        """
        ...


class ResponderChain:
    """The stand-ins in the order of their rank, then the tool. Changes hold from the next call on."""

    def __init__(self, last: Answer) -> None:
        self._last = last
        self._members: tuple[Responder, ...] = ()
        self._whole: Answer = last
        self._changing = RLock()

    @property
    def members(self) -> tuple[Responder, ...]:
        return self._members

    def add(self, member: Responder) -> Callable[[], None]:
        """Has the stand-in asked from now on; the answer takes it out again."""
        with self._changing:
            self._set((*self._members, member))
        return lambda: self._remove(member)

    def __call__(self, call: "Call") -> Any:
        return self._whole(call)

    def _remove(self, member: Responder) -> None:
        with self._changing:
            self._set(tuple(one for one in self._members if one is not member))

    def _set(self, members: tuple[Responder, ...]) -> None:
        self._members = tuple(sorted(members, key=lambda member: member.rank))
        self._whole = reduce(_linked, reversed(self._members), self._by_tool) if members else self._last

    def _by_tool(self, call: "Call") -> Any:
        call.answered_by = "tool"
        return self._last(call)


def _linked(rest: Answer, member: Responder) -> Answer:
    def answer(call: "Call") -> Any:
        call.answered_by = member.kind
        return member.answer(call, rest)

    return answer


ALIAS, TOOL, PATTERN = 3, 2, 1
"""How closely a name means a call; the closest counts."""
_WILD = frozenset("*?[")


def closeness(name: str, call: "Call") -> tuple[int, int] | None:
    """How closely the name means the call, to be compared; None if it does not. A longer pattern is closer."""
    target = call.target
    if target is None:
        return None
    if target.alias is not None and name == target.alias.name:
        return ALIAS, 0
    spec = target.tool.spec
    names = (spec.name, *spec.also)
    if name in names:
        return TOOL, 0
    if not is_pattern(name):
        return None
    all_names = (*names, target.alias.name) if target.alias else names
    if not Grant((name,)).allows(all_names, f"{spec.source}.{spec.name}"):
        return None
    return PATTERN, sum(letter not in _WILD for letter in name)


def is_pattern(name: str) -> bool:
    """Whether the name stands for several."""
    return not _WILD.isdisjoint(name)


def arguments_by_name(call: "Call") -> Mapping[str, Any]:
    """What expressions see: the effective arguments in their JSON form, and what the tool takes for those left out."""
    assert call.target is not None
    spec = call.target.tool.spec
    left_out: dict[str, Any] = dict.fromkeys(spec.parameters.get("properties", {}))
    left_out |= {each.name: each.default for each in spec.signature if not each.required}
    given = effective_arguments(call)
    try:
        return {**left_out, **codec.plain_copy(given)}
    except PtcError:
        return {**left_out, **{name: codec.displayable(value) for name, value in given.items()}}
