"""Timing, and the lines in which a benchmark tells what it found."""

import statistics
import time
from collections.abc import Callable, Sequence

from ptc_studio.app import Setup, Studio
from ptc_studio.cli.main import for_good


async def loaded_studio(setup: Setup) -> Studio:
    """As a command of the terminal has it: what is imported by then is not looked through for garbage."""
    with for_good():
        studio = Studio(setup)
        await studio.load()
    return studio


def timed(work: Callable[[], object]) -> float:
    """Seconds that the work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def median(samples: Sequence[float]) -> float:
    return statistics.median(samples)


def tell(name: str, value: str, goal: str = "", met: bool | None = None) -> None:
    """One line: what, how much, and whether the goal is met."""
    mark = "" if met is None else "  ✓" if met else "  ✕"
    print(f"{name:<58} {value:>18}  {goal}{mark}", flush=True)
