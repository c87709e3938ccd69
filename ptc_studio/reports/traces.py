"""A run as a trace for the browser's own viewer and for Perfetto, in Chrome's trace event format."""

from typing import Any

from ptc_studio.core.trace import CallRecord
from ptc_studio.storage.history import PastRun

PROCESS = 1
SCRIPT_LANE = 1


def chrome_trace(past: PastRun) -> dict[str, Any]:
    """Times are in microseconds since the run began; calls that overlap stand in lanes of their own."""
    summary = past.summary
    events: list[dict[str, Any]] = [
        _name("process_name", 0, past.title),
        _name("thread_name", SCRIPT_LANE, "script"),
        {
            "ph": "X", "name": past.title, "cat": "run", "pid": PROCESS, "tid": SCRIPT_LANE, "ts": 0,
            "dur": _microseconds(summary.duration_ms), "args": {"status": summary.status, "runtime": summary.runtime},
        },
    ]  # fmt: skip
    lanes = lanes_of(past.record["calls"])
    events += [
        _name("thread_name", SCRIPT_LANE + 1 + lane, f"calls {lane + 1}") for lane in sorted(set(lanes.values()))
    ]
    events += [_call(call, SCRIPT_LANE + 1 + lanes[call["id"]]) for call in past.record["calls"]]
    return {"traceEvents": events, "displayTimeUnit": "ms", "otherData": {"run_id": summary.run_id}}


def lanes_of(calls: list[CallRecord]) -> dict[str, int]:
    """For each call a lane in which it overlaps no other, except those that it is a part of."""
    ends: list[list[tuple[float, str]]] = []
    """Of each lane, the calls that are under way there, the outermost first."""
    lanes: dict[str, int] = {}
    for call in sorted(calls, key=lambda call: (call["started_ms"], call["depth"])):
        start = call["started_ms"]
        end = start + (call["duration_ms"] or 0.0)
        for open_calls in ends:
            while open_calls and open_calls[-1][0] <= start:
                open_calls.pop()
        parent = call["parent_id"]
        home = lanes.get(parent) if parent else None
        if home is None or (ends[home] and ends[home][-1][1] != parent):
            home = next((lane for lane, open_calls in enumerate(ends) if not open_calls), len(ends))
        if home == len(ends):
            ends.append([])
        ends[home].append((end, call["id"]))
        lanes[call["id"]] = home
    return lanes


def _call(call: CallRecord, lane: int) -> dict[str, Any]:
    shown = ("arguments", "result", "error", "status", "source", "line", "answered_by")
    return {
        "ph": "X", "name": call["alias"] or call["tool"], "cat": "tool", "pid": PROCESS, "tid": lane,
        "ts": _microseconds(call["started_ms"]), "dur": _microseconds(call["duration_ms"]),
        "args": {key: call[key] for key in shown},
    }  # fmt: skip


def _name(kind: str, lane: int, text: str) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": PROCESS, "tid": lane, "args": {"name": text}}


def _microseconds(value: float | None) -> float:
    return round((value or 0.0) * 1000, 1)
