"""Timing, and the lines in which a benchmark tells what it found."""

import statistics
import time
from collections.abc import Callable, Sequence


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
