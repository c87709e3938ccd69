"""The figures that people quote of a run, how values are shortened, and the lanes of calls that overlap."""

import ast
import json
from typing import Any

from ptc_studio.core.cost import cost_of, cost_text, parallel_turns, waiting_saved_ms, why_nothing_saved
from ptc_studio.core.python_text import parsed
from ptc_studio.core.trace import CallRecord
from ptc_studio.storage.history import PastRun

MARKS = {"ok": "✓", "denied": "▲", "cancelled": "▲", "interrupted": "▲", None: "◐"}


def mark_of(status: str | None) -> str:
    """What stands for a status, so that colour never does so alone."""
    return MARKS.get(status, "✕")


def milliseconds(value: float | None) -> str:
    """A time as people read it."""
    if value is None:
        return "not finished"
    return f"{value / 1000:,.2f} s" if value >= 1000 else f"{value:,.1f} ms"


def seconds(value: float | None) -> str:
    """The time of a whole run, as the window and the terminal tell it."""
    return "not finished" if value is None else f"{value / 1000:,.2f} s"


def figures_of(past: PastRun) -> list[tuple[str, str]]:
    """What is told of a run at a glance: a word and its figure."""
    calls = past.record["calls"]
    failed = sum(call["status"] not in ("ok", None) for call in calls)
    redacted = sum(len(call["redactions"]) for call in calls)
    told = [
        ("Status", f"{mark_of(past.summary.status)} {past.summary.status}"),
        ("Time", seconds(past.summary.duration_ms)),
        ("Calls", f"{len(calls):,}"),
    ]
    told += [("Failed", f"{failed:,}")] if failed else []
    saved = waiting_saved_ms(calls)
    told += [("Waiting saved", seconds(saved))] if saved >= 10 else []
    told += [("Redacted", f"{redacted:,}")] if redacted else []
    return told


def cost_lines(past: PastRun) -> list[str]:
    """What the run cost a model's context, in sentences; empty for a call by hand."""
    if past.summary.kind == "call":
        return []
    cost = past.record.get("cost") or cost_of(past.record, past.code)
    own = sum(call["parent_id"] is None for call in past.record["calls"])
    turns = parallel_turns(past.record["calls"])
    lines = [cost_text(cost) + "."]
    if own > 1:
        lines.append(f"{own:,} calls, one a turn, would have been {own:,} turns; the script took one.")
        lines.append(parallel_text(own, turns))
    if why := why_nothing_saved(cost, past.record):
        lines.append(why)
    if cost["estimated"]:
        lines.append(f"Tokens are estimated, not counted: {cost['tokenizer']}.")
    return lines


def parallel_text(calls: int, turns: int) -> str:
    """What a model that asks for several calls in one turn would have saved without a script."""
    if turns >= calls:
        return "Parallel calls in one turn would have saved none: no two of these calls overlapped."
    word, saved = "turn" if turns == 1 else "turns", calls - turns
    took = f"Parallel calls in one turn would have taken {turns:,} {word} and saved {saved:,}"
    return f"{took}, with every result in the context."


def asked(past: PastRun) -> str:
    """What the script is for, in its author's words: its first comment or docstring; empty if it has none."""
    lines: list[str] = []
    for line in past.code.splitlines():
        text = line.strip()
        if text.startswith(("#!", "#:")) or (not text and not lines):
            continue
        if not text.startswith(("#", "//")):
            break
        lines.append(text.lstrip("#/ ").strip())
    return " ".join(filter(None, lines)) or _docstring(past.code)


def _docstring(code: str) -> str:
    try:
        return " ".join((ast.get_docstring(parsed(code)) or "").split())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def brief(value: Any, room: int = 80) -> str:
    """The value in one short line."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = " ".join(text.split())
    return text if len(text) <= room else f"{text[: room - 1]}…"


def arguments_text(call: CallRecord, room: int = 80) -> str:
    """The arguments as in a call: `sku="A-1", qty=3`."""
    arguments = call["arguments"]
    if not isinstance(arguments, dict):
        return brief(arguments, room)
    return brief(
        ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items()), room
    )


def outcome(call: CallRecord, room: int = 80) -> str:
    """What came of the call."""
    if call["error"]:
        return brief(f"{call['error']['type']}: {call['error']['message']}", room)
    return "not finished" if call["status"] is None else brief(call["result"], room)


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
