"""Waiting for what a person decides, and being told that nobody waits any longer."""

import threading
from concurrent.futures import Future

import pytest

from ptc_studio.core.calls import CallRequest
from ptc_studio.core.permissions import Decision, Question
from ptc_studio.core.run import Limits, Run
from tests.support import Engine, wait_until


def add(a: int, b: int = 10) -> int:
    return a + b


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


def test_a_denied_permission_denies(engine: Engine):
    engine.add(add, permission="deny")
    with pytest.raises(PermissionError, match="denied by its permission"):
        engine.call("add", 1)


def test_without_anybody_to_ask_ask_denies_and_says_so(engine: Engine):
    engine.add(add, permission="ask")
    with pytest.raises(PermissionError, match="no terminal to ask on"):
        engine.call("add", 1)
    assert engine.records()[0]["status"] == "denied"


class FakeAsker:
    """Answers what it was told to, and remembers what it was asked."""

    def __init__(self) -> None:
        self.questions: list[Question] = []
        self.answers: list[Future[Decision]] = []

    def ask(self, question: Question) -> Future[Decision]:
        self.questions.append(question)
        self.answers.append(Future())
        return self.answers[-1]


def test_asking_waits_for_a_person_who_sees_redacted_arguments():
    asker = FakeAsker()
    engine = Engine(asker=asker)
    engine.add(lambda password: "done", name="login", permission="ask")
    results: list[str] = []
    thread = threading.Thread(target=lambda: results.append(engine.call("login", password="hunter2-canary")))
    thread.start()
    wait_until(lambda: asker.answers)
    assert "hunter2" not in str(asker.questions[0].arguments.value)
    asker.answers[0].set_result(Decision(allowed=True))
    thread.join(10)
    assert results == ["done"]


def test_a_person_may_deny_with_a_reason():
    asker = FakeAsker()
    engine = Engine(asker=asker)
    engine.add(add, permission="ask")
    asker.ask = lambda question: _decided(Decision(allowed=False, reason="not today"))  # type: ignore[method-assign]
    with pytest.raises(PermissionError, match="not today"):
        engine.call("add", 1)


def _decided(decision: Decision) -> Future[Decision]:
    future: Future[Decision] = Future()
    future.set_result(decision)
    return future


def test_a_cancelled_run_withdraws_the_question():
    asker = FakeAsker()
    engine = Engine(asker=asker)
    engine.add(add, permission="ask")
    run = engine.run()
    errors: list[BaseException] = []

    def call() -> None:
        try:
            engine.call("add", 1, run=run)
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    wait_until(lambda: asker.answers)
    run.stop("cancelled")
    thread.join(10)
    assert isinstance(errors[0], RuntimeError)
    wait_until(asker.answers[0].cancelled)
    assert engine.records()[0]["status"] == "cancelled"
