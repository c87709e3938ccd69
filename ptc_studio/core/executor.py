"""The one way to a tool: every call of every kind passes through here.

The stages stand in `STAGES`, in order; each is a plain function that may refuse the call. They run in a worker
thread, or in the thread that reads a script's channel, so any of them may wait.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ptc_studio.core import codec
from ptc_studio.core.calls import Call, CallQueue, CallRequest, CallTokens, Deliver, Outcome
from ptc_studio.core.errors import PtcError, Refusal, ToolNotFound, UnserialisableValue
from ptc_studio.core.events import (
    Bus,
    CallEdited,
    CallFailure,
    CallFinished,
    CallNoted,
    CallProgressed,
    CallStarted,
    NoteKind,
)
from ptc_studio.core.failures import attributes_of, builtin_base, message_of
from ptc_studio.core.originals import Originals
from ptc_studio.core.permissions import AbsentAsker, Asker, OpenQuestions, merged
from ptc_studio.core.redaction import Redacted, Redaction, Redactor
from ptc_studio.core.registry import Registry, Target
from ptc_studio.core.responders import ResponderChain
from ptc_studio.core.run import BEGINNING_BYTES, Deadlines, Run
from ptc_studio.core.stages import STAGES, effective_arguments, given_arguments
from ptc_studio.core.workers import UiPriority, Workers

log = logging.getLogger(__name__)
_NAMES_KEPT = 2000


class Executor:
    """Takes calls, has them answered within their bounds, and reports each."""

    def __init__(
        self,
        registry: Registry,
        *,
        bus: Bus | None = None,
        redactor: Redactor | None = None,
        asker: Asker | None = None,
        workers: Workers | None = None,
        redact_to_script: bool = False,
    ) -> None:
        self.registry = registry
        self.bus = bus or Bus()
        self.redactor = redactor or Redactor()
        self.asker: Asker = asker or AbsentAsker()
        self.questions = OpenQuestions()
        self.workers = workers or Workers()
        self.deadlines = Deadlines(self.workers)
        self.redact_to_script = redact_to_script
        self.ui_priority = UiPriority()
        self.answers = ResponderChain(answer_by_tool)
        self.call_tokens = CallTokens()
        self.originals: Originals | None = None
        """Where what was hidden can be had once more, by the person at the window; nothing is kept without it."""
        self.call_environment: Callable[[Call], Mapping[str, str]] = lambda _call: {}
        """What processes of a call's tool are told, so that they can call tools; set by whoever serves them."""
        self.fetch_tool: Callable[[str], str] = lambda _name: ""
        """Told of a name that leads nowhere yet, and waited for; gives why there is no such tool, if it knows."""
        self._redactors: dict[tuple[str, ...], Redactor] = {}
        self._names: dict[str, str] = {}
        self._names_version = -1

    def registry_of(self, run: Run) -> Registry:
        """The tools that the run's calls lead to."""
        return self.registry if run.registry is None else run.registry

    def set_redaction(self, redactor: Redactor, *, to_script: bool) -> None:
        """Hides by other rules from the next call on."""
        self.redactor, self.redact_to_script, self._redactors = redactor, to_script, {}
        self._names_version = -1

    def call(self, request: CallRequest) -> Any:
        """Calls and waits; from any thread but the loop's. Raises what the tool raised."""
        done = threading.Lock()
        done.acquire()
        outcomes: list[Outcome] = []

        def deliver(outcome: Outcome) -> None:
            outcomes.append(outcome)
            done.release()

        self.submit(request, deliver)
        done.acquire()
        return outcomes[0].unwrap()

    async def call_async(self, request: CallRequest, queue: CallQueue | None = None) -> Any:
        """The same for a caller on an event loop, whichever loop it is."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Outcome] = loop.create_future()

        def deliver(outcome: Outcome) -> None:
            # The caller may be gone, and its loop closed, by the time an abandoned tool answers.
            if not loop.is_closed():
                loop.call_soon_threadsafe(lambda: answer.done() or answer.set_result(outcome))

        call = self.submit(request, deliver, queue)
        try:
            return (await answer).unwrap()
        except asyncio.CancelledError:
            self.workers.submit(call.cancel)
            raise

    def submit(self, request: CallRequest, deliver: Deliver, queue: CallQueue | None = None) -> Call:
        """Has the call performed in a thread of its own, at once or when its turn in the queue comes.

        `deliver` gets the outcome, once, from whatever thread.
        """
        call = self.admit(request, deliver)
        if queue is not None:
            queue.add(call)
        else:
            self.workers.submit(lambda: self.perform(call))
        return call

    def admit(self, request: CallRequest, deliver: Deliver) -> Call:
        """Numbers the call and counts it as under way."""
        call = Call(self, request, deliver)
        request.run.enter(call)
        return call

    def perform(self, call: Call) -> None:
        """Does the whole call in this thread."""
        self.ui_priority.give_way()
        if call.settled:
            # It was given up while it waited for its turn: nobody wants the tool's answer, or what else it does.
            return
        if call.request.known is not None:
            self._settle(call, call.request.known)
            return
        try:
            missing = self._fetch(call)
            call.turn_came = time.monotonic()
            self._announce(call)
            if call.target is None:
                call.target = self._resolve(call, missing)
            for stage in STAGES:
                stage(call, self)
            outcome = self._answer(call)
        except Refusal as refusal:
            self.refuse(call, refusal)
        except BaseException as error:  # noqa: BLE001 - a tool may raise anything, even SystemExit
            self._settle(call, Outcome("error", exception=error, answered_by=call.answered_by))
        else:
            self._settle(call, outcome)

    def _fetch(self, call: Call) -> str:
        """Has the source of a tool that is not there yet load, before anything is said of the call."""
        request, run = call.request, call.run
        if run.registry is not None or request.target is not None or request.name in run.targets:
            return ""
        if self.registry.find(request.name) is not None:
            return ""
        reason = self.fetch_tool(request.name)
        call.queued = self.registry.find(request.name) is not None
        return reason

    def _resolve(self, call: Call, missing: str) -> Target:
        try:
            return self.registry_of(call.run).resolve(call.request.name)
        except ToolNotFound:
            if not missing:
                raise
            raise ToolNotFound(call.request.name, reason=missing) from None

    def refuse(self, call: Call, refusal: Refusal) -> bool:
        """Settles the call with the built-in exception that stands for the refusal; False if it was settled before."""
        outcome = Outcome(refusal.status, exception=refusal.as_builtin(), answered_by=call.answered_by)
        return self._settle(call, outcome)

    def report_progress(self, call: Call, done: float, total: float | None, message: str) -> None:
        """Publishes how far the call is."""
        self.bus.publish(
            CallProgressed(call.run_id, call.call_id, done, total, call.redactor.text(message, "progress"))
        )

    def note(self, call: Call, kind: NoteKind, text: str) -> None:
        """Publishes something about the call that whoever watches should see."""
        self.bus.publish(CallNoted(call.run_id, call.call_id, kind, call.redactor.text(text, "note")))

    def edit(self, call: Call, shown: Any, edited: Mapping[str, Any]) -> None:
        """Gives the call the arguments that a person made of those shown; what was hidden from him stays as it was."""
        call.edited = call.arguments = merged(effective_arguments(call), shown, dict(edited))
        self._publish(call, CallEdited(call.run_id, call.call_id, self.shown_arguments(call)))

    def shown_arguments(self, call: Call) -> Redacted:
        """What a person may see of what the call was given."""
        return self._shown(call, effective_arguments(call), "arguments")

    def shown_result(self, call: Call, value: Any) -> Redacted:
        """What a person may see of what the tool gave."""
        return self._shown(call, value, "result")

    def _answer(self, call: Call) -> Outcome:
        value = self.answers(call)
        if hasattr(value, "__next__"):
            # Encoding would use an iterator up before the script sees it.
            value = list(value)
        try:
            encoded, places = codec.encode_placed(value)
            # Copied now, for afterwards it is the script's; a short one is decoded later, while the script goes on.
            copied = codec.plain_copy(value) if len(encoded) > codec.LONG_BYTES else None
            return Outcome("ok", value, encoded, places, copied, answered_by=call.answered_by)
        except UnserialisableValue as error:
            raise TypeError(f"The result of tool {call.name!r} has no JSON form: {error}") from None

    def _announce(self, call: Call) -> None:
        """Reports the call as started, once: whoever performs it does so, or whoever gives it up before."""
        with call.announcing:
            if not call.announced:
                self._publish(call, self._started(call))
                call.announced = True

    def _started(self, call: Call) -> CallStarted:
        request, run = call.request, call.run
        known = self.registry_of(run).find(request.name)
        call.target = target = request.target or known or run.targets.get(request.name)
        alias = target.alias if target else None
        if alias and alias.redact:
            call.redactor = self._redactor_with(alias.redact)
        call.arguments = effective_arguments(call) if target else given_arguments(call)
        return CallStarted(
            run.run_id,
            call.call_id,
            request.parent.call_id if request.parent else None,
            call.depth,
            self._shown_name(target.tool.spec.name if target else request.name),
            self._shown_name(alias.name) if alias else None,
            codec.printable(target.spec.source) if target else None,
            self._remembering(call, self._shown(call, call.arguments, "arguments", keep=True), request.hidden),
            _started_ms(call),
            request.line,
        )

    def _redactor_with(self, keys: tuple[str, ...]) -> Redactor:
        """Kept, because making one costs more than a call."""
        if keys not in self._redactors:
            self._redactors[keys] = self.redactor.extended(keys=keys)
        return self._redactors[keys]

    def _shown_name(self, name: str) -> str:
        """The name as it may be seen: a script may ask for anything. Remembered, for the same are called again."""
        version = self.redactor.secrets.version
        if self._names_version != version or len(self._names) > _NAMES_KEPT:
            self._names, self._names_version = {}, version
        shown = self._names.get(name)
        if shown is None:
            shown = self._names[name] = self.redactor.text(codec.printable(name), "name").value
        return shown

    def _shown(self, call: Call, value: Any, where: str, *, keep: bool = False) -> Redacted:
        """With `keep` it counts against what is kept of the run."""
        try:
            text = codec.encode(value)
        except PtcError:
            return call.redactor.value(codec.displayable(value), where)
        copied = codec.plain_copy(value) if len(text) > codec.LONG_BYTES else codec.decode(text)
        limit = call.run.keep(len(text)) if keep else call.run.limits.result_bytes
        shown = call.redactor.value(copied, where, json_text=text, limit=limit)
        self._keep_original(call, shown, where, text)
        return shown

    def _keep_original(self, call: Call, shown: Redacted, where: str, text: bytes) -> None:
        if shown.redactions and self.originals is not None:
            self.originals.keep(call.call_id, _started_ms(call), where, text, call.redactor)

    def _remembering(self, call: Call, shown: Redacted, before: tuple[Redaction, ...]) -> Redacted:
        return call.redactor.remembering(shown, before) if before else shown

    def _settle(self, call: Call, outcome: Outcome) -> bool:
        if not call.claim():
            return False
        # A person's time is not the tool's, nor is that of others who were served first.
        now = time.monotonic()
        began = call.turn_came or now if call.queued else call.started
        duration = round(max((now - began) * 1000 - self.deadlines.waited_ms(call), 0.0), 3)
        call.turn_came = began
        if call.unwatch:
            call.unwatch()
        if call.request.known is not None:
            self._deliver(call, outcome)
            call.run.leave(call)
            return True
        if self.redact_to_script or call.request.redacted:
            outcome, finished = self._report_redacted(call, outcome, duration)
            self._report(call, lambda: finished)
            self._deliver(call, outcome)
            return True
        if call.run.witness is not None:
            self._report(call, lambda: self._finished(call, outcome, duration))
            self._deliver(call, outcome)
            return True
        # The script goes on while its copy is redacted and reported; but what it might print at once is learned before.
        quiet = call.redactor.learn(outcome.encoded, lambda: codec.decode(outcome.encoded))
        self._deliver(call, outcome)
        self._report(call, lambda: self._finished(call, outcome, duration, quiet=quiet))
        return True

    def _deliver(self, call: Call, outcome: Outcome) -> None:
        try:
            call.deliver(outcome)
        except Exception:
            # Whoever waited is gone, such as with its event loop; the call is reported all the same.
            log.exception("The answer of call %s of %r could not be delivered", call.call_id, call.name)

    def _report(self, call: Call, finished: Callable[[], CallFinished]) -> None:
        """Publishes the end, after the start; whatever fails in that, the call is not under way any longer."""
        try:
            if not call.announced:
                self._announce(call)
            self._publish(call, finished())
        except Exception:
            log.exception("The call %s of %r could not be reported", call.call_id, call.name)
        finally:
            call.run.leave(call)

    def _publish(self, call: Call, event: CallStarted | CallEdited | CallFinished) -> None:
        if call.run.witness is not None:
            call.run.witness(event)
        self.bus.publish(event)

    def _finished(
        self, call: Call, outcome: Outcome, duration: float, limit: int | None = None, *, quiet: bool = False
    ) -> CallFinished:
        """The end as it is kept of the run; with a limit, as it is sent to somebody. `quiet` is what `learn` said."""
        result: Redacted | None = None
        failure: CallFailure | None = None
        if outcome.exception is not None:
            words = message_of(outcome.exception)
            message = call.redactor.text(words, "error")
            if message.redactions:
                self._keep_original(call, message, "error", codec.encode(codec.printable(words)))
            failure = CallFailure(
                self._shown_name(type(outcome.exception).__name__),
                self._remembering(call, message, call.hidden),
                builtin_base(outcome.exception),
            )
        else:
            value = codec.decode(outcome.encoded) if outcome.copied is None else outcome.copied
            limit = call.run.keep(len(outcome.encoded)) if limit is None else limit
            shown = call.redactor.value(value, "result", json_text=outcome.encoded, limit=limit, quiet=quiet)
            self._keep_original(call, shown, "result", outcome.encoded)
            result = self._remembering(call, shown, call.hidden)
        waited, by = self.deadlines.waited_ms(call), outcome.answered_by
        queued = round(1000 * ((call.turn_came or call.started) - call.started), 3) if call.queued else 0.0
        return CallFinished(call.run_id, call.call_id, outcome.status, result, failure, duration, by, waited, queued)

    def _report_redacted(self, call: Call, outcome: Outcome, duration: float) -> tuple[Outcome, CallFinished]:
        """For `redaction.to_script` and callers elsewhere: they get what everybody else gets."""
        finished = self._finished(call, outcome, duration, call.run.limits.result_bytes)
        if finished.result is not None:
            sent, kept = finished.result, self._kept(call, finished, outcome)
            if not sent.redactions and not sent.truncated:
                return outcome, kept
            encoded, hid = codec.encode(sent.value), bool(sent.redactions)
            places = outcome.bytes_at
            shown = Outcome(outcome.status, sent.value, encoded, places, answered_by=outcome.answered_by, sanitized=hid)
            return shown, kept
        if finished.error is not None and outcome.exception is not None and self._hides(call, finished, outcome):
            exception = RuntimeError(f"{finished.error.type}: {finished.error.message.value}")
            shown = Outcome(outcome.status, exception=exception, answered_by=outcome.answered_by, sanitized=True)
            return shown, finished
        return outcome, finished

    def _hides(self, call: Call, finished: CallFinished, outcome: Outcome) -> bool:
        """Whether something is to be hidden in the failure, be it in what the exception carries."""
        if finished.error is None or outcome.exception is None:
            return False
        carried = attributes_of(outcome.exception)
        return bool(finished.error.message.redactions or (carried and call.redactor.value(carried, "error").redactions))

    def _kept(self, call: Call, finished: CallFinished, outcome: Outcome) -> CallFinished:
        """What is kept of a result that was sent whole: as much as there is room for."""
        assert finished.result is not None
        shown = finished.result
        text = codec.encode(shown.value) if shown.redactions or shown.truncated else outcome.encoded
        if len(text) <= call.run.keep(len(text)):
            return finished
        cut = call.redactor.value(shown.value, "result", json_text=text, limit=BEGINNING_BYTES)
        return replace(finished, result=self._remembering(call, cut, shown.redactions))


def _started_ms(call: Call) -> float:
    return round((call.started - call.run.started) * 1000, 3)


def answer_by_tool(call: Call) -> Any:
    """The usual answer: the tool's own."""
    assert call.target is not None
    return call.target.tool.invoke(call.arguments, call)
