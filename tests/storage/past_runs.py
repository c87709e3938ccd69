"""Past runs as tests and benchmarks want them: through the recorder, from events."""

from pathlib import Path
from typing import Any

from ptc_studio.core.events import CallFinished, CallStarted, OutputWritten, RunFinished, RunStarted
from ptc_studio.core.redaction import Redactor
from ptc_studio.core.trace import Trace
from ptc_studio.storage.history import HistoryRecorder, RunStart

redactor = Redactor()
NOTE = "a line of some two hundred bytes in all, as an order or a message would be"


def start_of(run_id: str, **changes: Any) -> RunStart:
    """A run that begins."""
    code = changes.pop("code", "print(lookup('A-1', 3))")
    values: dict[str, Any] = {
        "kind": "run",
        "script": "orders.py",
        "code": redactor.text(code, "script"),
        "runtime": "python",
        "workspace": "/home/ada/shop",
        "started": 1_790_000_000.0,
        "grant": None,
        "limits": {"timeout": 30.0},
    }
    return RunStart(run_id, **{**values, **changes})


def call_events(run_id: str, number: int, **changes: Any) -> tuple[CallStarted, CallFinished]:
    """A call and its end."""
    arguments = changes.pop("arguments", {"sku": f"A-{number}", "qty": number, "note": NOTE})
    result = changes.pop("result", {"sku": f"A-{number}", "price": 12.5, "tags": ["a", "b"]})
    tool, call_id = changes.pop("tool", "lookup"), f"c{number}"
    begins = CallStarted(
        run_id, call_id, changes.pop("parent", None), 1, tool, None, "shop", redactor.value(arguments, "arguments"),
        float(number), changes.pop("line", 1),
    )  # fmt: skip
    return begins, CallFinished(run_id, call_id, "ok", redactor.value(result, "result"), None, 0.5, "tool")


def trace_of(run_id: str, calls: int, output: str = "", status: Any = "ok") -> Trace:
    """A run that is over; without a status, one that goes on."""
    trace = Trace(run_id)
    trace.observe([RunStarted(run_id, "python", "process")])
    trace.observe([event for number in range(calls) for event in call_events(run_id, number)])
    if output:
        trace.observe([OutputWritten(run_id, "stdout", redactor.text(output, "stdout"))])
    if status:
        trace.observe([RunFinished(run_id, status, 0, None, None, 12.5)])
    return trace


def write_runs(path: Path, count: int, calls: int) -> list[str]:
    """So many runs, one after the other in time; gives their ids."""
    recorder = HistoryRecorder(path)
    run_ids: list[str] = []
    for number in range(count):
        run_id = f"{calls:06x}{number:06x}"
        code = f"# order {number}\nfor sku in ('A-1', 'B-{number % 97}'):\n    print(lookup(sku, {number}))\n" * 5
        trace = trace_of(run_id, calls, output=f"order {number} is on its way\n" * 5)
        recorder.start(start_of(run_id, code=code, started=1_790_000_000.0 + number), trace)
        recorder.finish(run_id).result()
        run_ids.append(run_id)
    recorder.close()
    return run_ids
