"""The questions that wait for a person, what he may answer, and whom else the answer is for."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from ptc_studio.core.permissions import Decision, Question, QuestionKind, Reply, Scope
from ptc_studio.ui.calls.values import Part, argument_parts, plain


@dataclass(eq=False, slots=True)
class Prompt:
    """One question, and who waits for the answer."""

    question: Question
    answer: "Future[Decision]"
    since: float = field(default_factory=time.monotonic)

    @property
    def name(self) -> str:
        return self.question.name

    @property
    def left(self) -> float | None:
        """Seconds until the call is denied; None where it waits for as long as it takes."""
        patience = self.question.patience
        return None if patience is None else max(self.since + patience - time.monotonic(), 0.0)

    def is_like(self, other: "Prompt") -> bool:
        """Whether the same is asked of the same tool, in whatever run."""
        return (self.name, self.question.kind) == (other.name, other.question.kind)


class WaitingPrompts(QObject):
    """All that waits, the longest first. On the window's thread.

    Signals: came(prompt), went(prompt): it was answered, or nobody waits for the answer any longer.
    """

    came = Signal(object)
    went = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[Prompt] = []

    @property
    def all(self) -> tuple[Prompt, ...]:
        return tuple(self._all)

    def like(self, prompt: Prompt) -> list[Prompt]:
        """Those that ask the same, the prompt itself among them."""
        return [each for each in self._all if each.is_like(prompt)]

    def of_call(self, run_id: str, call_id: str) -> Prompt | None:
        """The question about that call."""
        wanted = (run_id, call_id)
        return next((each for each in self._all if (each.question.run_id, each.question.call_id) == wanted), None)

    def add(self, prompt: Prompt) -> None:
        """Takes in a question, unless it has been withdrawn on the way."""
        if isValid(self) and not prompt.answer.done():
            self._all.append(prompt)
            self.came.emit(prompt)

    def drop(self, prompt: Prompt) -> None:
        """It needs no answer any longer."""
        if isValid(self) and prompt in self._all:
            self._all.remove(prompt)
            self.went.emit(prompt)

    def decide(self, answers: Mapping[Prompt, Decision]) -> None:
        """Gives these answers; too late is no mistake."""
        gone = [prompt for prompt in self._all if prompt in answers]
        self._all = [prompt for prompt in self._all if prompt not in answers]
        for prompt in gone:
            self.went.emit(prompt)
        for prompt in gone:
            # A call may have been given up in this very moment.
            with suppress(InvalidStateError):
                prompt.answer.set_result(answers[prompt])


class WindowAsker:
    """Asks the person at the window. Made on the window's loop; `ask` may be called from any thread."""

    def __init__(self, waiting: WaitingPrompts) -> None:
        self._waiting = waiting
        self._loop = asyncio.get_running_loop()

    def ask(self, question: Question) -> "Future[Decision]":
        answer: Future[Decision] = Future()
        prompt = Prompt(question, answer)
        if self._later(lambda: self._waiting.add(prompt)):
            answer.add_done_callback(lambda _: self._later(lambda: self._waiting.drop(prompt)))
        else:
            # There is no window any longer.
            answer.cancel()
        return answer

    def _later(self, do: Callable[[], None]) -> bool:
        try:
            self._loop.call_soon_threadsafe(do)
        except RuntimeError:
            return False
        return True


class SavedDecision(Protocol):
    """Writes down that something is always allowed."""

    def why_not(self, name: str) -> str:
        """Why that cannot be written down; empty if it can."""
        ...

    def allow(self, name: str) -> None: ...


class PromptDecision:
    """Answers prompts."""

    def __init__(self, waiting: WaitingPrompts, edits: SavedDecision) -> None:
        self.waiting = waiting
        self._edits = edits

    def why_not_always(self, prompt: Prompt) -> str:
        """Why it cannot be allowed for good; empty if it can."""
        return self._edits.why_not(prompt.name)

    def allow(self, prompt: Prompt, scope: Scope = "once", arguments: Mapping[str, Any] | None = None) -> None:
        """For the run, or for good, also those that ask the same and wait already are allowed, as they are."""
        others = [each for each in self.waiting.like(prompt) if each is not prompt and _meant(each, prompt, scope)]
        as_it_is = Decision(allowed=True, scope=scope)
        self.waiting.decide({prompt: replace(as_it_is, arguments=arguments), **dict.fromkeys(others, as_it_is)})
        if scope == "always":
            self._edits.allow(prompt.name)

    def allow_all(self, prompts: Sequence[Prompt]) -> None:
        """Each of them, once, as it is."""
        self.waiting.decide(dict.fromkeys(prompts, Decision(allowed=True)))

    def deny(self, prompts: Sequence[Prompt], reason: str = "") -> None:
        """The script of each gets the reason."""
        self.waiting.decide(dict.fromkeys(prompts, Decision(allowed=False, reason=reason.strip())))

    def go_on(
        self,
        prompt: Prompt,
        arguments: Mapping[str, Any] | None = None,
        *,
        step: bool = False,
        look: bool = False,
        reply: Reply | None = None,
    ) -> None:
        """From a breakpoint: with the tool, with its result to be seen first, or with another answer."""
        decision = Decision(allowed=True, arguments=arguments, step=step, look=look, reply=reply)
        self.waiting.decide({prompt: decision})

    def accept(self, prompt: Prompt, value: Any) -> None:
        """Gives the tool what it wants to know."""
        self.waiting.decide({prompt: Decision(allowed=True, reply=Reply(value))})

    def decline(self, prompt: Prompt) -> None:
        """Tells the tool that it is not given what it wants to know."""
        self.waiting.decide({prompt: Decision(allowed=False)})

    def dismiss(self, prompt: Prompt) -> None:
        """Neither gives nor refuses what the tool wants to know."""
        self.waiting.decide({prompt: Decision(allowed=False, dismissed=True)})

    def stop(self, prompt: Prompt) -> None:
        """At a breakpoint, to refuse is to end the run."""
        self.waiting.decide({prompt: Decision(allowed=False, reason="The run was stopped at a breakpoint.")})


def _meant(other: Prompt, prompt: Prompt, scope: Scope) -> bool:
    return scope == "always" or (scope == "run" and other.question.run_id == prompt.question.run_id)


_WAITS: dict[QuestionKind, str] = {
    "permission": "waits for you",
    "breakpoint": "is stopped",
    "result": "is stopped with its result",
    "form": "asks you",
    "link": "wants a page opened",
    "sampling": "asks for a model's answer",
}
KINDS: dict[QuestionKind, str] = {
    "permission": "permission",
    "breakpoint": "breakpoint",
    "result": "result",
    "form": "question",
    "link": "link",
    "sampling": "sampling",
}
"""What stands on the badge."""
STOPPED: tuple[QuestionKind, ...] = ("breakpoint", "result")
MINUTE = 60


def heading(question: Question) -> str:
    """`shop.refund waits for you`."""
    return f"{question.name} {_WAITS[question.kind]}"


def heading_parts(question: Question, room: int) -> list[Part]:
    """The same with the arguments, in coloured parts."""
    waits = ("text", f" {_WAITS[question.kind]}  ")
    return [("tool", question.name), waits, *argument_parts(question.arguments.value, room)]


def many_parts(questions: Iterable[Question]) -> list[Part]:
    """`10 calls wait for you: shop.refund ×7, shop.pay ×3`."""
    counts = Counter(question.name for question in questions)
    parts: list[Part] = [("text", f"{counts.total():,} calls wait for you:  ")]
    for number, (name, count) in enumerate(counts.most_common()):
        parts += [("muted", ", ")] if number else []
        parts += [("tool", name), ("muted", f" ×{count:,}")]
    return parts


def arguments_line(question: Question, room: int = 200) -> str:
    """The arguments in one line."""
    return plain(argument_parts(question.arguments.value, room))


def circumstances(question: Question) -> str:
    """Why it is a question, and where the call was made: `Asked by source 'shop' · alias of shop.pay · line 8`."""
    why = question.why[:1].upper() + question.why[1:]
    alias = f"alias of {question.tool}" if question.alias else ""
    line = f"line {question.line}" if question.line is not None else ""
    if line and re.search(rf"\b{line}\b", why):
        # A breakpoint on a line names it itself.
        line = ""
    depth = f"depth {question.depth}" if question.depth > 1 else ""
    return " · ".join(filter(None, (why, alias, depth, line)))


def time_left(seconds: float | None) -> str:
    """`denied in 1:54`, `denied in 12 s`; empty where there is no end to it."""
    if seconds is None:
        return ""
    whole = int(seconds + 0.999)
    if whole > MINUTE:
        return f"denied in {whole // MINUTE}:{whole % MINUTE:02}"
    return f"denied in {whole} s"
