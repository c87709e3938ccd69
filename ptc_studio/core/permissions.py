"""Who decides about a call; and asking a person: whether it may happen, and with what, or what is to come of it."""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from ptc_studio.core.redaction import Redacted
from ptc_studio.core.tools import JsonSchema, Permission

QuestionKind = Literal["permission", "breakpoint", "result"]
"""May it be called; what is to come of it; is its result to stay as it is."""
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
    """Of the arguments, for a form to edit them in."""
    output: JsonSchema | None = None
    line: int | None = None
    depth: int = 1
    patience: float | None = None
    """Seconds until the call is denied without an answer; None where it waits for as long as it takes."""
    result: Redacted | None = None
    """What the tool gave, where that is the question."""

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
