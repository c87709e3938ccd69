"""The chain of those who may answer a call, ending with its tool."""

from collections.abc import Callable
from functools import reduce
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

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
