"""One tool call through the whole path, against the floor and the peer; the start of a run; ten thousand calls."""

import asyncio
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from tests.benchmarks.floor import echo
from tests.benchmarks.measure import loaded_studio, median, tell, timed
from tests.benchmarks.peer import peer_call

ROUNDS, CALLS = 9, 400
TEXT = "a line of some two hundred bytes in all, as an order or a message would be"
FUNCTIONS = '''
def lookup(sku: str, qty: int, note: str) -> dict:
    """Looks an article up."""
    return {"sku": sku, "qty": qty, "price": 12.5, "note": note, "tags": ["a", "b"]}
'''
LOOP = f"""
import time
began = time.perf_counter()
for i in range({CALLS}):
    lookup(sku="A-1", qty=i, note={TEXT!r})
took = time.perf_counter() - began
"""
MANY = f"""
import time
marks = [time.perf_counter()]
for block in range(10):
    for i in range(1000):
        lookup("A-1", i, {TEXT!r})
    marks.append(time.perf_counter())
[b - a for a, b in zip(marks, marks[1:])]
"""


async def main() -> None:
    """Runs all and tells the ratios."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "shop.py").write_text(FUNCTIONS)
        studio = await loaded_studio(Setup(functions=Path(folder)))
        try:
            await one_call(studio)
            await start_of_a_run(studio)
            await many_calls(studio)
        finally:
            await studio.close()


async def run(studio: Studio, code: str, runtime: str = "python") -> Any:
    """The script's value."""
    info = studio.runtimes.choose(runtime, "x.py")
    record = await studio.run(studio.session(), Script(code), info)
    assert record["status"] == "ok", record["error"]
    return record["value"]


async def one_call(studio: Studio) -> None:
    peer = peer_call(_lookup, LOOP + '\nprint("took", took)')
    ours: list[float] = []
    floor: list[float] = []
    theirs: list[float] = []
    in_process: list[float] = []
    # The floor carries as many bytes each way as the real frames do.
    with echo(request=205, answer=175, rounds=CALLS) as child:
        for _ in range(ROUNDS):
            floor.append(child.measure())
            ours.append(await run(studio, LOOP + "took") / CALLS)
            in_process.append(await run(studio, LOOP + "took", "python-inprocess") / CALLS)
            if peer:
                theirs.append(await asyncio.to_thread(peer) / CALLS)
    ratio = median([a / b for a, b in zip(ours, floor, strict=True)])
    tell("the floor: a blocking pipe echo, on two cores", f"{median(floor) * 1e6:.0f} us")
    tell(
        "one call in python",
        f"{median(ours) * 1e6:.0f} us = {ratio:.2f} x",
        "at most 2.0 times the floor",
        ratio <= 2.0,
    )
    tell("one call in python-inprocess", f"{median(in_process) * 1e6:.0f} us")
    if theirs:
        gain = median([a / b for a, b in zip(theirs, ours, strict=True)])
        tell("toolregistry's call, against ours", f"{median(theirs) * 1e6:.0f} us = {gain:.1f} x", "above 1", gain > 1)
    else:
        tell("toolregistry's call", "not installed")


async def start_of_a_run(studio: Studio) -> None:
    warm: list[float] = []
    bare: list[float] = []
    for _ in range(ROUNDS):
        bare.append(timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)))
        await asyncio.sleep(0.4)
        began = asyncio.get_running_loop().time()
        await run(studio, "pass")
        warm.append(asyncio.get_running_loop().time() - began)
    ratio = median([a / b for a, b in zip(warm, bare, strict=True)])
    tell("a bare python -c pass", f"{median(bare) * 1e3:.1f} ms")
    tell("a warm run, start to record", f"{median(warm) * 1e3:.1f} ms = {ratio:.2f} x", "at most half", ratio <= 0.5)


async def many_calls(studio: Studio) -> None:
    before = _memory()
    first = await run(studio, MANY)
    per_call = (_memory() - before) / 10_000
    runs = [first, *[await run(studio, MANY) for _ in range(6)]]
    ratio = median([blocks[-1] / blocks[0] for blocks in runs])
    told = f"{median([b[0] for b in runs]):.3f} s, {median([b[-1] for b in runs]):.3f} s = {ratio:.2f} x"
    tell("10,000 calls: the first and the last thousand", told, "as fast (within 1.2)", ratio <= 1.2)
    tell("10,000 calls: memory for each", f"{per_call / 1024:.2f} KB")


def _lookup(sku: str, qty: int, note: str) -> dict[str, Any]:
    """Looks an article up."""
    return {"sku": sku, "qty": qty, "price": 12.5, "note": note, "tags": ["a", "b"]}


_lookup.__name__ = "lookup"


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    asyncio.run(main())
