"""The history with ten thousand runs and one of a hundred thousand calls; what keeping a run costs it."""

import asyncio
import sqlite3
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ptc_studio.app import Setup
from ptc_studio.core.scripts import Script
from ptc_studio.storage.history import History, HistoryRecorder, Query
from tests.benchmarks.calls import FUNCTIONS, TEXT
from tests.benchmarks.measure import loaded_studio, median, tell, timed
from tests.storage.past_runs import write_runs

RUNS, LONG = 10_000, 100_000
ROUNDS = 15
LOOP = "for i in range({calls}):\n    lookup('A-1', i, {text!r})\n"


async def main() -> None:
    """Runs all and tells the figures."""
    with TemporaryDirectory() as folder:
        reading(Path(folder) / "history.db")
        # A long one, of which the calls are what is kept, and a short one, of which the fixed part is.
        for calls in (2_000, 20):
            await keeping(Path(folder), calls)


def reading(path: Path) -> None:
    write_runs(path, RUNS, calls=3)
    (long,) = write_runs(path, 1, calls=LONG)
    history = History(path)
    opening = median([timed(history.runs) for _ in range(5)])
    tell("10,001 past runs: the newest two hundred", f"{opening * 1e3:.0f} ms", "below 300 ms", opening < 0.3)

    def open_long() -> None:
        history.open(long)
        assert next(history.calls(long))

    opening = median([timed(open_long) for _ in range(5)])
    tell("one of 100,000 calls: opened, its first calls", f"{opening * 1e3:.0f} ms", "below 300 ms", opening < 0.3)
    whole = timed(lambda: history.open(long, with_calls=True))
    tell("the same, with every call", f"{whole * 1e3:.0f} ms")
    for text in ("order 7777", "lookup", "zz", "nowhere at all"):
        took = median([timed(lambda text=text: history.runs(Query(text))) for _ in range(5)])
        tell(f"search for {text!r}", f"{took * 1e3:.0f} ms", "below 100 ms", took < 0.1)
    tell("a run, on the disk", f"{path.stat().st_size / RUNS / 1000:.1f} KB ({sqlite3.sqlite_version})")


async def keeping(folder: Path, calls: int) -> None:
    (folder / "tools").mkdir(exist_ok=True)
    (folder / "tools" / "shop.py").write_text(FUNCTIONS)
    recorder = HistoryRecorder(folder / "kept.db")
    studio = await loaded_studio(Setup(functions=folder / "tools", history=recorder))
    info, script = studio.runtimes.choose("python", "x.py"), Script(LOOP.format(calls=calls, text=TEXT))
    times: dict[Any, list[float]] = {None: [], recorder: []}
    spent: dict[Any, list[float]] = {None: [], recorder: []}
    clock = asyncio.get_running_loop().time
    try:
        for turn in range(2 * ROUNDS + 2):
            # In turns, and each in both places of a pair: whatever slows the machine slows both.
            studio.history.recorder = (None, recorder, recorder, None)[turn % 4]
            began, worked = clock(), time.process_time()
            record = await studio.run(studio.session(), script, info)
            assert record["status"] == "ok", record["error"]
            if turn > 1:
                times[studio.history.recorder].append(clock() - began)
                spent[studio.history.recorder].append(time.process_time() - worked)
    finally:
        studio.history.recorder = recorder
        await studio.close()
    ratio = median([a / b for a, b in zip(times[recorder], times[None], strict=True)])
    told = f"{median(times[recorder]):.3f} s, {median(times[None]):.3f} s = {ratio:.3f} x"
    tell(f"a run of {calls:,} calls, kept and not", told, "at most 1.05", ratio <= 1.05)
    tell("the same, as work of the processor", f"{median(spent[recorder]):.3f} s, {median(spent[None]):.3f} s")


if __name__ == "__main__":
    asyncio.run(main())
