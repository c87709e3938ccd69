"""Who answers a call: the tool, or whoever stands in for it."""

import random
import threading
import time
from concurrent.futures import Future
from typing import Any

import pytest

from ptc_studio.core.calls import Call, CallRequest
from ptc_studio.core.events import CallFinished
from ptc_studio.core.permissions import Decision, Question, merged
from ptc_studio.core.responders import Answer
from ptc_studio.core.run import Limits, Run
from tests.support import Engine, wait_until


class RandomFault:
    """Fails now and then: the whole of a new kind of answer."""

    kind, rank = "fault", 15

    def __init__(self, rate: float, seed: int) -> None:
        self._rate, self._chance = rate, random.Random(seed)

    def answer(self, call: Call, rest: Answer) -> Any:
        if self._chance.random() < self._rate:
            raise ConnectionError("a fault on purpose")
        return rest(call)


class Fixed:
    """Answers all calls of one tool."""

    kind = "mock"

    def __init__(self, name: str, value: Any, rank: int = 20) -> None:
        self._name, self._value, self.rank = name, value, rank

    def answer(self, call: Call, rest: Answer) -> Any:
        return self._value if call.name == self._name else rest(call)


class Person:
    """Answers questions as the test says."""

    def __init__(self, *decisions: Decision | None) -> None:
        self.questions: list[Question] = []
        self.answers: list[Future[Decision]] = []
        self._decisions = list(decisions)

    def ask(self, question: Question) -> Future[Decision]:
        self.questions.append(question)
        answer: Future[Decision] = Future()
        self.answers.append(answer)
        decision = self._decisions.pop(0) if self._decisions else None
        if decision is not None:
            answer.set_result(decision)
        return answer


def by(engine: Engine, name: str, **arguments: Any) -> tuple[Any, str]:
    """What a call gave, and who answered it."""
    run = engine.run()
    value = engine.executor.call(CallRequest(run, name, kwargs=arguments))
    wait_until(lambda: not run.active)
    engine.executor.bus.flush()
    # Of this run: the end of a call that failed before may be told only now.
    ends = [event for event in engine.events if isinstance(event, CallFinished) and event.run_id == run.run_id]
    return value, ends[-1].answered_by


def test_a_new_kind_of_answer_is_one_small_class(engine: Engine):
    engine.add(lambda: "real", name="tool")
    take_out = engine.executor.answers.add(RandomFault(0.5, seed=1))
    ends = []
    for _ in range(20):
        try:
            ends.append(by(engine, "tool"))
        except ConnectionError as error:
            ends.append(str(error))
    assert ("real", "tool") in ends
    assert "a fault on purpose" in ends
    take_out()
    assert {by(engine, "tool") for _ in range(10)} == {("real", "tool")}


def test_the_first_by_rank_is_asked_first_and_the_record_says_who_answered(engine: Engine):
    engine.add(lambda: "real", name="one")
    engine.add(lambda: "real", name="two")
    later, earlier = Fixed("one", "late", rank=30), Fixed("one", "early", rank=20)
    engine.executor.answers.add(later)
    engine.executor.answers.add(earlier)
    assert by(engine, "one") == ("early", "mock")
    assert by(engine, "two") == ("real", "tool")
    assert engine.executor.answers.members == (earlier, later)


def test_a_person_may_edit_the_arguments_that_he_is_asked_about(engine: Engine):
    got: list[Any] = []
    engine.add(lambda a, password: got.append((a, password)), name="login", permission="ask")
    shown = engine.executor.redactor.value({"password": "hunter2-and-more"}, "arguments").value["password"]
    person = engine.executor.asker = Person(Decision(allowed=True, arguments={"a": 2, "password": shown}))
    engine.executor.call(CallRequest(Run("r"), "login", kwargs={"a": 1, "password": "hunter2-and-more"}))
    assert person.questions[0].arguments.value == {"a": 1, "password": shown}
    assert shown != "hunter2-and-more"
    assert got == [(2, "hunter2-and-more")]


def test_what_is_allowed_for_a_run_is_not_asked_again_in_it(engine: Engine):
    engine.add(lambda: 1, name="tool", permission="ask")
    person = engine.executor.asker = Person(Decision(allowed=True, scope="run"), Decision(allowed=False, reason="No."))
    run = Run("r")
    for _ in range(3):
        assert engine.executor.call(CallRequest(run, "tool")) == 1
    assert len(person.questions) == 1
    with pytest.raises(PermissionError, match="No"):
        engine.executor.call(CallRequest(Run("other"), "tool"))


def test_without_an_answer_in_time_the_call_is_denied(engine: Engine):
    engine.add(lambda: 1, name="tool", permission="ask")
    person = engine.executor.asker = Person(None)
    with pytest.raises(PermissionError, match=r"Nobody answered within 0\.05 s whether 'tool' may be called"):
        engine.executor.call(CallRequest(Run("r", limits=Limits(ask_timeout=0.05)), "tool"))
    assert person.answers[0].cancelled()


def test_the_time_of_a_run_and_of_all_who_wait_stands_still_while_a_person_thinks(engine: Engine):
    engine.add(lambda: "done", name="inner", permission="ask")
    engine.add(lambda ticket: waiting.append(ticket) or ticket.call("inner", {}), name="outer")
    waiting: list[Call] = []
    person = engine.executor.asker = Person(None)
    run = Run("r", limits=Limits(timeout=30))
    end = run.deadline
    unwatch = engine.executor.deadlines.watch(run)
    got: list[Any] = []
    thread = threading.Thread(target=lambda: got.append(engine.executor.call(CallRequest(run, "outer"))))
    thread.start()
    wait_until(lambda: person.answers and run.deadline == waiting[0].deadline == float("inf"))
    began = time.monotonic()
    time.sleep(0.05)
    thought = time.monotonic() - began
    person.answers[0].set_result(Decision(allowed=True))
    thread.join(10)
    unwatch()
    assert got == ["done"]
    assert run.stop_reason is None
    assert end + thought <= run.deadline <= time.monotonic() + 30


def test_a_call_that_is_cancelled_while_a_person_thinks_withdraws_the_question(engine: Engine):
    engine.add(lambda: 1, name="tool", permission="ask")
    person = engine.executor.asker = Person(None)
    run = Run("r")
    ends: list[BaseException] = []

    def call() -> None:
        try:
            engine.executor.call(CallRequest(run, "tool"))
        except RuntimeError as error:
            ends.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    wait_until(lambda: person.answers)
    run.stop("cancelled")
    thread.join(10)
    assert "cancelled" in str(ends[0])
    wait_until(person.answers[0].cancelled)


@pytest.mark.parametrize(
    ("original", "shown", "edited", "whole"),
    [
        ({"a": 1, "key": "secret"}, {"a": 1, "key": "***"}, {"a": 2, "key": "***"}, {"a": 2, "key": "secret"}),
        ({"key": "secret"}, {"key": "***"}, {"key": "mine"}, {"key": "mine"}),
        ({"list": ["s", 1]}, {"list": ["***", 1]}, {"list": ["***", 2]}, {"list": ["s", 2]}),
        ({"list": ["s", 1]}, {"list": ["***", 1]}, {"list": [1]}, {"list": [1]}),
        (
            {"a": {"b": "s"}, "c": 1},
            {"a": {"b": "***"}, "c": 1},
            {"a": {"b": "***", "d": 1}},
            {"a": {"b": "s", "d": 1}},
        ),
        ({"a": True}, {"a": True}, {"a": 1}, {"a": 1}),
    ],
)
def test_what_a_person_left_as_it_was_shown_is_what_it_was(original: Any, shown: Any, edited: Any, whole: Any):
    result = merged(original, shown, edited)
    assert result == whole
    assert all(type(result[key]) is type(whole[key]) for key in whole)
