"""Waits for what a person decides about a call."""

import threading
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ptc_studio.core.errors import CallCancelled
from ptc_studio.core.permissions import Asker, Decision, Question, QuestionKind

if TYPE_CHECKING:
    from ptc_studio.core.calls import Call
    from ptc_studio.core.executor import Executor


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
        with call.held():
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
