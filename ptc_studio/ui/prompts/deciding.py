"""What a person may answer, and whom else the answer is for."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from ptc_studio.core.permissions import Decision, Reply, Scope
from ptc_studio.ui.prompts.waiting import Prompt, WaitingPrompts


class Keeps(Protocol):
    """Writes down that something is always allowed."""

    def why_not(self, name: str) -> str:
        """Why that cannot be written down; empty if it can."""
        ...

    def allow(self, name: str) -> None: ...


class Deciding:
    """Answers prompts."""

    def __init__(self, waiting: WaitingPrompts, keeper: Keeps) -> None:
        self.waiting = waiting
        self._keeper = keeper

    def why_not_always(self, prompt: Prompt) -> str:
        """Why it cannot be allowed for good; empty if it can."""
        return self._keeper.why_not(prompt.name)

    def allow(self, prompt: Prompt, scope: Scope = "once", arguments: Mapping[str, Any] | None = None) -> None:
        """For the run, or for good, also those that ask the same and wait already are allowed, as they are."""
        others = [each for each in self.waiting.like(prompt) if each is not prompt and _meant(each, prompt, scope)]
        as_it_is = Decision(allowed=True, scope=scope)
        self.waiting.decide({prompt: replace(as_it_is, arguments=arguments), **dict.fromkeys(others, as_it_is)})
        if scope == "always":
            self._keeper.allow(prompt.name)

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

    def stop(self, prompt: Prompt) -> None:
        """At a breakpoint, to refuse is to end the run."""
        self.waiting.decide({prompt: Decision(allowed=False, reason="The run was stopped at a breakpoint.")})


def _meant(other: Prompt, prompt: Prompt, scope: Scope) -> bool:
    return scope == "always" or (scope == "run" and other.question.run_id == prompt.question.run_id)
