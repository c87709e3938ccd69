"""Waiting for what a person decides, and being told that nobody waits any longer."""

import threading
from concurrent.futures import Future

import pytest

from ptc_studio.core.calls import CallRequest
from ptc_studio.core.permissions import Decision, Question
from ptc_studio.core.run import Limits, Run
from tests.support import Engine, wait_until


class Silent:
    """Takes its time."""

    def __init__(self) -> None:
        self.answers: list[Future[Decision]] = []

    def ask(self, question: Question) -> Future[Decision]:
        self.answers.append(Future())
        return self.answers[-1]


def test_all_questions_are_withdrawn_when_the_studio_closes_and_none_is_put_any_more(engine: Engine):
    engine.add(lambda: 1, name="tool", permission="ask")
    silent = engine.executor.asker = Silent()
    ends: list[str] = []

    def call() -> None:
        try:
            engine.executor.call(CallRequest(Run("r"), "tool"))
        except RuntimeError as error:
            ends.append(str(error))

    threads = [threading.Thread(target=call) for _ in range(5)]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(silent.answers) == 5)
    engine.executor.questions.close()
    for thread in threads:
        thread.join(10)
    assert len(ends) == 5
    assert all(answer.cancelled() for answer in silent.answers)
    with pytest.raises(RuntimeError, match="cancelled"):
        engine.call("tool")
    assert silent.answers[-1].cancelled()


class LastMoment:
    """Answers just when nobody waits any longer."""

    def ask(self, question: Question) -> Future[Decision]:
        class Late(Future[Decision]):
            def result(self, timeout: float | None = None) -> Decision:
                if not self.done():
                    self.set_result(Decision(allowed=True))
                    raise TimeoutError
                return super().result(timeout)

        return Late()


def test_an_answer_at_the_last_moment_counts(engine: Engine):
    engine.add(lambda: "done", name="tool", permission="ask")
    engine.executor.asker = LastMoment()
    assert engine.call("tool", run=Run("r", limits=Limits(ask_timeout=0.01))) == "done"
