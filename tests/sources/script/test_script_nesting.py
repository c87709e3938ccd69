"""Scripts that call scripts: one tree, one clock, and one end for all that belongs to a call."""

import asyncio
import os
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.calls import CallRequest, Outcome
from ptc_studio.core.registry import Grant
from ptc_studio.core.trace import CallRecord
from ptc_studio.runtimes import python_inprocess
from ptc_studio.runtimes.catalog import RuntimeCatalog
from tests.runtimes.stopping import end_time
from tests.sources.script.conftest import Bench
from tests.support import Engine, wait_until

OWN = os.getpid() / 10_000_000
"""What tells the sleepers of this process from those of the same test in another."""
HANG = "import subprocess\nbegun(name='{name}')\nsubprocess.run(['sleep', '{name}'])"


def sleepers(name: float) -> int:
    """How many processes of that command there are."""
    if not Path("/proc/self").exists():
        listed = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True, check=True).stdout
        return [line.strip() for line in listed.splitlines()].count(f"sleep {name}")
    found = 0
    for entry in Path("/proc").iterdir():
        try:
            found += entry.name.isdigit() and (entry / "cmdline").read_bytes() == f"sleep\0{name}\0".encode()
        except OSError:
            continue
    return found


def within(inner: CallRecord, outer: CallRecord) -> bool:
    begins, ends = outer["started_ms"], outer["started_ms"] + outer["duration_ms"]
    return begins <= inner["started_ms"] and inner["started_ms"] + inner["duration_ms"] <= ends


@pytest.fixture
def begun(bench: Bench) -> threading.Event:
    """Set when a script calls `begun`."""
    event = threading.Event()
    bench.engine.add(lambda name: event.set() or name, name="begun")
    return event


@pytest.mark.parametrize("runtime", ["python-inprocess", "python"])
async def test_three_levels_stand_in_one_tree_with_their_times(bench: Bench, runtime: str):
    bench.engine.add(lambda a: time.sleep(0.05) or a + 1, name="more")
    bench.add("inner.py", "more(a=a) * 10", parameters={"a": {}}, runtime="python")
    bench.add("outer.mjs", "export default (await tools.inner({ a })) + 1;", parameters={"a": {}}, runtime="node")
    record = await bench.run("print('x')\nouter(a=4)", runtime)
    assert (record["status"], record["value"]) == ("ok", 51)
    outer, inner, more = record["calls"]
    assert [call["tool"] for call in record["calls"]] == ["outer", "inner", "more"]
    assert [call["depth"] for call in record["calls"]] == [1, 2, 3]
    assert [call["parent_id"] for call in record["calls"]] == [None, outer["id"], inner["id"]]
    assert [call["line"] for call in record["calls"]] == [2, 1, 1]
    assert [call["status"] for call in record["calls"]] == ["ok"] * 3
    assert within(inner, outer)
    assert within(more, inner)
    assert more["duration_ms"] >= 50
    assert outer["started_ms"] + outer["duration_ms"] <= record["duration_ms"]


async def test_a_script_that_is_compiled_keeps_the_clock_of_the_run(bench: Bench):
    bench.engine.add(lambda: 7, name="seven")
    bench.add("inner.go", 'fmt.Println(MustCallTool[int]("seven"))')
    record = await bench.run("inner()", "python-inprocess")
    assert record["error"] is None
    outer, inner = record["calls"]
    assert (record["value"], inner["parent_id"], inner["depth"]) == (7, outer["id"], 2)
    assert within(inner, outer)
    # Making it ready is part of the call, and not of the run.
    assert record["prepare_ms"] is None
    assert outer["started_ms"] + outer["duration_ms"] <= record["duration_ms"]


def test_a_script_may_call_what_its_caller_was_not_granted(bench: Bench):
    bench.engine.add(lambda: 1, name="secret")
    bench.add("open.py", "secret()")
    run = bench.engine.run(Grant(("open",)))
    assert bench.engine.call("open", run=run) == 1
    with pytest.raises(PermissionError):
        bench.engine.call("secret", run=run)


def test_a_permission_counts_for_the_calls_of_scripts_too(bench: Bench):
    bench.engine.add(lambda: 1, name="forbidden", permission="deny")
    bench.add("try.py", "forbidden()", name="attempt")
    with pytest.raises(PermissionError, match="'forbidden' is denied"):
        bench.engine.call("attempt")


@pytest.mark.parametrize(
    ("path", "code"), [("again.py", "again()"), ("again.mjs", "export default await tools.again();")]
)
def test_a_script_that_calls_itself_ends_at_the_depth_limit(bench: Bench, path: str, code: str):
    bench.add(path, code)
    with pytest.raises(Exception, match=r"Nesting depth exceeded \(max 3\)"):
        bench.engine.call("again", run=bench.engine.run(max_depth=3))
    records = bench.engine.records()
    assert [record["depth"] for record in records] == [1, 2, 3, 4]
    assert [record["status"] for record in records] == ["error", "error", "error", "depth"]


def test_an_error_of_a_tool_passes_through_the_scripts_between(bench: Bench):
    def lookup(sku: str) -> None:
        raise KeyError(sku)

    bench.engine.add(lookup)
    bench.add("inner.py", "lookup(sku='x')")
    bench.add("outer.py", "try:\n    inner()\nexcept KeyError as error:\n    print('caught', error)\n    raise")
    with pytest.raises(KeyError) as caught:
        bench.engine.call("outer")
    assert str(caught.value) == "'x'"


def test_the_time_of_a_call_ends_its_script_and_all_below_it(bench: Bench, begun: threading.Event):
    bench.add("inner.py", HANG.format(name=3601 + OWN))
    bench.add("outer.mjs", "export default await tools.inner();")
    outcomes: list[Outcome] = []
    call = bench.engine.executor.submit(CallRequest(bench.engine.run(), "outer"), outcomes.append)
    wait_until(lambda: begun.is_set() and sleepers(3601 + OWN) == 1, 40)
    end_time(call, bench.engine)
    wait_until(lambda: outcomes)
    with pytest.raises(TimeoutError, match=r"Tool execution timed out: outer \(after \d+(\.\d)? s\)"):
        outcomes[0].unwrap()
    wait_until(lambda: sleepers(3601 + OWN) == 0)
    outer, inner, _ = bench.engine.records()
    assert (outer["status"], inner["status"]) == ("timeout", "cancelled")


def test_the_time_of_an_inner_call_is_its_own(bench: Bench, begun: threading.Event):
    bench.add("inner.py", HANG.format(name=3602 + OWN))
    bench.add(
        "outer.py", "try:\n    call_tool('inner', {}, 55)\nexcept TimeoutError as error:\n    text = str(error)\ntext"
    )
    outcomes: list[Outcome] = []
    run = bench.engine.run()
    bench.engine.executor.submit(CallRequest(run, "outer"), outcomes.append)
    wait_until(lambda: begun.is_set() and sleepers(3602 + OWN) == 1, 40)
    end_time(next(call for call in run.active if call.name == "inner"), bench.engine)
    wait_until(lambda: outcomes)
    assert outcomes[0].unwrap().startswith("Tool execution timed out: inner")
    wait_until(lambda: sleepers(3602 + OWN) == 0)


@pytest.mark.parametrize("runtime", ["python", "python-inprocess", "node"])
async def test_cancelling_the_run_ends_the_processes_of_its_scripts(bench: Bench, begun: threading.Event, runtime: str):
    bench.add("inner.py", HANG.format(name=3603 + OWN), runtime="python")
    bench.add("outer.mjs", "export default await tools.inner();")
    session = bench.session()
    code = "await tools.outer();" if runtime == "node" else "outer()"
    running = asyncio.ensure_future(bench.run(code, runtime, session))
    await asyncio.to_thread(wait_until, lambda: begun.is_set() and sleepers(3603 + OWN) == 1, 30)
    session.stop()
    record = await running
    # Nothing is left when the record is there, not a moment later.
    assert sleepers(3603 + OWN) == 0
    assert record["status"] == "cancelled"
    assert [call["status"] for call in record["calls"]] == ["cancelled", "cancelled", "ok"]
    assert not session.run.busy


async def test_many_scripts_that_cannot_be_interrupted_do_not_hold_up_the_end(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(python_inprocess, "STOP_ROUNDS", 150)
    entered = threading.Semaphore(0)
    bench.engine.add(lambda: entered.release(), name="enter")
    bench.add("stuck.py", "import time\nenter()\ntime.sleep(40)", runtime="python-inprocess")
    session = bench.session()
    code = "import asyncio\nasync def main():\n    await asyncio.gather(*(aio.stuck() for _ in range(20)))\nasyncio.run(main())"
    running = asyncio.ensure_future(bench.run(code, "python", session))
    for _ in range(20):
        assert await asyncio.to_thread(entered.acquire, timeout=20)
    began = time.monotonic()
    session.stop()
    record = await running
    # One after the other they would take half a minute.
    assert time.monotonic() - began < 20
    assert record["status"] == "cancelled"


async def test_the_end_of_the_runs_time_is_the_end_of_its_scripts(bench: Bench, begun: threading.Event):
    bench.add("inner.py", HANG.format(name=3604 + OWN))
    session = bench.session()
    running = asyncio.ensure_future(bench.run("inner()", "python", session))
    await asyncio.to_thread(wait_until, lambda: begun.is_set() and sleepers(3604 + OWN) == 1, 40)
    end_time(session.run, bench.engine)
    record = await running
    assert sleepers(3604 + OWN) == 0
    assert (record["status"], record["calls"][0]["status"]) == ("timeout", "timeout")


async def test_a_call_that_its_script_gave_up_ends_the_process(bench: Bench, begun: threading.Event):
    bench.add("inner.py", HANG.format(name=3605 + OWN))
    code = """
import asyncio
async def main():
    task = asyncio.ensure_future(call_tool_async('inner', {}))
    await call_tool_async('wait', {})
    task.cancel()
asyncio.run(main())
"""
    bench.engine.add(lambda: begun.wait(20), name="wait")
    record = await bench.run(code, "python")
    assert record["status"] == "ok"
    await asyncio.to_thread(wait_until, lambda: sleepers(3605 + OWN) == 0)


@pytest.mark.parametrize("runtime", ["python", "monty", "python-inprocess"])
async def test_fifty_scripts_at_once_all_answer(bench: Bench, runtime: str):
    bench.engine.add(lambda a: a + 1, name="more")
    bench.add("inner.py", "more(a=a) * 10", parameters={"a": {}}, runtime=runtime)
    code = """
import asyncio
async def main():
    return await asyncio.gather(*(call_tool_async('inner', {'a': n}) for n in range(50)))
asyncio.run(main())
"""
    record = await bench.run(code, "python")
    assert record["value"] == [(n + 1) * 10 for n in range(50)]
    calls = {call["id"]: call for call in record["calls"]}
    inner = [call for call in record["calls"] if call["tool"] == "more"]
    assert (len(calls), len(inner)) == (100, 50)
    for call in inner:
        parent = calls[call["parent_id"]]
        assert call["arguments"]["a"] == parent["arguments"]["a"]
        assert within(call, parent)


def test_so_many_run_at_once_and_the_rest_wait(tmp_path: Path, catalog: RuntimeCatalog):
    bench = Bench(Engine(), tmp_path, catalog, most_at_once=2)
    now, most = 0, 0
    lock = threading.Lock()

    def inside(change: int) -> None:
        nonlocal now, most
        with lock:
            now += change
            most = max(most, now)

    bench.engine.add(inside)
    bench.add("inner.py", "inside(1)\ninside(-1)\n1", runtime="monty")
    bench.add("outer.py", "inner() + 1", runtime="monty")
    results: list[Any] = []
    threads = [threading.Thread(target=lambda: results.append(bench.engine.call("outer"))) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert results == [2] * 12
    assert most <= 2


def test_one_that_waits_for_its_turn_can_be_given_up(tmp_path: Path, catalog: RuntimeCatalog):
    bench = Bench(Engine(), tmp_path, catalog, most_at_once=1)
    release, entered = threading.Event(), threading.Event()
    bench.engine.add(lambda: entered.set() or release.wait(30), name="hold")
    bench.add("inner.py", "hold()", runtime="monty")
    first = threading.Thread(target=lambda: bench.engine.call("inner"))
    first.start()
    assert entered.wait(20)
    with pytest.raises(TimeoutError):
        bench.engine.call("inner", timeout=0.2)
    release.set()
    first.join(20)
    # Its place was not lost: another one runs.
    assert bench.engine.call("inner") is True


def test_a_run_forgets_the_scripts_that_have_ended(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    bench.add("one.py", "1", runtime="monty")
    run, remembered = bench.engine.run(), []
    monkeypatch.setattr(run, "on_stop", remembered.append)
    for _ in range(20):
        assert bench.engine.call("one", run=run) == 1
    wait_until(lambda: not run.busy)
    assert not run.parts
    assert not remembered, "what is to be done at its end is never forgotten"
