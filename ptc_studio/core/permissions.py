"""Asking a person whether a call may happen."""

from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from ptc_studio.core.redaction import Redacted


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked; the arguments are redacted like everything that is shown."""

    run_id: str
    call_id: str
    tool: str
    alias: str | None
    arguments: Redacted


@dataclass(frozen=True, slots=True)
class Decision:
    """What the person answered."""

    allowed: bool
    reason: str = ""
    """Told to the script when the call is denied."""


class Asker(Protocol):
    """Puts questions to a person. The answer may take its time; cancelling it withdraws the question."""

    def ask(self, question: Question) -> Future[Decision]: ...


class AbsentAsker:
    """For where nobody can be asked: denies, and says so."""

    def ask(self, question: Question) -> Future[Decision]:
        answer: Future[Decision] = Future()
        name = question.alias or question.tool
        answer.set_result(
            Decision(
                allowed=False,
                reason=f"{name!r} needs a person's permission, and there is no terminal to ask on; "
                "set its permission to allow, or run it in a terminal.",
            )
        )
        return answer
