"""What every runtime does, whatever its language: one list of behaviours for all of them."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.registry import EVERYTHING, Grant
from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.locations import RUNTIMES, SAMPLE_TOOLS
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.discovery import Manifest, read_manifests
from ptc_studio.runtimes.process_runtime import Freedoms
from ptc_studio.runtimes.stdio import StdioRouter
from ptc_studio.sources.functions import FunctionCatalog
from tests.runtimes import behaviours, stopping
from tests.runtimes.behaviours import Behaviour
from tests.support import Engine, wait_until

MANIFESTS = {manifest.id: manifest for manifest in read_manifests([RUNTIMES])[0]}
PRINTED = {
    "hello": "héllo ✓ 日本\n",
    "empty": "",
    "add": "3\n",
    "default": "3\n",
    "positional": "3\n",
    "namespaced": "6 8\n",
    "twin": "1 1\n",
    "types": "same\n",
    "int64": "9223372036854775807\n",
    "nan": "true true true\n",
    "text": "same\n",
    "bytes": "bytes 00ff10\nsame\n",
    "large": "3000000\n",
    "deep": "200\n",
    "many": "5000\n",
    "concurrent": "5\n",
    "error": "KeyError 'sku'\n",
    "foreign_error": "NoneLeft none left\n",
    "attributes": "410 moved 7\n",
    "unknown": "LookupError Tool not found: nope\n",
    "missing": "TypeError Invalid parameters for tool 'mul'\n",
    "call_timeout": "TimeoutError\n3\n",
    "redacted": "13\n",
    "nested": "3\n",
    "depth": "RecursionError Nesting depth exceeded (max 5)\n",
    "exit0": "x\n",
    "stdin": "0\n",
    "lines": "3 3 3\n",
    "main": "3\n",
}


def cases(*names: str) -> Any:
    """Has the test done for each behaviour in every runtime whose language can have it."""
    found = [
        pytest.param(runtime_id, behaviour, id=f"{runtime_id}-{behaviour}" if len(names) > 1 else runtime_id)
        for runtime_id, manifest in MANIFESTS.items()
        for behaviour in names
        if behaviours.can_have(behaviour, runtime_id, manifest.language)
    ]
    return pytest.mark.parametrize(("bench", "behaviour"), found, indirect=["bench"])


class Bench:
    """One runtime under test."""

    def __init__(self, manifest: Manifest, runtime: Any, engine: Engine) -> None:
        self.manifest = manifest
        self.runtime = runtime
        self.engine = engine

    def script(self, behaviour: str) -> Behaviour:
        return behaviours.find(behaviour, self.manifest.id, self.manifest.language)

    async def run(self, script: Behaviour, **options: Any) -> dict[str, Any]:
        return await self.session(**options).execute(Script(script.code, script.filename), self.runtime)

    async def stopped(self, stop: Any, behaviour: str) -> dict[str, Any]:
        """The record of a run that is stopped in its loop, or while its tool sleeps."""
        session, script = self.session(), self.script(behaviour)

        def reached() -> bool:
            arrived = stopping.finished(self.engine) if behaviour == "loop" else stopping.entered(session, "sleep")
            return bool(arrived) and stopping.written(self.engine) == "on\n"

        return await stop(reached, self.engine, session, Script(script.code, script.filename), self.runtime)

    def session(self, grant: Grant = EVERYTHING, **limits: Any) -> Session:
        return Session(self.engine.executor, grant=grant, limits=Limits(**limits))


@pytest.fixture(scope="session")
def catalog() -> Iterator[RuntimeCatalog]:
    catalog = RuntimeCatalog(StdioRouter(), spare=0, freedoms={name: Freedoms(memory_mb=768) for name in MANIFESTS})
    yield catalog
    catalog.close()


@pytest.fixture
def bench(request: pytest.FixtureRequest, catalog: RuntimeCatalog, shop: Engine) -> Bench:
    """The runtime that the case names; one that is not installed is a failure, for nothing would be shown."""
    info = catalog.choose(request.param, "")
    return Bench(MANIFESTS[request.param], catalog.get(info.id), shop)


@cases(*PRINTED)
async def test_a_script_prints_what_it_should(bench: Bench, behaviour: str):
    record = await bench.run(bench.script(behaviour))
    assert (record["error"], record["status"], record["return_code"]) == (None, "ok", 0)
    assert (record["stdout"], record["stderr"]) == (PRINTED[behaviour], "")
    assert record["runtime"] == bench.manifest.id
    assert record["isolation"] == bench.runtime.isolation
    assert all(0 < call["duration_ms"] <= record["duration_ms"] for call in record["calls"])


@cases("stderr")
async def test_the_two_streams_are_told_apart(bench: Bench, behaviour: str):
    record = await bench.run(bench.script(behaviour))
    assert (record["stdout"], record["stderr"], record["status"]) == ("out\n", "err\n", "ok")


@cases("value", "returned")
async def test_the_last_expression_or_what_the_top_level_returns_is_the_value(bench: Bench, behaviour: str):
    record = await bench.run(bench.script(behaviour))
    assert (record["value"], record["status"], record["stdout"]) == (42, "ok", "")


@cases("uncaught")
async def test_an_uncaught_failure_of_a_tool_has_its_type_and_line(bench: Bench, behaviour: str):
    script = bench.script(behaviour)
    record = await bench.run(script)
    assert (record["status"], record["return_code"], record["stdout"]) == ("error", 1, "before\n")
    assert (record["error"]["type"], record["error"]["message"]) == ("KeyError", "'sku'")
    assert record["error"]["line"] == script.marked_lines[0]
    assert [call["status"] for call in record["calls"]] == ["ok", "error"]
    assert "ptc_studio" not in record["error"]["traceback"]


@cases("own_error")
async def test_an_error_of_the_scripts_own_has_its_line(bench: Bench, behaviour: str):
    script = bench.script(behaviour)
    record = await bench.run(script)
    assert (record["status"], record["stdout"]) == ("error", "before\n")
    assert record["return_code"] not in (0, None)
    assert record["error"]["type"]
    assert record["error"]["message"]
    assert record["error"]["line"] == script.marked_lines[0]


@cases("syntax")
async def test_what_cannot_be_understood_is_told_with_its_line(bench: Bench, behaviour: str):
    script = bench.script(behaviour)
    record = await bench.run(script)
    assert (record["status"], record["stdout"], record["calls"]) == ("error", "", [])
    assert record["error"]["line"] == script.marked_lines[0]
    assert record["error"]["message"]


@cases("lines")
async def test_every_call_knows_its_line(bench: Bench, behaviour: str):
    script = bench.script(behaviour)
    record = await bench.run(script)
    assert [call["line"] for call in record["calls"]] == script.marked_lines


@cases("exit3")
async def test_the_exit_status_is_the_return_code(bench: Bench, behaviour: str):
    record = await bench.run(bench.script(behaviour))
    assert (record["status"], record["return_code"], record["stdout"]) == ("error", 3, "x\n")
    assert len(record["calls"]) == 1


@cases("loop", "slow_tool")
async def test_a_script_is_stopped_when_its_time_is_up_and_nothing_is_lost(bench: Bench, behaviour: str):
    record = await bench.stopped(stopping.out_of_time, behaviour)
    assert (record["status"], record["stdout"]) == ("timeout", "on\n")
    assert [call["status"] for call in record["calls"]] == ["ok" if behaviour == "loop" else "timeout"]
    assert record["error"]["type"] == "TimeoutError"


@cases("slow_tool", "loop")
async def test_a_run_is_cancelled_at_once(bench: Bench, behaviour: str):
    record = await bench.stopped(stopping.cancelled, behaviour)
    assert (record["status"], record["stdout"]) == ("cancelled", "on\n")
    assert [call["status"] for call in record["calls"]] == ["ok" if behaviour == "loop" else "cancelled"]


@cases("flood")
async def test_output_beyond_the_limit_is_counted(bench: Bench, behaviour: str):
    record = await bench.run(bench.script(behaviour), output_bytes=1_000_000)
    assert record["status"] == "ok"
    assert record["stdout"].startswith("x" * 100 + "\n")
    assert f"[cut here: {200_000 * 101 - 1_000_000} more characters" in record["stdout"]


@cases("secret")
async def test_a_secret_in_two_writes_is_caught(bench: Bench, behaviour: str):
    record = await bench.run(bench.script(behaviour))
    assert record["stdout"] == "key [REDACTED:openai_key] end\n"


@cases("redacted")
async def test_the_script_gets_the_value_and_the_record_does_not(bench: Bench, behaviour: str):
    record = await bench.run(bench.script(behaviour))
    assert "canary" not in str(record)
    assert record["calls"][0]["redactions"]


@cases("nested")
async def test_what_a_tool_calls_stands_under_it(bench: Bench, behaviour: str):
    record = await bench.run(bench.script(behaviour))
    outer, inner = record["calls"]
    assert (outer["tool"], outer["depth"], inner["tool"], inner["depth"]) == ("outer", 1, "add", 2)
    assert inner["parent_id"] == outer["id"]


@cases("denied")
async def test_what_is_not_granted_is_refused(bench: Bench, behaviour: str):
    record = await bench.run(bench.script(behaviour), grant=Grant(("add",)))
    assert (record["stdout"], record["calls"][0]["status"]) == ("PermissionError\n", "denied")


@cases("live")
async def test_output_appears_as_it_is_written(bench: Bench, behaviour: str):
    opened = threading.Event()
    bench.engine.add(lambda: opened.wait(20), name="gate")
    task = asyncio.ensure_future(bench.run(bench.script(behaviour)))
    await stopping.until(lambda: "first\n" in stopping.written(bench.engine), bench.engine, task)
    assert "second" not in stopping.written(bench.engine)
    opened.set()
    record = await task
    assert (record["stdout"], record["status"]) == ("first\nsecond\n", "ok")


@cases("crash")
async def test_a_crash_keeps_what_was_written(bench: Bench, behaviour: str):
    record = await bench.run(bench.script(behaviour))
    assert (record["status"], record["stdout"]) == ("crashed", "before\n")
    assert record["error"]["message"]


@cases("memory")
async def test_a_script_that_wants_all_memory_is_ended(bench: Bench, behaviour: str):
    record = await bench.run(bench.script(behaviour), timeout=30)
    assert record["stdout"].startswith("on\n")
    assert record["status"] in ("crashed", "error")
    assert "memory" in f"{record['error']} {record['stderr']}".lower()


@cases("child")
async def test_no_process_is_left_behind(bench: Bench, behaviour: str):
    before = _sleepers()
    record = await bench.run(bench.script(behaviour))
    assert (record["stdout"], record["status"]) == ("started\n", "ok")
    wait_until(lambda: _sleepers() <= before, 30)


@cases("environment")
async def test_the_script_sees_nothing_of_the_channel(bench: Bench, behaviour: str):
    record = await bench.run(bench.script(behaviour))
    assert (record["stdout"].strip(), record["status"]) == ("", "ok")


@pytest.mark.parametrize("bench", MANIFESTS, indirect=True)
async def test_a_run_that_was_stopped_before_it_starts_does_nothing(bench: Bench):
    script = bench.script("add")
    session = bench.session()
    session.run.stop("cancelled")
    record = await session.execute(Script(script.code, script.filename), bench.runtime)
    assert (record["status"], record["stdout"], record["calls"]) == ("cancelled", "", [])


@pytest.mark.parametrize("runtime_id", MANIFESTS)
async def test_the_example_of_every_runtime_comes_to_the_same(
    runtime_id: str, catalog: RuntimeCatalog, samples: Engine
):
    example = MANIFESTS[runtime_id].example_file
    catalog.choose(runtime_id, "")
    session = Session(samples.executor, limits=Limits(timeout=60))
    record = await session.execute(Script(example.read_text(), example.name), catalog.get(runtime_id))
    assert record["error"] is None
    assert sorted(record["stdout"].splitlines()) == [
        "20 people, 19 with a manager, 40478.20 euros",
        "Miriam: Miriam answers to nobody",
    ]
    assert [call["tool"] for call in record["calls"] if call["status"] == "error"] == ["lookup_manager"]
    assert len(record["calls"]) == 41


@pytest.fixture(scope="module")
def samples() -> Iterator[Engine]:
    """An engine with the sample tools."""
    engine, folder = Engine(), FunctionCatalog(SAMPLE_TOOLS)
    for tool in folder.refresh().tools:
        engine.registry.register(tool)
    yield engine
    folder.close()


def _sleepers() -> set[str]:
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if (entry / "cmdline").read_bytes().split(b"\0")[:2] == [b"sleep", b"1000"]:
                    found.add(entry.name)
    return found
