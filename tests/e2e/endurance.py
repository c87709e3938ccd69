"""Many runs of mixed kinds in one studio: `python -m tests.e2e.endurance 10000 600`, for so many seconds at most.

Prints memory, descriptors, threads and processes now and then; the exit status tells whether they stayed flat.
"""

import asyncio
import os
import random
import sys
import threading
import time
from pathlib import Path
from typing import Any

from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.processes.process_tree import descendants
from ptc_studio.runtimes.catalog import RuntimeCatalog
from ptc_studio.runtimes.stdio import StdioRouter
from tests.runtimes import behaviours
from tests.support import Engine

AT_ONCE = 6
LOOKS = 20
WARM = 0.3
"""The part of the runs after which what there is must not grow any more."""
MEMORY_MB, COUNT = 40, 12
"""What may come and go: memory that Python keeps for itself, spares that are being filled up."""


def figures() -> dict[str, int]:
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return {
        "memory_mb": resident >> 20,
        "descriptors": len(os.listdir("/proc/self/fd")),
        "threads": threading.active_count(),
        "processes": len(list(descendants(os.getpid()))),
    }


class Endurance:
    """One studio's engine, and the runs in it."""

    def __init__(self, catalog: RuntimeCatalog, engine: Engine) -> None:
        self._catalog, self._engine = catalog, engine
        self._chance = random.Random(3)
        available = [
            manifest
            for manifest in catalog.manifests
            if any(i.id == manifest.id and i.available for i in catalog.infos)
        ]
        self._kinds = [(manifest, name) for manifest in available for name in ("add", "hello", "uncaught", "stderr")]
        self._stopped = [(manifest, name) for manifest in available for name in ("slow_tool", "loop")]
        self._long = [(manifest, "many") for manifest in available]
        engine.add(lambda a, b=2: a + b, name="add")
        engine.add(lambda seconds: threading.Event().wait(seconds), name="sleep")

    async def one(self) -> str:
        chance = self._chance.random()
        stopped = chance < 0.02
        kinds = self._stopped if stopped else self._long if chance > 0.998 else self._kinds
        manifest, name = self._chance.choice(kinds)
        script = behaviours.find(name, manifest.id, manifest.language)
        session = Session(self._engine.executor, limits=Limits(timeout=20.0))
        if stopped:
            asyncio.get_running_loop().call_later(self._chance.uniform(0, 0.5), session.stop)
        record = await session.execute(Script(script.code, script.filename), self._catalog.get(manifest.id))
        # The bus of the tests keeps every event, as no studio does.
        self._engine.events.clear()
        return str(record["status"])


async def endure(runs: int, seconds: float) -> tuple[list[dict[str, int]], dict[str, int], int]:
    catalog = RuntimeCatalog(StdioRouter(), spare=1)
    catalog.discover()
    endurance = Endurance(catalog, Engine())
    seen: list[dict[str, int]] = []
    statuses: dict[str, int] = {}
    begun, done, end = 0, 0, time.monotonic() + seconds

    async def worker() -> None:
        nonlocal begun, done
        while begun < runs and time.monotonic() < end:
            begun += 1
            status = await endurance.one()
            statuses[status] = statuses.get(status, 0) + 1
            done += 1
            if done % max(1, runs // LOOKS) == 0:
                seen.append({"runs": done, **figures()})
                print(seen[-1], flush=True)

    await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
    await asyncio.sleep(2)
    seen.append({"runs": done, **figures()})
    catalog.close()
    return seen, statuses, done


def growth(seen: list[dict[str, int]]) -> dict[str, Any]:
    """What grew after the beginning, by more than comes and goes."""
    settled = seen[int(len(seen) * WARM) :]
    most = {"memory_mb": MEMORY_MB, "descriptors": COUNT * 4, "threads": COUNT, "processes": COUNT}
    return {
        name: (settled[0][name], settled[-1][name])
        for name, room in most.items()
        if settled[-1][name] > settled[0][name] + room
    }


def main(runs: int, seconds: float) -> int:
    began = time.monotonic()
    seen, statuses, done = asyncio.run(endure(runs, seconds))
    print(f"{done} runs in {time.monotonic() - began:.0f} s: {statuses}; at the end {seen[-1]}")
    grew = growth(seen)
    print(f"grew: {grew}" if grew else "flat")
    if done < runs:
        print(f"only {done} of {runs} runs were done in {seconds:g} s")
    return 1 if grew or done < runs else 0


if __name__ == "__main__":
    status = main(int(sys.argv[1]), float(sys.argv[2]))
    sys.stdout.flush()
    os._exit(status)
