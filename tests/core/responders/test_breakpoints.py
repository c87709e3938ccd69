"""Calls that wait for a person, who looks, edits, answers, fails or stops."""

import threading
import time
from concurrent.futures import Future
from typing import Any

import pytest

from ptc_studio.core.calls import CallRequest
from ptc_studio.core.events import CallEdited, CallNoted
from ptc_studio.core.permissions import Decision, Question, Reply
from ptc_studio.core.responders.breakpoints import Breakpoint, BreakpointResponder, Breakpoints
from ptc_studio.core.responders.mocks import error_named, error_names
from ptc_studio.core.trace import Trace
from tests.support import Engine, wait_until

GO_ON = Decision(allowed=True)


class Person:
    """Answers questions by a list, then goes on; or, with `waits`, when the test says so."""

    def __init__(self, *decisions: Decision, waits: bool = False) -> None:
        self.questions: list[Question] = []
        self.answers: list[Future[Decision]] = []
        self._decisions, self._waits = list(decisions), waits
        self._lock = threading.Lock()

    def ask(self, question: Question) -> "Future[Decision]":
        answer: Future[Decision] = Future()
        if not self._waits:
            answer.set_result(self._decisions.pop(0) if self._decisions else GO_ON)
        with self._lock:
            self.questions.append(question)
            self.answers.append(answer)
        return answer

    @property
    def reasons(self) -> list[str]:
        return [question.why for question in self.questions]


class Bench:
    """An engine with breakpoints and a person."""

    def __init__(self, engine: Engine, *decisions: Decision, waits: bool = False) -> None:
        self.engine = engine
        self.person = engine.executor.asker = Person(*decisions, waits=waits)
        self.breakpoints = Breakpoints()
        self.intercept = BreakpointResponder(engine.executor, self.breakpoints)

    def notes(self, kind: str) -> list[str]:
        self.engine.executor.bus.flush()
        return [e.text.value for e in self.engine.events if isinstance(e, CallNoted) and e.kind == kind]


@pytest.fixture
def shop(engine: Engine) -> Engine:
    engine.add(lambda sku, qty=1: {"sku": sku, "qty": qty}, name="shop.price", source="shop")
    engine.add(lambda password: {"password": password, "n": 1}, name="login")
    engine.alias("cheap", "shop.price", preset={"qty": 3})
    return engine


def test_with_no_breakpoints_nobody_is_in_the_chain(shop: Engine):
    bench = Bench(shop)
    assert shop.executor.answers.members == ()
    one = Breakpoint("login")
    bench.breakpoints.add(one)
    assert shop.executor.answers.members == (bench.intercept,)
    bench.breakpoints.remove(one)
    assert shop.executor.answers.members == ()
    bench.breakpoints.set([Breakpoint("login", enabled=False)])
    assert shop.executor.answers.members == ()
    bench.breakpoints.stop_at_next()
    assert shop.executor.answers.members == (bench.intercept,)
    shop.call("login", password="x")
    assert shop.executor.answers.members == ()
    assert bench.person.reasons == ["stopped at the next call"]


@pytest.mark.parametrize(
    ("one", "calls", "stops"),
    [
        (Breakpoint("shop.price"), [("shop.price", {"sku": "a"}), ("login", {"password": "b"})], 1),
        (Breakpoint("shop.price"), [("cheap", {"sku": "a"})], 1),
        (Breakpoint("cheap"), [("cheap", {"sku": "a"}), ("shop.price", {"sku": "a"})], 1),
        (Breakpoint("shop.*"), [("cheap", {"sku": "a"}), ("shop.price", {"sku": "a"}), ("login", {"password": "b"})], 2),
        (Breakpoint(), [("login", {"password": "b"}), ("cheap", {"sku": "a"})], 2),
        (Breakpoint("shop.price", condition="qty > 2"), [("shop.price", {"sku": "a", "qty": 3}), ("shop.price", {"sku": "a"})], 1),
        (Breakpoint("cheap", condition="qty == 3"), [("cheap", {"sku": "a"})], 1),
        (Breakpoint(condition="sku == 'b'"), [("login", {"password": "b"}), ("shop.price", {"sku": "b"})], 1),
        (Breakpoint("login", enabled=False), [("login", {"password": "b"})], 0),
    ],
)  # fmt: skip
def test_a_breakpoint_stops_the_calls_that_it_means(shop: Engine, one: Breakpoint, calls: list[Any], stops: int):
    bench = Bench(shop)
    bench.breakpoints.add(one)
    for name, arguments in calls:
        shop.call(name, **arguments)
    assert len(bench.person.questions) == stops
    assert bench.notes("fault") == []


def test_a_line_means_the_scripts_own_calls(shop: Engine):
    bench = Bench(shop)
    shop.add(lambda ticket: ticket.call("login", {"password": "x"}), name="outer")
    bench.breakpoints.add(Breakpoint(line=3))
    for line in (2, 3):
        shop.executor.call(CallRequest(shop.run(), "outer", line=line))
    assert [(question.tool, question.line) for question in bench.person.questions] == [("outer", 3)]
    assert bench.person.reasons == ["breakpoint: line 3"]


def test_nested_calls_wait_too(shop: Engine):
    bench = Bench(shop)
    shop.add(lambda ticket: ticket.call("login", {"password": "x"}), name="outer")
    bench.breakpoints.add(Breakpoint("login"))
    shop.call("outer")
    assert [question.depth for question in bench.person.questions] == [2]


def test_a_broken_condition_stops_nothing_and_is_told_once(shop: Engine):
    bench = Bench(shop)
    bench.breakpoints.set([Breakpoint("login", condition="password >"), Breakpoint("login", condition="user == 1")])
    for _ in range(3):
        shop.call("login", password="x")
    assert bench.person.questions == []
    told = bench.notes("fault")
    assert len(told) == 2
    assert "does not stop" in told[0]
    assert "no argument 'user'" in told[1]


def test_going_on_leaves_the_answer_to_the_tool(shop: Engine):
    bench = Bench(shop)
    bench.breakpoints.add(Breakpoint("login"))
    assert shop.call("login", password="x") == {"password": "x", "n": 1}
    assert shop.records()[0]["answered_by"] == "tool"
    assert bench.notes("waiting") == ["breakpoint: login"]
    question = bench.person.questions[0]
    assert (question.kind, question.patience) == ("breakpoint", None)


def test_edited_arguments_are_bound_again_and_reported(shop: Engine):
    bound: list[Any] = []
    tool = shop.add(lambda n: n * 2, name="double")
    tool.bind = lambda arguments: bound.append(dict(arguments)) or {"n": int(arguments["n"])}  # type: ignore[method-assign]
    bench = Bench(shop, Decision(allowed=True, arguments={"n": "21"}))
    bench.breakpoints.add(Breakpoint("double"))
    assert shop.call("double", n="1") == 42
    assert bound == [{"n": "1"}, {"n": "21"}]
    shop.executor.bus.flush()
    edited = [event for event in shop.events if isinstance(event, CallEdited)]
    assert [event.arguments.value for event in edited] == [{"n": "21"}]
    assert shop.records()[0]["answered_by"] == "tool"
    assert len(bench.person.questions) == 1


def test_edited_arguments_that_do_not_fit_are_asked_about_again(shop: Engine):
    bench = Bench(shop, Decision(allowed=True, arguments={}), Decision(allowed=True, arguments={"sku": "b"}))
    bench.breakpoints.add(Breakpoint("shop.price"))
    assert shop.call("shop.price", sku="a") == {"sku": "b", "qty": 1}
    assert "missing 'sku'" in bench.person.reasons[1]
    assert bench.person.questions[1].arguments.value == {}


def test_a_person_may_answer_himself(shop: Engine):
    bench = Bench(shop, Decision(allowed=True, reply=Reply({"mine": 1})))
    bench.breakpoints.add(Breakpoint("shop.price"))
    assert shop.call("shop.price", sku="a") == {"mine": 1}
    assert shop.records()[0]["answered_by"] == "person"


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("ValueError", ValueError, "no"),
        ("KeyError", KeyError, "'no'"),
        ("NoSuchError", RuntimeError, "NoSuchError: no"),
        ("SystemExit", RuntimeError, "SystemExit: no"),
        ("StopIteration", RuntimeError, "StopIteration: no"),
        ("UnicodeDecodeError", RuntimeError, "UnicodeDecodeError: no"),
        ("print", RuntimeError, "print: no"),
    ],
)
def test_a_person_may_have_a_call_fail(shop: Engine, name: str, kind: type[Exception], text: str):
    bench = Bench(shop, Decision(allowed=True, reply=Reply(error=name, message="no")))
    bench.breakpoints.add(Breakpoint("shop.price"))
    with pytest.raises(kind) as caught:
        shop.call("shop.price", sku="a")
    assert str(caught.value) == text
    record = shop.records()[0]
    assert (record["status"], record["answered_by"], record["error"]["type"]) == ("error", "person", kind.__name__)


def test_every_error_to_choose_from_can_be_made():
    names = error_names()
    assert names[0] == "RuntimeError"
    assert {type(error_named(name, "text")).__name__ for name in names} == set(names)
    assert "StopIteration" not in names


def test_a_result_is_looked_at_and_left_alone(shop: Engine):
    bench = Bench(shop, Decision(allowed=True, look=True), GO_ON)
    bench.breakpoints.add(Breakpoint("login"))
    assert shop.call("login", password="hunter2-and-more") == {"password": "hunter2-and-more", "n": 1}
    assert [question.kind for question in bench.person.questions] == ["breakpoint", "result"]
    seen = bench.person.questions[1].result
    assert seen is not None
    assert seen.value["n"] == 1
    assert seen.value["password"] != "hunter2-and-more"
    assert shop.records()[0]["answered_by"] == "tool"


def test_of_an_edited_result_what_was_hidden_and_left_alone_stays(shop: Engine):
    hidden = shop.executor.redactor.value({"password": "hunter2-and-more"}, "result").value["password"]
    reply = Reply({"password": hidden, "n": 2})
    bench = Bench(shop, Decision(allowed=True, look=True), Decision(allowed=True, reply=reply))
    bench.breakpoints.add(Breakpoint("login"))
    assert shop.call("login", password="hunter2-and-more") == {"password": "hunter2-and-more", "n": 2}
    assert shop.records()[0]["answered_by"] == "person"


def test_a_result_may_be_replaced_by_an_error_or_be_an_iterator(shop: Engine):
    shop.add(lambda: iter([1, 2]), name="rows")
    bench = Bench(
        shop,
        Decision(allowed=True, look=True),
        Decision(allowed=True, reply=Reply([1, 3])),
        Decision(allowed=True, look=True),
        Decision(allowed=True, reply=Reply(error="TimeoutError", message="slow")),
    )
    bench.breakpoints.add(Breakpoint("rows"))
    assert shop.call("rows") == [1, 3]
    assert bench.person.questions[1].result.value == [1, 2]  # type: ignore[union-attr]
    with pytest.raises(TimeoutError, match="slow"):
        shop.call("rows")


def test_a_step_stops_at_the_next_call_of_this_run_alone(shop: Engine):
    bench = Bench(shop, Decision(allowed=True, step=True))
    bench.breakpoints.add(Breakpoint("login"))
    run, other = shop.run(), shop.run()
    shop.call("login", run=run, password="x")
    shop.call("shop.price", run=other, sku="a")
    shop.call("shop.price", run=run, sku="b")
    shop.call("shop.price", run=run, sku="c")
    assert [question.tool for question in bench.person.questions] == ["login", "shop.price"]
    assert bench.person.questions[1].arguments.value == {"sku": "b"}
    assert bench.person.reasons[1] == "stopped at the next call"


def test_calls_at_once_are_stepped_through_one_by_one_in_their_order_until_the_person_goes_on(shop: Engine):
    bench = Bench(shop, waits=True)
    bench.breakpoints.stop_at_next()
    run, answered = shop.run(), list[int]()
    threads = list[threading.Thread]()
    for sku in range(40):
        threads.append(
            threading.Thread(target=lambda sku=sku: answered.append(shop.call("shop.price", run=run, sku=sku)["sku"]))
        )
        threads[-1].start()
        wait_until(lambda sku=sku: len(bench.person.questions) + bench.breakpoints.waiting(run.run_id) == sku + 1)
    steps = 36
    for number in range(1, steps + 1):
        wait_until(lambda number=number: len(bench.person.questions) == number)
        assert len(answered) < number
        bench.person.answers[-1].set_result(Decision(allowed=True, step=number < steps))
        wait_until(lambda number=number: len(answered) >= number)
    for thread in threads:
        thread.join(10)
    assert [question.arguments.value["sku"] for question in bench.person.questions] == list(range(steps))
    assert sorted(answered) == list(range(40))
    assert not bench.breakpoints.active


def test_a_persons_time_and_the_original_arguments_are_told_apart(shop: Engine):
    bench = Bench(shop, waits=True)
    bench.breakpoints.add(Breakpoint("shop.price"))
    run = shop.run()
    trace = Trace(run.run_id)
    shop.executor.bus.subscribe(trace.observe)
    done = threading.Thread(target=lambda: shop.call("shop.price", run=run, sku="a"))
    done.start()
    wait_until(lambda: bench.person.answers)
    time.sleep(0.2)
    bench.person.answers[0].set_result(Decision(allowed=True, arguments={"sku": "b"}))
    done.join(10)
    shop.records()
    record = next(trace.calls())
    assert (record["arguments"], record["original_arguments"]) == ({"sku": "b"}, {"sku": "a"})
    assert record["waited_ms"] >= 200
    assert record["duration_ms"] is not None
    assert record["duration_ms"] < record["waited_ms"]


def test_the_end_of_a_run_ends_its_steps(shop: Engine):
    bench = Bench(shop, Decision(allowed=True, step=True))
    bench.breakpoints.stop_at_next()
    run = shop.run()
    shop.call("login", run=run, password="x")
    assert bench.breakpoints.active
    bench.breakpoints.stop_at_next(run.run_id, wanted=False)
    assert not bench.breakpoints.active
    assert shop.executor.answers.members == ()


def test_not_allowed_stops_the_run(shop: Engine):
    called: list[int] = []
    shop.add(lambda: called.append(1), name="tool")
    bench = Bench(shop, Decision(allowed=False))
    bench.breakpoints.add(Breakpoint("tool"))
    run = shop.run()
    with pytest.raises(RuntimeError, match="cancelled"):
        shop.call("tool", run=run)
    assert run.stop_reason == "cancelled"
    assert called == []
    assert shop.records()[0]["status"] == "cancelled"


def test_ten_calls_wait_at_once_and_each_gets_its_own_answer(shop: Engine):
    bench = Bench(shop, waits=True)
    bench.breakpoints.add(Breakpoint("shop.price"))
    got: dict[int, Any] = {}
    run = shop.run()
    threads = [
        threading.Thread(target=lambda n=n: got.update({n: shop.call("shop.price", run=run, sku=n)})) for n in range(10)
    ]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(bench.person.answers) == 10)
    assert not got
    for question, answer in reversed(list(zip(bench.person.questions, bench.person.answers, strict=True))):
        answer.set_result(Decision(allowed=True, reply=Reply(question.arguments.value["sku"] * 10)))
    for thread in threads:
        thread.join(10)
    assert got == {n: n * 10 for n in range(10)}


def test_a_run_that_is_cancelled_withdraws_all_questions(shop: Engine):
    bench = Bench(shop, waits=True)
    bench.breakpoints.add(Breakpoint("shop.price"))
    run = shop.run()
    ends: list[BaseException] = []

    def call() -> None:
        try:
            shop.call("shop.price", run=run, sku="a")
        except RuntimeError as error:
            ends.append(error)

    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(bench.person.answers) == 3)
    run.stop("cancelled")
    for thread in threads:
        thread.join(10)
    assert len(ends) == 3
    wait_until(lambda: all(answer.cancelled() for answer in bench.person.answers))


def test_time_stands_still_while_a_person_thinks_and_runs_for_the_tool(shop: Engine):
    bench = Bench(shop, waits=True)
    bench.breakpoints.add(Breakpoint("look"))
    run = shop.run(timeout=30, call_timeout=20)
    unwatch = shop.executor.deadlines.watch(run)
    shop.add(lambda ticket: [run.deadline, ticket.deadline], name="look")
    got: list[list[float]] = []
    thread = threading.Thread(target=lambda: got.append(shop.call("look", run=run)))
    began = time.monotonic()
    thread.start()
    wait_until(lambda: bench.person.answers and run.deadline == run.active[0].deadline == float("inf"))
    stood = time.monotonic()
    time.sleep(0.05)
    thought = time.monotonic() - stood
    bench.person.answers[0].set_result(GO_ON)
    thread.join(10)
    unwatch()
    ((end_of_run, end_of_call),) = got
    assert run.started + 30 + thought <= end_of_run <= time.monotonic() + 30
    assert began + 20 + thought <= end_of_call <= time.monotonic() + 20
    assert run.stop_reason is None
