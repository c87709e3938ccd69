"""A run under each target against the same run in `plain`, in the same runtime, in turns.

Every round has every target once, so that each is measured over the whole time, and in the first minute. The time is
what is judged; a second set of rounds counts what processors did for it, in the studio and in the script's process,
which tells more where others use the machine, too. Arguments are the targets to measure; none: all.
"""

import asyncio
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ptc_studio.app import Setup, Studio
from ptc_studio.core.scripts import Script
from ptc_studio.runtimes.guest_process import Guest
from ptc_studio.targets import Destination, find_target
from tests.benchmarks.measure import loaded_studio, median, tell

ROUNDS = 11
WORKED_ROUNDS = 8
"""In which the processors' work is counted."""
LOOK = 0.03
"""Seconds between two looks at whether the process for the next run is ready."""
PATIENCE = 60.0
TOOLS = Path(__file__).parents[1] / "targets" / "tools"
CALLS = 100
GOAL = 1.1
AWAITED = f"for i in range({CALLS}):\n    await add({{given}})\n"
PLAIN, PLAIN_AWAITED = f"for i in range({CALLS}):\n    add(a=i, b=1)\n", AWAITED.format(given="a=i, b=1")
BY_NAME = f"for i in range({CALLS}):\n    call_tool('add', {{'a': i, 'b': 1}})\n"
PAIRS = {
    "anthropic": (AWAITED.format(given="{'a': i, 'b': 1}"), PLAIN_AWAITED),
    "ironclaw": (BY_NAME, BY_NAME),
    "toolregistry": (PLAIN, PLAIN),
    "smolagents": (PLAIN, PLAIN),
    "utcp-python": (PLAIN, PLAIN),
    "ms-codeact": (f"for i in range({CALLS}):\n    call_tool('add', a=i, b=1)\n", BY_NAME),
    "monty": (PLAIN, PLAIN),
    "pydantic-ai": (PLAIN_AWAITED, PLAIN_AWAITED),
    "fastmcp": (
        "for i in range(50):\n    await call_tool('add', {'a': i, 'b': 1})\n",
        "for i in range(50):\n    await call_tool('add', {'a': i, 'b': 1})\n",
    ),
}
"""The script in the target's manner, and the same in plain."""
GIVEN = "{ a: i, b: 1 }"
LOOP = f"for (let i = 0; i < {CALLS}; i++) {{call}};\n"
PLAIN_LOOP = LOOP.format(call=f"await tools.add({GIVEN})")
JAVASCRIPT_CALLS = {
    "openai": f"await tools.add({GIVEN})",
    "openai-codex": f"await tools.add({GIVEN})",
    "cloudflare": f"await codemode.add({GIVEN})",
    "cloudflare-mcp": f"await codemode.add({GIVEN})",
    "utcp": f"add({GIVEN})",
    "vercel": f"await tools.add({GIVEN})",
    "tanstack": f"await external_add({GIVEN})",
    "deepagents": f"await tools.add({GIVEN})",
}
PAIRS |= {target: (LOOP.format(call=call), PLAIN_LOOP) for target, call in JAVASCRIPT_CALLS.items()}
# Those that need more than a loop: a function that is called, modules that are imported.
PAIRS["pctx"] = (f"async function run() {{\n{LOOP.format(call=f'await Shop.add({GIVEN})')}}}\n", PLAIN_LOOP)
PAIRS["goose"] = (f'import {{ add }} from "shop";\n{LOOP.format(call=f"add({GIVEN})")}', PLAIN_LOOP)
PAIRS["mcp-files"] = (
    f'import * as shop from "./servers/shop";\n{LOOP.format(call=f"await shop.add({GIVEN})")}',
    PLAIN_LOOP,
)
ENDINGS = {"python": "py", "javascript": "mjs", "typescript": "ts"}


@dataclass
class Measured:
    """One target's runs and those in plain beside them, pair by pair."""

    seconds: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    worked: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """Nanoseconds of the processors'."""

    def tell(self, target_id: str) -> None:
        ratio = median([there / here for there, here in self.seconds])
        # What others do on the machine can only add to the processors' work: the least of each is nearest to the truth.
        worked = min(there for there, _ in self.worked) / min(here for _, here in self.worked)
        took = median([there for there, _ in self.seconds]) * 1000
        shown = f"{took:.1f} ms, {ratio:.2f} (processors {worked:.2f})"
        tell(f"{target_id}: {CALLS} calls, against plain", shown, f"≤ {GOAL}", ratio <= GOAL)


async def main(chosen: list[str] | None = None) -> None:
    """Tells the ratio of each target."""
    studio = await loaded_studio(Setup(functions=TOOLS))
    measured = {target_id: Measured() for target_id in chosen or PAIRS}
    # The first run of each makes things ready that are kept.
    for number in range(-1, ROUNDS + WORKED_ROUNDS):
        work = Work() if number >= ROUNDS else None
        for target_id, found in measured.items():
            pair = await _pair(studio, target_id, work, plain_first=bool(number % 2))
            if number >= 0:
                (found.worked if work else found.seconds).append(pair)
        if work:
            work.close()
    for target_id, found in measured.items():
        found.tell(target_id)
    await studio.close()


async def _pair(studio: Studio, target_id: str, work: "Work | None", *, plain_first: bool) -> tuple[float, float]:
    code, plain = PAIRS[target_id]
    if plain_first:
        here = await _run(studio, target_id, plain, work, "plain")
        return await _run(studio, target_id, code, work), here
    return await _run(studio, target_id, code, work), await _run(studio, target_id, plain, work, "plain")


async def _run(studio: Studio, target_id: str, code: str, work: "Work | None", under: str | None = None) -> float:
    target, own = find_target(under or target_id), find_target(target_id)
    name = f"script.{ENDINGS[own.language]}"
    info = await studio.choose_runtime(own.runtime, name)
    await _ready(studio.runtimes.get(info.id), target.limits.memory_mb)
    # A limit of five seconds may be up before a script has begun, where others use the machine, too.
    session = studio.session(target=target, timeout=PATIENCE)
    if work:
        work.start()
    began = time.perf_counter()
    record = await studio.run(session, Script(code, name), info, Destination(target))
    took = time.perf_counter() - began
    assert record["status"] == "ok", record["error"]
    return work.done() if work else took


async def _ready(runtime: Any, memory: int | None) -> None:
    """Waits until a process for the run is there and waits, too, as it does for a person."""
    if hasattr(runtime, "warm"):
        runtime.warm(memory)
    end, quiet = time.monotonic() + PATIENCE, 0
    while quiet < 3 and time.monotonic() < end:
        await asyncio.sleep(LOOK)
        quiet = quiet + 1 if _states() <= {"S", "I", "Z"} else 0


def _states() -> set[str]:
    """What the threads of all processes below this one are doing."""
    found: set[str] = set()
    for pid in _below():
        for task in Path(f"/proc/{pid}/task").glob("*/stat"):
            with suppress(OSError):
                found.add(task.read_text().rpartition(") ")[2][0])
    return found


def _below() -> list[int]:
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents.setdefault(int(stat.read_text().rpartition(") ")[2].split()[1]), []).append(int(stat.parent.name))
    found, rest = [], [_own_pid()]
    while rest:
        children = parents.get(rest.pop(), [])
        found += children
        rest += children
    return found


def _own_pid() -> int:
    return int(Path("/proc/self").resolve().name)


class Work:
    """What the processors did for a run: in the studio, and in the processes that were there when it began."""

    def __init__(self) -> None:
        self._before: dict[int, int] = {}
        self._last: dict[int, int] = {}
        self._own = 0
        self._end = end = Guest.end

        def counted(guest: Guest) -> int:
            # Of a process that has ended nobody can tell any longer.
            self._look()
            return end(guest)

        Guest.end = counted  # type: ignore[method-assign]

    def start(self) -> None:
        self._last = {}
        self._look()
        self._before, self._own = dict(self._last), time.process_time_ns()

    def done(self) -> float:
        own = time.process_time_ns() - self._own
        self._look()
        return own + sum(self._last[pid] - before for pid, before in self._before.items())

    def close(self) -> None:
        Guest.end = self._end  # type: ignore[method-assign]

    def _look(self) -> None:
        for pid in _below():
            self._last[pid] = max(self._last.get(pid, 0), _worked(pid))


def _worked(pid: int) -> int:
    total = 0
    for task in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(OSError, ValueError):
            total += int(task.read_text().split()[0])
    return total


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
