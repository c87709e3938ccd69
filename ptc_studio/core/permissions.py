"""Who decides about a call, and asking a person about one: whether it may happen, and with what."""

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast, get_args

from ptc_studio.core.errors import CallCancelled
from ptc_studio.core.redaction import Redacted
from ptc_studio.core.tools import InputKind, InputRequest, JsonSchema, Permission

if TYPE_CHECKING:
    from ptc_studio.core.calls import Call
    from ptc_studio.core.executor import Executor


QuestionKind = Literal["permission", "breakpoint", "result"] | InputKind
"""May it be called; what is to come of it; is its result to stay as it is; what its tool wants of a person."""
INPUT_KINDS: tuple[QuestionKind, ...] = get_args(InputKind)
Scope = Literal["once", "run", "always"]


@dataclass(frozen=True, slots=True)
class Rule:
    """What one place says of calls."""

    by: str
    """The place in a message's words, such as `source 'github'`."""
    permission: Permission | None
    """None leaves it to the others."""


def decided(*rules: Rule) -> tuple[Permission, str]:
    """What counts, and who says so: the first of the rules that says anything, the most specific one given first.

    The order of the product is alias, tool, source, what the tool says of itself. Where nobody says anything, the
    call is allowed.
    """
    for rule in rules:
        if rule.permission is not None:
            return rule.permission, rule.by
    return "allow", ""


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked; the arguments are redacted like everything that is shown."""

    run_id: str
    call_id: str
    tool: str
    alias: str | None
    arguments: Redacted
    kind: QuestionKind = "permission"
    why: str = ""
    """What made it a question, such as "asked by source 'github'" or "breakpoint on shop.price"."""
    schema: JsonSchema = field(default_factory=dict[str, Any])
    """Of the arguments, for a form to edit them in; of what a tool wants to know, where that is the question."""
    output: JsonSchema | None = None
    line: int | None = None
    depth: int = 1
    patience: float | None = None
    """Seconds until the call is denied without an answer; None where it waits for as long as it takes."""
    result: Redacted | None = None
    """What the tool gave, or the conversation that is to go on, where that is the question."""
    message: str = ""
    """What the tool says to the person whom it asks."""
    url: str = ""
    """What the person is to open."""

    @property
    def name(self) -> str:
        return self.alias or self.tool


@dataclass(frozen=True, slots=True)
class Reply:
    """A person's own answer instead of the tool's: a value, or an error by the name of its built-in type."""

    value: Any = None
    error: str | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the person answered."""

    allowed: bool
    reason: str = ""
    """Told to the script when the call is denied."""
    scope: Scope = "once"
    """`run`: this name is not asked about again in the run. `always` is the asker's to write down, too."""
    arguments: Mapping[str, Any] | None = None
    """The arguments as the person edited what the question showed; None leaves them as they are."""
    reply: Reply | None = None
    """A person's own answer; of a result that was shown, the edited one."""
    look: bool = False
    """At a breakpoint: have the tool answer, and ask again with its result before the script gets it."""
    step: bool = False
    """At a breakpoint: stop at the next call, too."""
    dismissed: bool = False
    """Of what a tool wanted to know: neither given nor refused."""


class Asker(Protocol):
    """Puts questions to a person. The answer may take its time; cancelling it withdraws the question."""

    def ask(self, question: Question) -> Future[Decision]: ...


class AbsentAsker:
    """For where nobody can be asked: denies, and says so."""

    def ask(self, question: Question) -> Future[Decision]:
        answer: Future[Decision] = Future()
        name = question.alias or question.tool
        reason = (
            f"{name!r} needs a person's permission, and there is no terminal to ask on; "
            "set its permission to allow, or run it in a terminal."
        )
        if question.kind in INPUT_KINDS:
            reason = f"{name!r} wants a person's answer, and there is no window to ask in."
        answer.set_result(Decision(allowed=False, reason=reason))
        return answer


class OpenQuestions:
    """The questions that wait for an answer, so that all of them can be withdrawn. Thread-safe."""

    def __init__(self) -> None:
        self._open: set[Future[Decision]] = set()
        self._closed = False
        self._lock = threading.Lock()

    def put(self, asker: Asker, question: Question) -> "Future[Decision]":
        """Has the question asked; where nothing is asked any longer, it is withdrawn at once."""
        answer = asker.ask(question)
        with self._lock:
            closed = self._closed
            if not closed:
                self._open.add(answer)
        answer.add_done_callback(self._open.discard)
        if closed:
            answer.cancel()
        return answer

    def close(self) -> None:
        """Withdraws every question, and all that come after: whoever waits goes on as if the run had been stopped."""
        with self._lock:
            self._closed = True
            waiting = tuple(self._open)
        for answer in waiting:
            answer.cancel()


def ask(
    call: "Call", executor: "Executor", kind: QuestionKind, why: str, patience: float | None = None, result: Any = None
) -> Decision:
    """Puts the question and gives the decision; edited arguments are the call's when it returns.

    Meanwhile the time of the run and of everything that waits for this call stands still. Without an answer in
    `patience` seconds the call is denied. Raises CallCancelled if the call is given up.
    """
    question = _question(call, executor, kind, why, patience)
    if kind == "result":
        question = replace(question, result=executor.shown_result(call, result))
    answer = executor.questions.put(executor.asker, question)

    def withdraw() -> None:
        answer.cancel()

    call.on_abandon(withdraw)
    executor.note(call, "waiting", why)
    try:
        with call.held(by_person=True):
            decision = answer.result(patience)
    except TimeoutError:
        # The answer may have come at the last moment.
        decision = _unanswered(question) if answer.cancel() else answer.result()
    except CancelledError:
        raise CallCancelled(call.name) from None
    if call.settled:
        raise CallCancelled(call.name)
    executor.note(call, "resumed", "")
    if decision.arguments is not None:
        executor.edit(call, question.arguments.value, decision.arguments)
    return decision


def request_input(
    call: "Call", executor: "Executor", request: InputRequest, beside: "Sequence[Call]"
) -> "Future[Decision]":
    """Puts what the call's tool wants to know; see `Ticket.request_input`. It waits for as long as it takes."""
    question = replace(
        _question(call, executor, request.kind, f"asked by {request.by}", None),
        schema=request.schema,
        message=str(call.redactor.text(request.message, "input").value),
        url=request.url,
        result=executor.shown_result(call, request.conversation),
    )
    clocks = ExitStack()
    for each in (call, *beside):
        clocks.enter_context(each.held(by_person=True))
    executor.note(call, "waiting", question.why)
    answer = executor.questions.put(executor.asker, question)

    def resume(_: Future[Decision]) -> None:
        clocks.close()
        executor.note(call, "resumed", "")

    def withdraw() -> None:
        answer.cancel()

    answer.add_done_callback(resume)
    call.on_abandon(withdraw)
    return answer


def _unanswered(question: Question) -> Decision:
    return Decision(
        allowed=False,
        reason=f"Nobody answered within {question.patience:g} s whether {question.name!r} may be called.",
    )


def _question(call: "Call", executor: "Executor", kind: QuestionKind, why: str, patience: float | None) -> Question:
    assert call.target is not None
    target = call.target
    return Question(
        call.run_id,
        call.call_id,
        target.tool.spec.name,
        target.alias.name if target.alias else None,
        executor.shown_arguments(call),
        kind,
        why,
        target.tool.spec.parameters,
        target.tool.spec.output,
        call.request.line,
        call.depth,
        patience,
    )


def merged(original: Any, shown: Any, edited: Any) -> Any:
    """What `edited` makes of `original`, of which the person saw `shown`: what he left as shown is the original."""
    if _all(Mapping, original, shown, edited):
        old, seen = cast("Mapping[str, Any]", original), cast("Mapping[str, Any]", shown)
        changed = cast("Mapping[str, Any]", edited)
        return {
            key: merged(old[key], seen[key], value) if key in old and key in seen else value
            for key, value in changed.items()
        }
    if _all((list, tuple), original, shown, edited) and len(original) == len(shown) == len(edited):
        return [merged(*items) for items in zip(original, shown, edited, strict=True)]
    return original if type(edited) is type(shown) and edited == shown else edited


def _all(kind: type | tuple[type, ...], *values: Any) -> bool:
    return all(isinstance(value, kind) for value in values)
