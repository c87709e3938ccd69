"""A person as one who answers: at a breakpoint he sees the call, edits it, and says what is to come of it."""

import threading
from typing import TYPE_CHECKING, Any, Never

from ptc_studio.core import codec
from ptc_studio.core.answering.chain import Answer
from ptc_studio.core.answering.named_errors import error_named
from ptc_studio.core.asking import ask
from ptc_studio.core.errors import CallCancelled, PtcError, UnfitArguments
from ptc_studio.core.merging import merged
from ptc_studio.core.permissions import Decision, Reply

if TYPE_CHECKING:
    from ptc_studio.core.answering.breakpoints import Breakpoints
    from ptc_studio.core.calls import Call
    from ptc_studio.core.executor import Executor

STOPPING_SECONDS = 10.0


class Intercept:
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
        decision = self._decided(call, why)
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
