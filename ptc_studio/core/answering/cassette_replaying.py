"""Puts a replay where calls are answered, and spares people questions about what it answers."""

from collections.abc import Generator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ptc_studio.core.answering.cassette import Replay
from ptc_studio.core.answering.cassette_calls import Cassette, RecordedTool
from ptc_studio.core.answering.meant_calls import is_pattern
from ptc_studio.core.answering.mocks import Mock
from ptc_studio.core.grants import Grant
from ptc_studio.core.permissions import Asker, Decision, Question

if TYPE_CHECKING:
    from ptc_studio.core.executor import Executor


class SparingAsker:
    """Allows what the replay vouches for; all other questions are put to whoever is asked otherwise."""

    def __init__(self, replay: Replay, others: Asker) -> None:
        self._replay = replay
        self.others = others

    def ask(self, question: Question) -> Future[Decision]:
        if not self._replay.vouches_for(question):
            return self.others.ask(question)
        answer: Future[Decision] = Future()
        answer.set_result(Decision(allowed=True))
        return answer


@contextmanager
def answering_from(replay: Replay, executor: "Executor") -> Generator[Replay]:
    """While this lasts, the replay answers the calls of its run."""
    take_out = executor.answers.add(replay)
    executor.asker = sparing = SparingAsker(replay, executor.asker)
    try:
        yield replay
    finally:
        take_out()
        if executor.asker is sparing:
            executor.asker = sparing.others


def mocked_names(cassette: Cassette, mocks: Sequence[Mock]) -> set[str]:
    """The recorded names that mocks answer for: the cassette is not asked for those."""
    answering = [mock.name for mock in mocks if mock.answer != "tool"]
    return {tool.name for tool in cassette.tools if any(_means(name, tool) for name in answering)}


def _means(name: str, tool: RecordedTool) -> bool:
    names = (tool.name, tool.tool, *tool.also)
    return Grant((name,)).allows(names, f"{tool.source}.{tool.tool}") if is_pattern(name) else name in names
