"""Parts of a run: what they share with the whole, and what is theirs alone."""

import threading
from contextlib import ExitStack

import pytest

from ptc_studio.core.calls import Call, CallRequest
from tests.support import Engine, wait_until


def test_a_part_has_the_runs_clock_numbers_and_nearer_deadline(engine: Engine):
    run = engine.run(timeout=100)
    with Call(engine.executor, CallRequest(run, "x"), lambda _: None).part() as part:
        assert (part.run_id, part.started, part.limits, part.grant) == (run.run_id, run.started, run.limits, run.grant)
        assert part.deadline == run.deadline
        assert [run.next_call_id(), part.next_call_id(), run.next_call_id()] == ["c2", "c3", "c4"]
        assert run.busy
    assert not run.busy
    call = Call(engine.executor, CallRequest(run, "x"), lambda _: None)
    call.deadline = run.deadline - 50
    assert call.part().deadline == call.deadline


def test_the_stop_of_a_part_ends_its_own_calls_and_no_others(engine: Engine):
    release = threading.Event()
    engine.add(lambda: release.wait(10), name="wait")
    run = engine.run()
    outcomes: dict[str, str] = {}
    with Call(engine.executor, CallRequest(run, "x"), lambda _: None).part() as part:
        for name, one in (("whole", run), ("part", part)):
            engine.executor.submit(
                CallRequest(one, "wait"), lambda outcome, name=name: outcomes.update({name: outcome.status})
            )
        assert len(run.active) == 2
        part.stop("cancelled")
        wait_until(lambda: outcomes == {"part": "cancelled"})
        assert run.stop_reason is None
        with pytest.raises(RuntimeError, match="cancelled"):
            engine.call("wait", run=part)
    release.set()
    wait_until(lambda: outcomes.get("whole") == "ok")


@pytest.mark.parametrize("reason", ["timeout", "cancelled"])
def test_the_stop_of_the_whole_reaches_the_parts_of_its_parts(engine: Engine, reason: str):
    run = engine.run()
    stopped: list[str] = []
    with Call(engine.executor, CallRequest(run, "x"), lambda _: None).part() as outer:
        with Call(engine.executor, CallRequest(outer, "x"), lambda _: None).part() as inner:
            run.on_stop(lambda: stopped.append("whole"))
            inner.on_stop(lambda: stopped.append("inner"))
            run.stop(reason)  # type: ignore[arg-type]
            assert sorted(stopped) == ["inner", "whole"]
            assert (outer.stop_reason, inner.stop_reason) == (reason, reason)
        assert run.busy
    assert not run.busy


def test_a_call_that_is_given_up_stops_its_part(engine: Engine):
    def execute(ticket: Call) -> str:
        with ticket.part() as part:
            stopped = threading.Event()
            part.on_stop(stopped.set)
            ticket.expire()
            assert stopped.wait(10)
            ended.append(part.stop_reason or "")
            assert release.wait(10)
        return "late"

    ended: list[str] = []
    release = threading.Event()
    engine.add(execute)
    run = engine.run()
    with pytest.raises(TimeoutError):
        engine.call("execute", run=run)
    wait_until(lambda: ended == ["cancelled"])
    assert run.busy
    release.set()
    wait_until(lambda: not run.busy)


def test_a_part_of_a_run_that_was_stopped_is_stopped_from_its_beginning(engine: Engine):
    run = engine.run()
    call = Call(engine.executor, CallRequest(run, "x"), lambda _: None)
    run.stop("cancelled")
    with call.part() as part:
        assert part.stop_reason == "cancelled"


def test_the_parts_of_a_run_are_stopped_at_once_and_not_one_after_the_other(engine: Engine):
    run = engine.run()
    barrier = threading.Barrier(3, timeout=10)

    def meet() -> None:
        barrier.wait()

    with ExitStack() as parts:
        for _ in range(3):
            part = parts.enter_context(Call(engine.executor, CallRequest(run, "x"), lambda _: None).part())
            part.on_stop(meet)
        run.stop("cancelled")
        assert not barrier.broken
