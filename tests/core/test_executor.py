"""The one way to a tool, stage by stage."""

import asyncio
import threading
import time
from types import SimpleNamespace

import pytest

from ptc_studio.core import stages
from ptc_studio.core.calls import CallRequest
from ptc_studio.core.registry import Grant
from tests.support import Engine, wait_until


def add(a: int, b: int = 10) -> int:
    """Adds."""
    return a + b


def test_a_call_gives_the_value_and_one_record(engine: Engine):
    engine.add(add)
    assert engine.call("add", 1, b=2) == 3
    (record,) = engine.records()
    assert record == {
        "id": "c1",
        "parent_id": None,
        "depth": 1,
        "tool": "add",
        "alias": None,
        "source": "fake",
        "arguments": {"a": 1, "b": 2},
        "status": "ok",
        "result": 3,
        "error": None,
        "started_ms": record["started_ms"],
        "duration_ms": record["duration_ms"],
        "line": None,
        "redactions": [],
        "truncated": False,
        "answered_by": "tool",
    }


def test_an_unknown_tool_is_a_lookup_error_and_is_recorded(engine: Engine):
    with pytest.raises(LookupError, match="Tool not found: nope"):
        engine.call("nope", x=1)
    (record,) = engine.records()
    assert (record["status"], record["tool"], record["source"]) == ("not_found", "nope", None)
    assert record["arguments"] == {"x": 1}


def test_a_tools_exception_keeps_its_type_and_message(engine: Engine):
    class OutOfStock(LookupError):
        pass

    def reserve():
        raise OutOfStock("none left")

    engine.add(reserve)
    with pytest.raises(OutOfStock, match="none left"):
        engine.call("reserve")
    (record,) = engine.records()
    assert record["error"] == {"type": "OutOfStock", "message": "none left"}
    assert record["status"] == "error"


def test_a_tool_that_exits_the_interpreter_only_fails(engine: Engine):
    def leave():
        raise SystemExit(3)

    engine.add(leave)
    with pytest.raises(SystemExit):
        engine.call("leave")
    assert engine.records()[0]["error"]["type"] == "SystemExit"


def test_a_grant_keeps_the_rest_out(engine: Engine):
    engine.add(add)
    engine.alias("plus", "add")
    run = engine.run(grant=Grant(("plus",)))
    assert engine.call("plus", 1, run=run) == 11
    with pytest.raises(PermissionError, match="'add' is not granted"):
        engine.call("add", 1, run=run)
    assert [record["status"] for record in engine.records()] == ["ok", "denied"]


def test_what_a_tool_calls_needs_no_grant(engine: Engine):
    engine.add(add)
    engine.add(lambda ticket: ticket.call("add", {"a": 5}), name="outer")
    assert engine.call("outer", run=engine.run(grant=Grant(("outer",)))) == 15


def test_nested_calls_have_parents_and_depths(engine: Engine):
    engine.add(add)
    engine.add(lambda ticket: ticket.call("add", {"a": 1}) * 2, name="middle")
    engine.add(lambda ticket: ticket.call("middle", {}) + 1, name="outer")
    assert engine.call("outer") == 23
    tree = [(r["id"], r["parent_id"], r["depth"], r["tool"]) for r in engine.records()]
    assert tree == [("c1", None, 1, "outer"), ("c2", "c1", 2, "middle"), ("c3", "c2", 3, "add")]


def test_a_tool_that_calls_itself_stops_at_the_limit_and_the_next_call_works(engine: Engine):
    engine.add(add)
    engine.add(lambda ticket: ticket.call("again", {}), name="again")
    run = engine.run()
    with pytest.raises(RecursionError, match=r"Nesting depth exceeded \(max 5\)"):
        engine.call("again", run=run)
    assert engine.call("add", 1, run=run) == 11
    assert [record["status"] for record in engine.records()] == ["error"] * 5 + ["depth", "ok"]
    assert [record["depth"] for record in engine.records()] == [1, 2, 3, 4, 5, 6, 1]


def test_presets_are_fixed_and_defaults_are_not(engine: Engine):
    engine.add(lambda sku, qty, currency: [sku, qty, currency], name="price")
    engine.alias("cheap", "price", preset={"qty": 3}, defaults={"currency": "EUR"})
    assert engine.call("cheap", "A1") == ["A1", 3, "EUR"]
    assert engine.call("cheap", "A1", "USD") == ["A1", 3, "USD"]
    with pytest.raises(TypeError, match=r"Invalid parameters for tool 'cheap': unexpected 'qty'"):
        engine.call("cheap", "A1", qty=5)
    last = engine.records()[-1]
    assert (last["tool"], last["alias"], last["status"]) == ("price", "cheap", "invalid")


def test_too_many_positional_arguments_and_two_values_for_one_are_type_errors(engine: Engine):
    engine.add(add)
    with pytest.raises(TypeError, match="Invalid parameters for tool 'add': takes 2 positional arguments but 3"):
        engine.call("add", 1, 2, 3)
    with pytest.raises(TypeError, match="Invalid parameters for tool 'add': got two values for 'a'"):
        engine.call("add", 1, a=2)
    assert [record["status"] for record in engine.records()] == ["invalid", "invalid"]


def test_a_slow_tool_times_out_on_time_with_its_real_duration(engine: Engine):
    release, ended = threading.Event(), []
    engine.add(lambda: ended.append(release.wait(30)), name="slow", timeout=0.1)
    began = time.monotonic()
    with pytest.raises(TimeoutError, match="Tool execution timed out: slow"):
        engine.call("slow")
    took = (time.monotonic() - began) * 1000
    assert ended == []
    release.set()
    (record,) = engine.records()
    assert record["status"] == "timeout"
    assert 90 < record["duration_ms"] < took + 1


def test_the_request_the_alias_the_tool_and_the_cap_decide_the_timeout_in_that_order(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
):
    deadlines: list[float] = []
    now = time.monotonic()
    monkeypatch.setattr(stages, "time", SimpleNamespace(monotonic=lambda: now))
    engine.add(lambda ticket: deadlines.append(ticket.deadline), name="look", timeout=40)
    engine.alias("peek", "look", timeout=30)
    engine.add(lambda ticket: deadlines.append(ticket.deadline), name="plain")
    engine.call("look")
    engine.call("peek")
    engine.call("peek", timeout=20)
    engine.call("plain")
    engine.call("plain", timeout=5000, run=engine.run(timeout=9999))
    assert deadlines == [now + seconds for seconds in (40, 30, 20, 60, 300)]
    short = engine.run(timeout=7)
    engine.call("plain", run=short)
    assert deadlines[-1] == short.deadline + stages.RUN_GOES_FIRST


def test_a_call_out_of_time_in_a_run_out_of_time_ends_the_run_before_the_script_is_told_of_it(engine: Engine):
    order: list[str] = []
    run = engine.run(timeout=0.02)
    run.on_stop(lambda: order.append("the script is ended"))

    def late(ticket) -> None:
        # The run's own end has not come yet: whoever sees to it is late.
        wait_until(lambda: time.monotonic() >= run.deadline)
        ticket.expire()

    engine.add(late)
    engine.executor.submit(CallRequest(run, "late"), lambda outcome: order.append(outcome.status))
    wait_until(lambda: len(order) == 2)
    assert order == ["the script is ended", "timeout"]
    assert run.stop_reason == "timeout"


def test_cancelling_while_a_tool_is_stuck_tells_the_tool(engine: Engine):
    told, started = threading.Event(), threading.Event()

    def stuck(ticket):
        ticket.on_abandon(told.set)
        started.set()
        assert told.wait(10)

    engine.add(stuck)
    run = engine.run()
    thread = threading.Thread(target=lambda: pytest.raises(RuntimeError, engine.call, "stuck", run=run))
    thread.start()
    assert started.wait(10)
    run.stop("cancelled")
    thread.join(10)
    assert told.is_set()
    assert engine.records()[0]["status"] == "cancelled"


async def test_a_cancelled_awaiter_cancels_its_call(engine: Engine):
    release, started = threading.Event(), threading.Event()

    def slow():
        started.set()
        release.wait(10)

    engine.add(slow)
    task = asyncio.ensure_future(engine.executor.call_async(CallRequest(engine.run(), "slow")))
    await asyncio.to_thread(started.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    records = await asyncio.to_thread(engine.records)
    release.set()
    assert records[0]["status"] == "cancelled"


async def test_awaited_calls_are_concurrent(engine: Engine):
    barrier = threading.Barrier(20, timeout=30)
    engine.add(lambda: barrier.wait() >= 0, name="meet")
    run = engine.run()
    results = await asyncio.gather(*(engine.executor.call_async(CallRequest(run, "meet")) for _ in range(20)))
    assert results == [True] * 20


def test_every_call_has_one_started_and_one_finished_event_also_when_it_answers_late(engine: Engine):
    release = threading.Event()
    engine.add(lambda: release.wait(10), name="slow", timeout=0.05)
    with pytest.raises(TimeoutError):
        engine.call("slow")
    release.set()
    engine.add(add)
    engine.call("add", 1)
    engine.records()
    by_call = {(event.call_id, type(event).__name__) for event in engine.events}
    assert len(by_call) == len(engine.events) == 4


def test_a_call_given_up_before_its_turn_is_recorded_and_its_tool_is_left_alone(engine: Engine):
    ran: list[int] = []
    engine.add(lambda: ran.append(1), name="mail")
    call = engine.executor.admit(CallRequest(engine.run(), "mail"), lambda _outcome: None)
    call.cancel()
    engine.executor.perform(call)
    assert ran == []
    engine.executor.bus.flush()
    assert [type(event).__name__ for event in engine.events] == ["CallStarted", "CallFinished"]
    assert engine.records()[0]["status"] == "cancelled"
    assert call.run.active == ()


def test_a_call_given_up_on_the_way_to_its_tool_does_not_reach_it(engine: Engine):
    ran: list[int] = []
    tool = engine.add(lambda: ran.append(1), name="mail")
    call = engine.executor.admit(CallRequest(engine.run(), "mail"), lambda _outcome: None)
    tool.bind = lambda arguments: call.cancel() or dict(arguments)  # type: ignore[method-assign]
    engine.executor.perform(call)
    assert ran == []
    assert engine.executor.deadlines.watched == 0
    assert engine.records()[0]["status"] == "cancelled"


def test_after_its_run_was_stopped_a_tool_calls_no_other(engine: Engine):
    mails: list[int] = []
    engine.add(lambda: mails.append(1), name="mail")
    run = engine.run()

    def newsletter(ticket):
        run.stop("cancelled")
        with pytest.raises(RuntimeError, match="Tool call cancelled: mail"):
            ticket.call("mail", {})
        done.set()

    done = threading.Event()
    engine.add(newsletter)
    with pytest.raises(RuntimeError):
        engine.call("newsletter", run=run)
    assert done.wait(10)
    assert mails == []
    assert [record["status"] for record in engine.records()] == ["cancelled", "cancelled"]


def test_an_answer_that_nobody_can_take_is_logged_and_the_call_is_over(
    engine: Engine, caplog: pytest.LogCaptureFixture
):
    def gone(_outcome):
        raise RuntimeError("Event loop is closed")

    engine.add(add)
    engine.executor.submit(CallRequest(engine.own_run, "add", (1,)), gone)
    wait_until(engine.records)
    assert engine.records()[0]["status"] == "ok"
    wait_until(lambda: not engine.own_run.active)
    assert "could not be delivered" in caplog.text


def test_a_call_that_cannot_be_reported_is_logged_and_is_over(
    engine: Engine, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_args, **_options):
        raise ValueError("no report")

    engine.add(add)
    monkeypatch.setattr("ptc_studio.core.executor.CallFinished", fail)
    assert engine.call("add", 1) == 11
    wait_until(lambda: not engine.own_run.active)
    assert "could not be reported" in caplog.text


def test_each_who_wants_to_know_of_giving_up_is_told_once_though_another_fails(engine: Engine):
    told: list[str] = []
    call = engine.executor.admit(CallRequest(engine.run(), "nothing"), lambda _outcome: None)
    call.on_abandon(lambda: told.append("first"))
    call.on_abandon(lambda: 1 // 0)
    call.on_abandon(lambda: told.append("second"))
    call.cancel()
    call.expire()
    call.on_abandon(lambda: told.append("late"))
    assert told == ["first", "second", "late"]


def test_timeouts_that_meet_the_end_of_their_calls_give_each_one_outcome_and_one_record(engine: Engine):
    engine.add(lambda: time.sleep(0.005), name="nap", timeout=0.0055)
    outcomes: list[str] = []
    run = engine.run()
    for _ in range(60):
        engine.executor.submit(CallRequest(run, "nap"), lambda outcome: outcomes.append(outcome.status))
    wait_until(lambda: len(outcomes) == 60 and not run.active)
    records = engine.records()
    assert sorted(record["status"] for record in records) == sorted(outcomes)
    assert set(outcomes) <= {"ok", "timeout"}
    assert engine.executor.deadlines.watched == 0


def test_the_time_that_a_call_waits_for_its_turn_is_not_the_tools(engine: Engine):
    engine.add(lambda: 1, name="quick")
    call = engine.executor.admit(CallRequest(engine.own_run, "quick"), lambda _outcome: None)
    call.queued = True
    time.sleep(0.05)
    engine.executor.perform(call)
    record = engine.records()[-1]
    assert record["queued_ms"] >= 50
    assert record["duration_ms"] < record["queued_ms"]


def test_a_call_that_waits_for_no_other_says_nothing_of_waiting_and_lasts_from_its_start(engine: Engine):
    engine.add(lambda: 1, name="quick")
    call = engine.executor.admit(CallRequest(engine.own_run, "quick"), lambda _outcome: None)
    time.sleep(0.02)
    engine.executor.perform(call)
    record = engine.records()[-1]
    assert "queued_ms" not in record
    assert record["duration_ms"] >= 20
