"""Answering a run from the recording of another."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from ptc_studio.core.calls import CallRequest
from ptc_studio.core.events import CallNoted
from ptc_studio.core.permissions import Decision, Question
from ptc_studio.core.responders.cassette import Cassette, cassette_of
from ptc_studio.core.responders.replay import Replay, absent_targets, answering_from
from ptc_studio.core.run import Run
from ptc_studio.core.trace import Trace
from tests.support import Engine, wait_until

WHEN = datetime(2026, 11, 16, tzinfo=UTC)
SECRET = "sk-proj-abcdefghij0123456789ABCDEFGHIJ"
Script = Callable[[Callable[..., Any]], Any]


class OutOfStock(LookupError):
    """A tool's own type of errors."""


class Recorder:
    """An engine whose runs are recorded and replayed. A script is a function that is given `call(name, **arguments)`."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.asked: list[Any] = []

    def record(self, script: Script, **limits: Any) -> Cassette:
        run = self.engine.run(**limits)
        trace = self.traced(script, run)
        engine = self.engine
        return cassette_of(trace, engine.registry, engine.executor.redactor, name="demo", script="script.py", when=WHEN)

    def replay(self, script: Script, cassette: Cassette, **options: Any) -> tuple[Replay, list[dict[str, Any]]]:
        """The replay when it is over, and the records of the calls."""
        run = self.engine.run()
        run.targets = absent_targets(cassette, (), ())
        with answering_from(Replay(cassette, run, **options), self.engine.executor) as replay:
            trace = self.traced(script, run)
        return replay, list(trace.calls())

    def traced(self, script: Script, run: Run) -> Trace:
        executor, trace = self.engine.executor, Trace(run.run_id)
        unsubscribe = executor.bus.subscribe(trace.observe)
        lines = iter(range(1, 100_000))

        def call(name: str, *args: Any, **arguments: Any) -> Any:
            return executor.call(CallRequest(run, name, args, arguments, line=next(lines)))

        call.run = run  # type: ignore[attr-defined]
        try:
            script(call)
        finally:
            wait_until(lambda: not run.busy)
            executor.bus.flush()
            unsubscribe()
        return trace


@pytest.fixture
def recorder(engine: Engine) -> Recorder:
    made = Recorder(engine)
    engine.add(lambda sku, qty=1: {"sku": sku, "total": 2 * qty}, name="price")
    engine.add(lambda sku: made.asked.append(sku) or 7, name="stock")

    def reserve(sku: str, ticket: Any) -> str:
        try:
            ticket.call("missing_one", {"sku": sku})
        except LookupError:
            ticket.call("stock", {"sku": sku})
        return f"reserved {sku}"

    def missing_one(sku: str) -> None:
        raise OutOfStock(f"no {sku}")

    engine.add(reserve)
    engine.add(missing_one)
    return made


def plain(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    aside = ("started_ms", "duration_ms", "answered_by")
    return [{name: value for name, value in record.items() if name not in aside} for record in records]


@contextmanager
def told(kind: type[BaseException], *words: str) -> Iterator[None]:
    with pytest.raises(kind) as caught:
        yield
    for word in words:
        assert word in str(caught.value)


def test_a_replay_gives_the_same_values_and_the_same_tree_without_any_tool(recorder: Recorder, engine: Engine):
    values: list[Any] = []

    def script(call: Any) -> None:
        values.append([call("price", "A", qty=3), call("reserve", sku="B"), call("stock", "C")])

    cassette = recorder.record(script)
    run = engine.run()
    recorded = plain(list(recorder.traced(script, run).calls()))
    recorder.asked.clear()
    engine.forget_tools()
    replay, records = recorder.replay(script, cassette, mode="strict")
    assert values[-1] == values[0] == [{"sku": "A", "total": 6}, "reserved B", 7]
    assert plain(records) == recorded
    assert {record["answered_by"] for record in records} == {"cassette"}
    assert [(record["parent_id"], record["depth"], record["tool"]) for record in records] == [
        (None, 1, "price"), (None, 1, "reserve"), ("c2", 2, "missing_one"), ("c2", 2, "stock"), (None, 1, "stock"),
    ]  # fmt: skip
    assert (replay.misses, replay.drifts, replay.never_made(), replay.answered) == ([], [], "", 5)
    assert recorder.asked == []


def test_an_argument_that_differs_is_named_with_what_was_recorded(recorder: Recorder):
    cassette = recorder.record(lambda call: call("price", sku="A", qty=3))

    def script(call: Any) -> None:
        with told(LookupError, "'demo' has no call of price with qty=4 (recorded: qty=3, at line 1)", "--miss tool"):
            call("price", sku="A", qty=4)
        with told(LookupError, "no call of price without qty (recorded: qty=3, at line 1)"):
            call("price", sku="A")
        with told(LookupError, "'demo' has no call of stock."):
            call("stock", sku="A")

    replay, records = recorder.replay(script, cassette)
    assert [record["status"] for record in records] == ["not_found"] * 3
    assert {record["answered_by"] for record in records} == {"cassette"}
    assert len(replay.misses) == 3
    assert 'price(sku="A", qty=3) at line 1' in replay.never_made()


def test_the_recorded_call_that_is_still_to_come_is_the_one_compared_with(recorder: Recorder):
    cassette = recorder.record(lambda call: (call("price", "A", qty=1), call("price", "A", qty=2)))

    def script(call: Any) -> None:
        call("price", "A", qty=1)
        with told(LookupError, "with qty=9 (recorded: qty=2, at line 2)"):
            call("price", "A", qty=9)

    recorder.replay(script, cassette)


def test_a_miss_may_be_left_to_the_tool_and_what_that_calls_in_turn_too(recorder: Recorder, engine: Engine):
    cassette = recorder.record(lambda call: call("price", sku="A", qty=3))
    replay, records = recorder.replay(lambda call: call("reserve", sku="Z"), cassette, on_miss="tool")
    assert [(record["tool"], record["answered_by"]) for record in records] == [
        ("reserve", "tool"), ("missing_one", "tool"), ("stock", "tool"),
    ]  # fmt: skip
    assert recorder.asked == ["Z"]
    assert len(replay.misses) == 1
    notes = [event for event in engine.events if isinstance(event, CallNoted) and event.kind == "drift"]
    assert [note.text.value for note in notes] == [
        "The cassette 'demo' has no call of reserve. The tool answered instead."
    ]


def test_strict_refuses_another_order_and_match_only_tells_of_it(recorder: Recorder, engine: Engine):
    cassette = recorder.record(lambda call: (call("price", "A"), call("stock", "A")))

    def turned_round(call: Any) -> None:
        call("stock", "A")
        call("price", "A")

    def refused(call: Any) -> None:
        with told(LookupError, """'demo' has price(sku="A") at line 1 next, not stock(sku="A")."""):
            call("stock", "A")
        call("price", "A")
        call("stock", "A")

    replay, _ = recorder.replay(refused, cassette, mode="strict")
    assert len(replay.misses) == 1
    replay, records = recorder.replay(turned_round, cassette)
    assert [record["status"] for record in records] == ["ok", "ok"]
    assert replay.misses == []
    assert replay.drifts == ["""The cassette 'demo' has price(sku="A") at line 1 next, not stock(sku="A")."""]
    assert any(isinstance(event, CallNoted) and event.kind == "drift" for event in engine.events)


def test_match_gives_the_last_answer_again_where_strict_has_no_further_one(recorder: Recorder, engine: Engine):
    numbers = iter(range(100))
    engine.add(lambda: next(numbers), name="tick")
    cassette = recorder.record(lambda call: (call("tick"), call("tick")))
    given: list[Any] = []
    replay, _ = recorder.replay(lambda call: given.extend(call("tick") for _ in range(4)), cassette)
    assert given == [0, 1, 1, 1]
    assert len(replay.drifts) == 2
    assert "recorded 2 times, last at line 2" in replay.drifts[0]

    def script(call: Any) -> None:
        for _ in range(2):
            call("tick")
        with told(LookupError, "no further call of tick()"):
            call("tick")

    recorder.replay(script, cassette, mode="strict")


async def test_calls_under_way_together_may_come_in_any_order_even_strictly(recorder: Recorder, engine: Engine):
    async def together(run: Run, *names: str) -> list[Any]:
        calls = [engine.executor.call_async(CallRequest(run, "slow", kwargs={"name": name})) for name in names]
        return await asyncio.gather(*calls)

    loop = asyncio.get_running_loop()
    barrier = threading.Barrier(3, timeout=10)
    engine.add(lambda name: barrier.wait() < 0 or name, name="slow")

    def in_order(*names: str) -> Script:
        def script(call: Any) -> None:
            asyncio.run_coroutine_threadsafe(together(call.run, *names), loop).result(20)
            call("price", "end")

        return script

    cassette = await asyncio.to_thread(recorder.record, in_order("a", "b", "c"))
    assert [call.together for call in cassette.calls] == ["c1", "c1", "c1", None]
    replay, _ = await asyncio.to_thread(recorder.replay, in_order("c", "a", "b"), cassette, mode="strict")
    assert (replay.misses, replay.never_made()) == ([], "")

    def too_early(call: Any) -> None:
        with told(LookupError, "next, not price"):
            call("price", "end")

    await asyncio.to_thread(recorder.replay, too_early, cassette, mode="strict")


@pytest.mark.parametrize("mode", ["match", "strict"])
def test_errors_come_back_as_they_were(recorder: Recorder, engine: Engine, mode: Any):
    def key_error() -> None:
        raise KeyError("gone")

    engine.add(key_error)
    engine.add(lambda: time.sleep(5), name="slow", timeout=0.05)
    engine.add(lambda: 1, name="forbidden", permission="deny")
    caught: list[Any] = []

    def script(call: Any) -> None:
        for name in ("key_error", "missing_one", "slow", "forbidden", "price", "nothing"):
            arguments = {"sku": "A"} if name == "missing_one" else {}
            try:
                call(name, **arguments)
            except Exception as error:
                caught.append((type(error).__name__, type(error).__mro__[1].__name__, str(error)))

    cassette = recorder.record(script)
    recorded, caught = caught, []
    replay, records = recorder.replay(script, cassette, mode=mode)
    assert [name for name, _, _ in caught] == [name for name, _, _ in recorded]
    assert [text for *_, text in caught] == [text for *_, text in recorded]
    assert caught[1][:2] == ("OutOfStock", "LookupError")
    statuses = ["error", "error", "timeout", "denied", "invalid", "not_found"]
    assert [record["status"] for record in records] == statuses == [call.status for call in cassette.calls]
    assert (replay.misses, replay.never_made()) == ([], "")
    # And where nothing is loaded, the cassette has the words of the refusals, too.
    engine.forget_tools()
    _, records = recorder.replay(script, cassette, mode=mode)
    assert [record["status"] for record in records] == statuses


def test_what_was_redacted_stays_so_and_is_counted_again(recorder: Recorder, engine: Engine):
    engine.add(lambda password: {"api_key": SECRET, "note": f"use {SECRET}"}, name="login")
    engine.alias("enter", "login", preset={"password": "hunter2-and-more"})
    script: Script = lambda call: (call("login", password=SECRET), call("enter"))  # noqa: E731
    cassette = recorder.record(script)
    recorded = plain(list(recorder.traced(script, engine.run()).calls()))
    assert SECRET not in str(cassette)
    assert "hunter2" not in str(cassette)
    _, records = recorder.replay(script, cassette)
    assert plain(records) == recorded
    assert len(records[0]["redactions"]) == 3


def test_an_alias_that_is_gone_is_still_answered_with_its_presets(recorder: Recorder, engine: Engine):
    engine.alias("cheap", "price", preset={"qty": 3}, redact=("sku",))
    script: Script = lambda call: call("cheap", sku="iban-of-somebody")  # noqa: E731
    cassette = recorder.record(script)
    engine.forget_tools()
    replay, records = recorder.replay(script, cassette)
    assert replay.misses == []
    assert (records[0]["tool"], records[0]["alias"], records[0]["result"]["total"]) == ("price", "cheap", 6)
    assert "iban-of-somebody" not in str(records)


def test_a_name_that_may_not_be_used_is_not_answered_either(recorder: Recorder, engine: Engine):
    engine.alias("cheap", "price", preset={"qty": 3})
    cassette = recorder.record(lambda call: call("cheap", sku="A"))
    assert "cheap" not in absent_targets(cassette, (), {"cheap"})


def test_nobody_is_asked_about_what_the_cassette_answers(recorder: Recorder, engine: Engine):
    questions: list[Question] = []

    class Person:
        def ask(self, question: Question) -> "Future[Decision]":
            questions.append(question)
            answer: Future[Decision] = Future()
            answer.set_result(Decision(allowed=True))
            return answer

    person = engine.executor.asker = Person()
    engine.add(lambda n: n, name="careful", permission="ask")
    cassette = recorder.record(lambda call: (call("careful", n=1), call("careful", n=2)))
    assert len(questions) == 2
    recorder.replay(lambda call: (call("careful", n=1), call("careful", n=2)), cassette)
    assert len(questions) == 2
    # The tool is used only with permission: for what was never recorded, and for what is not next.
    recorder.replay(lambda call: call("careful", n=3), cassette, on_miss="tool")
    recorder.replay(lambda call: call("careful", n=2), cassette, on_miss="tool", mode="strict")
    assert [question.arguments.value["n"] for question in questions] == [1, 2, 3, 2]
    assert engine.executor.asker is person


def test_another_run_is_not_touched_by_a_replay(recorder: Recorder, engine: Engine):
    cassette = recorder.record(lambda call: call("stock", "A"))
    with answering_from(Replay(cassette, engine.run()), engine.executor):
        assert engine.call("price", "B") == {"sku": "B", "total": 2}
    assert engine.executor.answers.members == ()


def test_a_result_that_was_cut_cannot_be_replayed_and_says_so(recorder: Recorder, engine: Engine):
    engine.add(lambda: "x" * 500, name="long")
    engine.add(lambda ticket: len(ticket.call("long", {})), name="measure")
    cassette = recorder.record(lambda call: (call("long"), call("measure")), result_bytes=100)
    assert [call.name for call in cassette.too_long] == ["long", "long"]

    def script(call: Any) -> None:
        with told(LookupError, "only the beginning of what long() gave at line 1", "limits.result_bytes"):
            call("long")
        # What a tool got in turn was for the tool alone.
        assert call("measure") == 500

    recorder.replay(script, cassette)
    _, records = recorder.replay(lambda call: call("long"), cassette, on_miss="tool")
    assert (records[0]["result"], records[0]["answered_by"]) == ("x" * 500, "tool")


def test_a_name_that_is_left_out_is_neither_given_nor_missed(recorder: Recorder):
    cassette = recorder.record(lambda call: (call("reserve", sku="A"), call("price", "A")))
    run_alone: Script = lambda call: call("price", "A")  # noqa: E731
    replay, _ = recorder.replay(run_alone, cassette, mode="strict", leave_out={"reserve"})
    assert (replay.misses, replay.drifts, replay.never_made()) == ([], [], "")


def test_numbers_and_the_order_of_keys_make_no_difference(recorder: Recorder, engine: Engine):
    engine.add(lambda a, b: 1, name="open")
    cassette = recorder.record(lambda call: call("open", a=3, b={"x": 1.0, "y": True}))
    replay, _ = recorder.replay(lambda call: call("open", b={"y": True, "x": 1}, a=3.0), cassette)
    assert replay.misses == []

    def script(call: Any) -> None:
        with told(LookupError, "with b="):
            call("open", b={"y": 1, "x": 1}, a=3)

    recorder.replay(script, cassette)


def test_a_thousand_calls_with_many_alike_are_replayed_in_order(recorder: Recorder, engine: Engine):
    engine.add(lambda n: n, name="number")

    def script(call: Any) -> None:
        for n in range(500):
            call("number", n=n)
            call("number", n=0)

    cassette = recorder.record(script)
    replay, records = recorder.replay(script, cassette, mode="strict")
    assert len(records) == 1000
    assert (replay.misses, replay.never_made()) == ([], "")
