"""One run from its start to its record, with a runtime that does what the test says."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ptc_studio.core.calls import CallRequest
from ptc_studio.core.events import RunFinished, RunStarted
from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Failure, Job, Script, ScriptResult
from ptc_studio.core.session import Session
from tests.support import Engine, wait_until

Act = Callable[[Job], Awaitable[ScriptResult]]


class FakeRuntime:
    """Executes a coroutine function instead of a script."""

    id = "fake"
    isolation = "none at all"

    def __init__(self, act: Act) -> None:
        self.run = act

    def warm(self, memory_mb: int | None = None) -> None:
        """Nothing to make ready."""

    def close(self) -> None:
        """Nothing to close."""


async def perform(engine: Engine, act: Act, session: Session | None = None, **limits: Any) -> dict[str, Any]:
    session = session or Session(engine.executor, limits=Limits(**limits))
    return await session.execute(Script("..."), FakeRuntime(act))


async def until_stopped(job: Job) -> ScriptResult:
    """Ends as a runtime does: when the run is stopped."""
    stopped, loop = asyncio.Event(), asyncio.get_running_loop()
    job.run.on_stop(lambda: loop.call_soon_threadsafe(stopped.set))
    await stopped.wait()
    return ScriptResult("crashed", -9, Failure("Killed", "killed", "the frames", 7))


def ends(engine: Engine) -> list[str]:
    engine.executor.bus.flush()
    return [type(event).__name__ for event in engine.events if isinstance(event, RunStarted | RunFinished)]


@pytest.mark.parametrize(
    "ending",
    [
        ScriptResult("ok", 0, None, [1, 2]),
        ScriptResult("error", 3, Failure("SystemExit", "3", "", 2)),
        ScriptResult("crashed", -11, Failure("Crashed", "killed by SIGSEGV", "frames", 4)),
    ],
)
async def test_the_ending_is_the_record(engine: Engine, ending: ScriptResult):
    async def act(job: Job) -> ScriptResult:
        job.write("stdout", "out")
        job.write("stderr", "err")
        return ending

    record = await perform(engine, act)
    assert (record["status"], record["return_code"], record["value"]) == (
        ending.status,
        ending.return_code,
        ending.value,
    )
    assert (record["stdout"], record["stderr"], record["runtime"]) == ("out", "err", "fake")
    error = ending.failure
    assert record["error"] == (
        error and {"type": error.type, "message": error.message, "traceback": error.traceback, "line": error.line}
    )
    assert ends(engine) == ["RunStarted", "RunFinished"]


async def test_a_runtime_that_fails_is_a_crashed_run_with_its_output(engine: Engine, caplog: pytest.LogCaptureFixture):
    async def act(job: Job) -> ScriptResult:
        job.write("stdout", "before")
        raise OSError("no more processes")

    record = await perform(engine, act)
    assert (record["status"], record["stdout"]) == ("crashed", "before")
    assert record["error"]["type"] == "OSError"
    assert "The runtime failed: no more processes" in record["error"]["message"]
    assert ends(engine) == ["RunStarted", "RunFinished"]


async def test_a_run_out_of_time_is_stopped_and_says_where_it_was(engine: Engine):
    record = await perform(engine, until_stopped, timeout=0.05)
    assert record["status"] == "timeout"
    assert record["error"] == {
        "type": "TimeoutError",
        "message": "The script was stopped at line 7: its time limit of 0.05 s is up.",
        "traceback": "the frames",
        "line": 7,
    }
    assert record["duration_ms"] >= 50


async def test_a_run_that_was_stopped_before_it_starts_is_cancelled(engine: Engine):
    session = Session(engine.executor)
    session.stop()
    wait_until(lambda: session.run.stop_reason)
    record = await perform(engine, until_stopped, session)
    assert (record["status"], record["error"]["type"]) == ("cancelled", "Cancelled")


async def test_a_script_that_fails_on_what_a_stop_withdrew_is_cancelled_however_late_the_stop_is(engine: Engine):
    held: list[Callable[[], object]] = []
    engine.executor.workers.submit = held.append
    session = Session(engine.executor)

    async def fail(_job: Job) -> ScriptResult:
        session.stop()
        return ScriptResult("error", 1, Failure("RuntimeError", "withdrawn", "", 1))

    record = await perform(engine, fail, session)
    assert record["status"] == "cancelled"
    assert len(held) >= 1, "the stop itself has yet to be carried out"
    for work in held:
        work()


async def test_a_script_that_fails_once_its_time_is_up_is_out_of_time_however_late_its_end_is(engine: Engine):
    # Nobody carries out what the watch over deadlines wants, as on a machine that is too busy for that.
    held: list[Callable[[], object]] = []
    engine.executor.workers.submit = held.append

    async def fail(job: Job) -> ScriptResult:
        while time.monotonic() < job.run.deadline:
            await asyncio.sleep(0.001)
        return ScriptResult("error", 1, Failure("TimeoutError", "the shell's own clock", "", 3))

    record = await perform(engine, fail, timeout=0.02)
    assert (record["status"], record["error"]["line"]) == ("timeout", 3)
    assert record["error"]["message"] == "The script was stopped at line 3: its time limit of 0.02 s is up."
    for work in held:
        work()


async def test_only_the_first_reason_to_stop_counts(engine: Engine):
    session = Session(engine.executor, limits=Limits(timeout=0.05))
    session.run.stop("cancelled")
    assert (await perform(engine, until_stopped, session))["status"] == "cancelled"


async def test_a_script_that_came_to_its_end_is_not_cancelled_by_what_comes_later(engine: Engine):
    release, session, entered = threading.Event(), Session(engine.executor), []

    def stubborn(ticket) -> None:
        # It is told that its run is over while the session waits for the last reports.
        ticket.on_abandon(lambda: session.run.stop("cancelled"))
        entered.append(1)
        release.wait(10)

    engine.add(stubborn)

    async def act(job: Job) -> ScriptResult:
        engine.executor.submit(CallRequest(job.run, "stubborn"), lambda _outcome: None)
        while not entered:
            await asyncio.sleep(0.001)
        return ScriptResult("ok", 0, None, "done")

    record = await perform(engine, act, session)
    release.set()
    assert (record["status"], record["value"], record["error"]) == ("ok", "done", None)


async def test_calls_that_are_under_way_at_the_end_are_given_up_and_recorded(engine: Engine):
    release, told, entered = threading.Event(), [], []

    def slow(ticket) -> None:
        ticket.on_abandon(lambda: told.append(ticket.call_id))
        entered.append(1)
        release.wait(10)

    engine.add(slow)

    async def act(job: Job) -> ScriptResult:
        for _ in range(3):
            engine.executor.submit(CallRequest(job.run, "slow"), lambda _outcome: None)
        while len(entered) < 3:
            await asyncio.sleep(0.001)
        return ScriptResult()

    record = await perform(engine, act)
    assert [call["status"] for call in record["calls"]] == ["cancelled"] * 3
    assert sorted(told) == ["c1", "c2", "c3"]
    release.set()
    assert engine.executor.deadlines.watched == 0


async def test_being_cancelled_again_and_again_still_gives_the_record(engine: Engine):
    release, started = threading.Event(), asyncio.Event()
    engine.add(lambda: release.wait(10), name="slow")

    async def act(job: Job) -> ScriptResult:
        for _ in range(20):
            engine.executor.submit(CallRequest(job.run, "slow"), lambda _outcome: None)
        started.set()
        return await until_stopped(job)

    task = asyncio.ensure_future(perform(engine, act))
    await started.wait()
    while not task.done():
        task.cancel()
        await asyncio.sleep(0)
    release.set()
    record = task.result()
    assert (record["status"], len(record["calls"])) == ("cancelled", 20)
    assert ends(engine) == ["RunStarted", "RunFinished"]


async def test_a_cancellation_that_meets_the_end_does_not_lose_the_ending(engine: Engine):
    async def act(job: Job) -> ScriptResult:
        asyncio.get_running_loop().call_soon(task.cancel)
        return ScriptResult("ok", 0, None, 42)

    task = asyncio.ensure_future(perform(engine, act))
    record = await task
    assert (record["status"], record["value"]) == ("ok", 42)


async def test_output_over_the_limit_is_counted_for_each_stream(engine: Engine):
    async def act(job: Job) -> ScriptResult:
        for _ in range(3):
            job.write("stdout", "12345")
            job.write("stderr", "1234")
        return ScriptResult()

    record = await perform(engine, act, output_bytes=12)
    assert record["stdout"] == "123451234512\n[cut here: 3 more characters were written]\n"
    assert record["stderr"] == "123412341234"


async def test_what_was_held_back_as_a_possible_secret_is_given_out_at_the_end(engine: Engine):
    seen: list[str] = []

    async def act(job: Job) -> ScriptResult:
        job.write("stdout", "the key is sk-proj-abc")
        engine.executor.bus.flush()
        seen.append("".join(event.text.value for event in engine.events if hasattr(event, "text")))
        return ScriptResult()

    record = await perform(engine, act)
    assert "sk-proj" not in seen[0]
    assert record["stdout"] == "the key is sk-proj-abc"


async def test_what_is_written_after_the_end_is_nobodys(engine: Engine):
    jobs: list[Job] = []

    async def act(job: Job) -> ScriptResult:
        jobs.append(job)
        return ScriptResult()

    await perform(engine, act)
    jobs[0].write("stdout", "late")
    engine.executor.bus.flush()
    assert not [event for event in engine.events if hasattr(event, "text")]


async def test_everything_in_the_record_is_redacted(engine: Engine):
    secret = "sk-proj-abcdefghij0123456789ABCDEFGHIJ"

    async def act(job: Job) -> ScriptResult:
        job.write("stderr", secret)
        return ScriptResult(
            "error", 1, Failure("KeyError", secret, f"Traceback {secret}", 1), {"password": "hunter2canary"}
        )

    record = await perform(engine, act)
    assert "sk-proj" not in str(record)
    assert "canary" not in str(record)


async def test_half_surrogate_pairs_never_reach_the_record(engine: Engine):
    async def act(job: Job) -> ScriptResult:
        job.write("stdout", "a\ud800")
        return ScriptResult("error", 1, Failure("ValueError", "b\ud800", "c\ud800", 1))

    record = await perform(engine, act)
    assert str(record).encode()
    assert record["stdout"] == "a\\ud800"


async def test_a_run_sees_what_its_grant_allows(engine: Engine):
    from ptc_studio.core.registry import Grant

    engine.add(lambda: 1, name="server.get-sum")
    engine.add(lambda: 1, name="other")
    names: list[Any] = []

    async def act(job: Job) -> ScriptResult:
        names.extend(visible.names for visible in job.tools)
        return ScriptResult()

    await perform(engine, act, Session(engine.executor, grant=Grant(("server.*",))))
    assert names == [("server.get-sum", "server.get_sum")]
