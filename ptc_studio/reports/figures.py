"""The figures that people quote of a run, and how values are shortened, for every report alike."""

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


def figures_of(past: PastRun) -> list[tuple[str, str]]:
    """What is told of a run at a glance: a word and its figure."""
    calls = past.record["calls"]
    failed = sum(call["status"] not in ("ok", None) for call in calls)
    redacted = sum(len(call["redactions"]) for call in calls)
    told = [
        ("Status", f"{mark_of(past.summary.status)} {past.summary.status}"),
        ("Time", milliseconds(past.summary.duration_ms)),
        ("Calls", f"{len(calls):,}"),
    ]
    told += [("Failed", f"{failed:,}")] if failed else []
    saved = waiting_saved_ms(calls)
    told += [("Waiting saved", milliseconds(saved))] if saved >= 1 else []
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
