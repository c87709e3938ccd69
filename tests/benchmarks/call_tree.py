"""The call tree with a hundred thousand calls, fed and painted as the window does it."""

import gc
import os
import time
import tracemalloc
from collections.abc import Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from ptc_studio.core.events import CallFinished, CallStarted, Event
from ptc_studio.core.redaction import Redactor
from ptc_studio.ui.calls.call_tree import CallTree
from ptc_studio.ui.calls.panel import CallTreePanel
from tests.benchmarks.measure import tell

CALLS, BATCH, PART = 100_000, 200, 10_000
SLOWEST_MS, RATIO, BYTES = 50.0, 1.2, 1_024
_redactor = Redactor()
PEOPLE = ("Ada", "Grace", "Edsger", "Barbara", "Alan")


def main() -> None:
    """Runs both patterns and tells the figures."""
    application = QApplication.instance() or QApplication([])
    for name, events in (("one loop", loop(CALLS)), ("many lines, nested", mixed(CALLS))):
        live(application, name, batches(events))
    memory("one loop", list(loop(CALLS)))
    memory("many lines, nested", list(mixed(CALLS)))


def live(application: object, name: str, work: list[list[Event]]) -> None:
    """Time of each step, from the batch's arrival until it is painted, with the tree visible and following."""
    panel = CallTreePanel()
    panel.resize(420, 700)
    panel.show()
    panel.start_run()
    gc.collect()
    # The collector's pauses grow with the heap of the benchmark's own events, which are made before.
    gc.freeze()
    steps = [_step(application, panel, batch) for batch in work]
    panel.end_run()
    gc.unfreeze()
    assert panel.model.total == CALLS, panel.model.total
    part = len(steps) * PART // CALLS
    # The processor's time: other programs must not decide which part was slower.
    first, last = (sum(work for _, work in some) for some in (steps[:part], steps[-part:]))
    waits = sorted(wait for wait, _ in steps)
    slowest = waits[-1] * 1000
    tell(f"{name}: the longest step, apply and paint", f"{slowest:.1f} ms", "under 50", slowest < SLOWEST_MS)
    busiest = max(used for _, used in steps) * 1000
    tell(f"{name}: the longest step, the processor's time alone", f"{busiest:.1f} ms", "under 50", busiest < SLOWEST_MS)
    tell(f"{name}: the usual step", f"{waits[len(waits) // 2] * 1000:.1f} ms")
    told = f"{first:.2f} s, {last:.2f} s = {last / first:.2f} x"
    tell(f"{name}: the first and the last 10,000", told, "within 1.2", last / first <= RATIO)
    panel.close()
    panel.deleteLater()


def memory(name: str, events: list[Event]) -> None:
    """What the tree adds to each call beside the events themselves."""
    gc.collect()
    tracemalloc.start()
    forest = CallTree()
    for batch in batches(iter(events)):
        forest.take(batch)
    gc.collect()
    each = tracemalloc.get_traced_memory()[0] / CALLS
    tracemalloc.stop()
    tell(f"{name}: memory for each call beside its values", f"{each:.0f} bytes", "at most 1 KB", each <= BYTES)


def loop(count: int) -> Iterator[Event]:
    """One line that calls one tool, again and again."""
    for number in range(count):
        yield started(number, None, "get_expenses", 8)
        yield finished(number)


def mixed(count: int) -> Iterator[Event]:
    """Calls that call others, three tools from forty lines in turn, with some failures."""
    for number in range(0, count, 4):
        yield started(number, None, ("team", "get_budget", "notify_manager")[number // 4 % 3], number // 4 % 40)
        for child in range(number + 1, number + 4):
            yield started(child, number, "lookup_manager", None)
            yield finished(child)
        yield finished(number, failed=number % 1_000 == 0)


def batches(events: Iterator[Event]) -> list[list[Event]]:
    """The events of about so many calls at once."""
    everything = list(events)
    return [everything[at : at + 2 * BATCH] for at in range(0, len(everything), 2 * BATCH)]


def started(number: int, parent: int | None, tool: str, line: int | None) -> CallStarted:
    arguments = _redactor.value({"person": PEOPLE[number % 5], "quarter": "Q3", "number": number}, "arguments")
    above = None if parent is None else f"c{parent}"
    depth = 1 if parent is None else 2
    return CallStarted("r1", f"c{number}", above, depth, tool, None, "shop", arguments, number * 0.3, line)


def finished(number: int, failed: bool = False) -> CallFinished:
    result = _redactor.value({"amount": number * 1.5, "category": "travel", "tags": ["a", "b"]}, "result")
    return CallFinished("r1", f"c{number}", "error" if failed else "ok", result, None, 0.25, "tool")


def _step(application: object, panel: CallTreePanel, batch: list[Event]) -> tuple[float, float]:
    """Seconds by the clock on the wall, and of the processor."""
    began, used = time.perf_counter(), time.process_time()
    panel.apply(batch)
    application.processEvents()  # type: ignore[attr-defined]
    return time.perf_counter() - began, time.process_time() - used


if __name__ == "__main__":
    main()
