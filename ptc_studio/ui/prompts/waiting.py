"""The questions that wait for an answer, and how they come from the threads of their calls."""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from ptc_studio.core.permissions import Decision, Question


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
