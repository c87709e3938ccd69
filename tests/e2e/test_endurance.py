"""Two hundred runs in a row, in every runtime, a third of them killed at a random moment: nothing is left over."""

import asyncio
import os
import random
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.processes.process_tree import descendants
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.stdio import StdioRouter
from tests.runtimes import behaviours
from tests.support import Engine

RUNS, AT_ONCE = 200, 4
SCRIPTS = ("add", "many", "slow_tool", "loop")
SEED = 20
MONTY, DESCRIPTORS_A_WORKER = "monty", 3
"""What its workers are called; two pipes lead to each, and a descriptor tells of its end."""


@pytest.fixture
def catalog() -> Iterator[RuntimeCatalog]:
    catalog = RuntimeCatalog(StdioRouter(), spare=1)
    catalog.discover()
    yield catalog
    catalog.close()


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_two_hundred_mixed_runs_leave_nothing_behind(
    catalog: RuntimeCatalog, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    # A folder of its own: others run guests at the same time.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    engine.add(lambda a, b=2: a + b, name="add")
    engine.add(lambda seconds: threading.Event().wait(seconds), name="sleep")
    chance = random.Random(SEED)
    kinds = [(manifest, name) for manifest in catalog.manifests for name in SCRIPTS]
    # Once through all, so that what is compiled and kept ready is there before it is counted.
    await _all([(kind, 0.2) for kind in kinds], catalog, engine)
    await _all([(kind, None) for kind in kinds if kind[1] == "add"], catalog, engine)
    before = await _settled(tmp_path)
    plan = [(chance.choice(kinds), chance.uniform(0, 0.6) if chance.random() < 1 / 3 else None) for _ in range(RUNS)]
    records = await _all(plan, catalog, engine)
    await _all([(kind, None) for kind in kinds if kind[1] == "add"], catalog, engine)
    assert len(records) == RUNS
    assert [record for record in records if record["status"] not in ("ok", "cancelled", "timeout")] == []
    assert sum(record["status"] == "cancelled" for record in records) > RUNS / 6
    after = await _settled(tmp_path)
    assert after["processes"] <= before["processes"]
    # Monty keeps as many as were busy at once, and that is a matter of chance.
    assert after["monty workers"] <= AT_ONCE
    assert after["descriptors"] <= before["descriptors"]
    assert after["folders"] <= before["folders"]
    assert engine.executor.deadlines.watched == 0


async def _all(plan: list[Any], catalog: RuntimeCatalog, engine: Engine) -> list[dict[str, Any]]:
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(kind: Any, stop_after: float | None) -> dict[str, Any]:
        manifest, name = kind
        script = behaviours.find(name, manifest.id, manifest.language)
        async with turns:
            session = Session(engine.executor, limits=Limits(timeout=0.8))
            if stop_after is not None:
                asyncio.get_running_loop().call_later(stop_after, session.stop)
            return await session.execute(Script(script.code, script.filename), catalog.get(manifest.id))

    return await asyncio.gather(*(one(kind, stop_after) for kind, stop_after in plan))


async def _settled(folder: Path) -> dict[str, int]:
    """What there is once the pools have been filled up again: for a second, nothing came or went."""
    counted, since = _counted(folder), time.monotonic()
    async with asyncio.timeout(60):
        while time.monotonic() < since + 1:
            await asyncio.sleep(0.05)
            before, counted = counted, _counted(folder)
            since = since if counted == before else time.monotonic()
    return counted


def _counted(folder: Path) -> dict[str, int]:
    names = [_name(pid) for pid in descendants(os.getpid())]
    return {
        "processes": sum(name != MONTY for name in names),
        "monty workers": names.count(MONTY),
        "descriptors": len(os.listdir("/proc/self/fd")) - DESCRIPTORS_A_WORKER * names.count(MONTY),
        "folders": len(list(folder.glob("ptc-guest-*"))),
    }


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""
