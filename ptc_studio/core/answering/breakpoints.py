"""Where calls are to wait for a person."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptc_studio.core.answering.expressions import UnknownName, expression
from ptc_studio.core.answering.meant_calls import arguments_by_name, closeness, is_pattern
from ptc_studio.core.errors import ExpressionFault

if TYPE_CHECKING:
    from ptc_studio.core.calls import Call

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """A place at which calls wait: all that it says must be true of a call."""

    name: str = ""
    """Of a tool or an alias, or a pattern; empty for whatever is called."""
    line: int | None = None
    """Of the script, which makes the call itself."""
    condition: str = ""
    """An expression over the arguments, such as `qty > 3`; empty for any."""
    enabled: bool = True

    def __str__(self) -> str:
        parts = [self.name, f"line {self.line}" if self.line else "", f"if {self.condition}" if self.condition else ""]
        return " ".join(filter(None, parts)) or "every call"


class Breakpoints:
    """All breakpoints, and whether the next call is to wait whatever it is. Any thread may ask and change.

    Those who listen are told of each change, from the thread that made it.
    """

    def __init__(self) -> None:
        self._listeners: list[Callable[[], None]] = []
        self._lock = threading.RLock()
        self._all: tuple[Breakpoint, ...] = ()
        self._stop_at_next = False
        self._stepping: set[str] = set()
        """Runs of which the next call waits."""
        self._noted: set[Breakpoint] = set()

    @property
    def all(self) -> tuple[Breakpoint, ...]:
        return self._all

    @property
    def enabled(self) -> tuple[Breakpoint, ...]:
        return tuple(each for each in self._all if each.enabled)

    @property
    def waits_for_next(self) -> bool:
        """Whether the next call waits, of whatever run."""
        return self._stop_at_next

    @property
    def active(self) -> bool:
        """Whether any call may have to wait."""
        return bool(self._stop_at_next or self._stepping or self.enabled)

    def listen(self, listener: Callable[[], None]) -> None:
        """Has the listener called after each change."""
        self._listeners.append(listener)

    def set(self, breakpoints: Iterable[Breakpoint]) -> None:
        """These and no others; what they say twice counts once."""
        with self._lock:
            self._all = tuple(dict.fromkeys(breakpoints))
            self._noted.clear()
        self._tell()

    def add(self, one: Breakpoint) -> None:
        with self._lock:
            self.set((*self._all, one))

    def remove(self, one: Breakpoint) -> None:
        with self._lock:
            self.set([each for each in self._all if each != one])

    def stop_at_next(self, run_id: str | None = None, *, wanted: bool = True) -> None:
        """Has the next call wait: of the run, or of whatever run."""
        with self._lock:
            if run_id is None:
                self._stop_at_next = wanted
            elif wanted:
                self._stepping.add(run_id)
            else:
                self._stepping.discard(run_id)
        self._tell()

    def why_waits(self, call: "Call", note: Note) -> str | None:
        """Why the call is to wait, for people; None if it is not. `note` is told, once, of a broken condition."""
        met = next((each for each in self.enabled if self._is_met(each, call, note)), None)
        if self._takes_next(call.run_id):
            return "stopped at the next call" if met is None else f"breakpoint: {met}"
        return None if met is None else f"breakpoint: {met}"

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def _takes_next(self, run_id: str) -> bool:
        """Whether it was this call that was waited for; there is but one next."""
        with self._lock:
            if not self._stop_at_next and run_id not in self._stepping:
                return False
            self._stop_at_next = False
            self._stepping.discard(run_id)
        self._tell()
        return True

    def _is_met(self, one: Breakpoint, call: "Call", note: Note) -> bool:
        if one.line is not None and (call.depth != 1 or call.request.line != one.line):
            return False
        if one.name and closeness(one.name, call) is None:
            return False
        return not one.condition or self._is_true(one, call, note)

    def _is_true(self, one: Breakpoint, call: "Call", note: Note) -> bool:
        try:
            return bool(expression(one.condition).value(arguments_by_name(call)))
        except ExpressionFault as fault:
            if isinstance(fault, UnknownName) and (not one.name or is_pattern(one.name)):
                # Of many tools only some have such an argument.
                return False
            with self._lock:
                known = one in self._noted
                self._noted.add(one)
            if not known:
                note(f"The breakpoint on {one.name or 'every call'} does not stop: {fault}")
            return False
