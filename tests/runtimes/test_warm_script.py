"""A compiled script that is run again finds a process of its own waiting."""

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes import process_runtime
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.guest_process import Guest, WarmScript
from ptc_studio.runtimes.stdio import StdioRouter
from tests.support import Engine, wait_until

RUST = 'println!("{}", call_tool::<i64>("add", args! {"a" => 40, "b" => 2})?);\n'


class FakeGuest:
    def __init__(self) -> None:
        self.alive, self.disposed = True, False

    def dispose(self) -> None:
        self.disposed = True


def kept(spare: WarmScript, script: str) -> Any:
    guest = FakeGuest()
    spare.prepare(script, lambda: guest)  # type: ignore[arg-type, return-value]
    return guest


def test_only_the_same_script_gets_it_and_only_once():
    spare = WarmScript()
    guest = kept(spare, "a")
    assert spare.take("b") is None
    assert spare.take("a") is guest
    assert spare.take("a") is None


def test_another_script_takes_its_place():
    spare = WarmScript()
    former, later = kept(spare, "a"), kept(spare, "b")
    assert former.disposed
    assert spare.take("b") is later


def test_one_that_was_killed_is_cleared_away():
    spare = WarmScript()
    guest = kept(spare, "a")
    guest.alive = False
    assert spare.take("a") is None
    assert guest.disposed


def test_nothing_is_kept_once_it_is_closed():
    spare = WarmScript()
    guest = kept(spare, "a")
    spare.close()
    assert guest.disposed
    late: list[FakeGuest] = []
    spare.prepare("b", lambda: late.append(FakeGuest()))  # type: ignore[arg-type, return-value]
    assert late == []


@pytest.fixture
def catalog() -> Iterator[RuntimeCatalog]:
    catalog = RuntimeCatalog(StdioRouter(), spare=1)
    yield catalog
    catalog.close()


async def test_a_second_run_is_done_by_the_process_that_waits(
    catalog: RuntimeCatalog, engine: Engine, monkeypatch: pytest.MonkeyPatch
):
    engine.add(lambda a, b: a + b, name="add")
    catalog.choose("rust", "")
    runtime: Any = catalog.get("rust")
    started: list[Guest] = []

    class CountedGuest(Guest):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            started.append(self)

    monkeypatch.setattr(process_runtime, "Guest", CountedGuest)

    async def run() -> Any:
        """The process that is kept after it."""
        record = await Session(engine.executor).execute(Script(RUST, "script.rs"), runtime)
        assert (record["status"], record["stdout"]) == ("ok", "42\n"), record
        wait_until(lambda: runtime.warm_script.waiting is not None)
        return runtime.warm_script.waiting

    first = await run()
    assert len(started) == 2
    second = await run()
    assert (len(started), second is started[2], first.alive) == (3, True, False)
    os.kill(second.process.pid, signal.SIGKILL)
    wait_until(lambda: not second.alive)
    third = await run()
    assert len(started) == 5
    catalog.close()
    assert not third.alive
