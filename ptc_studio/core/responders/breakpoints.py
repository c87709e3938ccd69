"""Where calls are to wait for a person, and the responder that asks him there."""

import threading
from bisect import insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Never

from ptc_studio.core import codec
from ptc_studio.core.errors import CallCancelled, ExpressionError, PtcError, UnfitArguments
from ptc_studio.core.permissions import Decision, Reply, ask, merged
from ptc_studio.core.responders.chain import Answer, arguments_by_name, closeness, is_pattern
from ptc_studio.core.responders.expressions import UnknownName, expression
from ptc_studio.core.responders.mocks import error_named

if TYPE_CHECKING:
    from ptc_studio.core.calls import Call
    from ptc_studio.core.executor import Executor


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
        self._deciding: set[str] = set()
        """Runs of which such a call is being decided about: their other calls wait for that."""
        self._decided = threading.Condition(self._lock)
        self._turns: dict[str, list[int]] = {}
        """The numbers of the calls of each run that wait for their turn, the first one first."""
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
        return bool(self._stop_at_next or self._stepping or self._deciding or self.enabled)

    def waiting(self, run_id: str) -> int:
        """How many calls of the run wait for their turn to be stopped."""
        return len(self._turns.get(run_id, ()))

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
        taken = self._takes_turn(call)
        if taken:
            self._tell()
        met = next((each for each in self.enabled if self._is_met(each, call, note)), None)
        if taken:
            return "stopped at the next call" if met is None else f"breakpoint: {met}"
        return None if met is None else f"breakpoint: {met}"

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def _takes_turn(self, call: "Call") -> bool:
        """Whether this is the call that was waited for. Calls at once stop one by one, in the order of the script."""
        run_id, number = call.run_id, int(call.call_id[1:])
        with self._lock:
            if run_id not in self._turns and run_id not in self._deciding:
                return self._takes_next(run_id)
        with call.held(by_person=True), self._lock:
            queue = self._turns.setdefault(run_id, [])
            insort(queue, number)
            while self._must_wait(run_id, number) and not call.settled:
                self._decided.wait(TURN_SECONDS)
            # Before others wake, which would go on without a stop.
            taken = not call.settled and self._takes_next(run_id)
            queue.remove(number)
            if not queue:
                del self._turns[run_id]
        if call.settled:
            raise CallCancelled(call.name)
        return taken

    def _must_wait(self, run_id: str, number: int) -> bool:
        steps = self._stop_at_next or run_id in self._stepping
        return run_id in self._deciding or (steps and self._turns[run_id][0] != number)

    def _takes_next(self, run_id: str) -> bool:
        """There is but one next; with the lock."""
        if not self._stop_at_next and run_id not in self._stepping:
            return False
        self._stop_at_next = False
        self._stepping.discard(run_id)
        self._deciding.add(run_id)
        return True

    def decided(self, run_id: str) -> None:
        """A call of the run that was stopped as the next one goes on: now others may, or stop in their turn."""
        with self._lock:
            if run_id not in self._deciding:
                return
            self._deciding.discard(run_id)
            self._decided.notify_all()
        self._tell()

    def _is_met(self, one: Breakpoint, call: "Call", note: Note) -> bool:
        if one.line is not None and (call.depth != 1 or call.request.line != one.line):
            return False
        if one.name and closeness(one.name, call) is None:
            return False
        return not one.condition or self._is_true(one, call, note)

    def _is_true(self, one: Breakpoint, call: "Call", note: Note) -> bool:
        try:
            return bool(expression(one.condition).value(arguments_by_name(call)))
        except ExpressionError as error:
            if isinstance(error, UnknownName) and (not one.name or is_pattern(one.name)):
                # Of many tools only some have such an argument.
                return False
            with self._lock:
                known = one in self._noted
                self._noted.add(one)
            if not known:
                note(f"The breakpoint on {one.name or 'every call'} does not stop: {error}")
            return False


STOPPING_SECONDS = 10.0
TURN_SECONDS = 0.1
"""How often a call that waits for its turn looks whether it is still wanted."""


class BreakpointResponder:
    """Has calls that meet a breakpoint decided by a person. Stands in the chain only while there are breakpoints."""

    kind, rank = "person", 10

    def __init__(self, executor: "Executor", breakpoints: "Breakpoints") -> None:
        self._executor = executor
        self._breakpoints = breakpoints
        self._lock = threading.Lock()
        self._leave = None
        breakpoints.listen(self._come_or_go)
        self._come_or_go()

    def answer(self, call: "Call", rest: Answer) -> Any:
        why = self._breakpoints.why_waits(call, lambda text: self._executor.note(call, "fault", text))
        if why is None:
            return rest(call)
        try:
            decision = self._decided(call, why)
        finally:
            self._breakpoints.decided(call.run_id)
        if decision.reply is not None:
            return _replied(decision.reply)
        return self._looked_at(call, rest) if decision.look else rest(call)

    def _decided(self, call: "Call", why: str) -> Decision:
        """What the person wants of the call; arguments that do not fit are asked about again."""
        while True:
            decision = self._asked(call, "breakpoint", why)
            if decision.arguments is None:
                return decision
            assert call.target is not None
            try:
                call.arguments = call.target.tool.bind(call.arguments)
            except UnfitArguments as unfit:
                if decision.reply is not None:
                    return decision
                why = f"{unfit}; correct them, or answer yourself"
            else:
                return decision

    def _looked_at(self, call: "Call", rest: Answer) -> Any:
        """What the others gave, as the person leaves it."""
        value = rest(call)
        if hasattr(value, "__next__"):
            # Looking at an iterator would use it up.
            value = list(value)
        reply = self._asked(call, "result", "the result, before the script gets it", value).reply
        if reply is None:
            return value
        shown = self._executor.shown_result(call, value).value
        if reply.error is None and _same(reply.value, shown):
            return value
        call.answered_by = self.kind
        return _replied(reply) if reply.error is not None else merged(_plain(value), shown, reply.value)

    def _asked(self, call: "Call", kind: Any, why: str, result: Any = None) -> Decision:
        decision = ask(call, self._executor, kind, why, result=result)
        if not decision.allowed:
            self._stop_run(call)
        if decision.step:
            self._breakpoints.stop_at_next(call.run_id)
        return decision

    def _stop_run(self, call: "Call") -> Never:
        """Ends the whole run; the script gets no answer that it could go on with."""
        ended, run = threading.Event(), call.run.wholes[-1]
        call.on_abandon(ended.set)
        self._executor.workers.submit(lambda: run.stop("cancelled"))
        ended.wait(STOPPING_SECONDS)
        raise CallCancelled(call.name)

    def _come_or_go(self) -> None:
        """In the chain as long as there is something to wait for, and at no other time: it would cost every call."""
        with self._lock:
            if self._breakpoints.active and self._leave is None:
                self._leave = self._executor.answers.add(self)
            elif not self._breakpoints.active and self._leave is not None:
                self._leave()
                self._leave = None


def _replied(reply: Reply) -> Any:
    if reply.error is not None:
        raise error_named(reply.error, reply.message)
    return reply.value


def _same(edited: Any, shown: Any) -> bool:
    """Whether it was left alone; to Python, True is 1, and to JSON it is not."""
    return edited == shown and codec.encode(edited) == codec.encode(shown)


def _plain(value: Any) -> Any:
    """The value as the person saw it, but whole."""
    try:
        return codec.plain_copy(value)
    except PtcError:
        return value
