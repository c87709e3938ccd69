"""How a call by hand went, in one line. Knows no Qt."""

from typing import Any

from ptc_studio.core.trace import Record
from ptc_studio.ui.models.call_text import milliseconds
from ptc_studio.ui.models.value_text import preview
from ptc_studio.ui.tokens import MARKS

ROOM = 48
NO_ARGUMENTS = "It takes no arguments."


def outcome_line(record: Record, inner_calls: int = 0) -> str:
    """`✓ 41 items · 612 ms · answered by a mock`."""
    status = record["status"] or "running"
    words = [f"{MARKS.get(status, '✕')} {_what_came(record)}"]
    if record["duration_ms"] is not None:
        words.append(f"{milliseconds(record['duration_ms'])} ms")
    if inner_calls:
        words.append(f"{_count(inner_calls, 'call')} within")
    if record["redactions"]:
        words.append(f"{len(record['redactions']):,} hidden")
    if record["truncated"]:
        words.append("too long: cut off")
    return " · ".join(words)


def who_answered(record: Record) -> str:
    """`answered by the tool people.team_members`."""
    by, tool = record["answered_by"], record["tool"]
    if by == "person":
        return f"answered by a person, for {tool}"
    if by in (None, "tool"):
        return f"answered by the tool {tool}" if record["status"] == "ok" else f"tool {tool}"
    return f"answered by a {by}, for {tool}"


def size_in_words(value: Any) -> str:
    """How much a result is: `41 items`, `3 keys`, `"short text"`."""
    if isinstance(value, list):
        return _count(len(value), "item")
    if isinstance(value, dict):
        return _count(len(value), "key")
    if isinstance(value, str) and len(value) > ROOM:
        return _count(len(value), "character")
    return "no result" if value is None else preview(value, ROOM)


def _what_came(record: Record) -> str:
    if record["status"] == "ok":
        return size_in_words(record["result"])
    return {
        "invalid": "The arguments do not fit",
        "denied": "Denied",
        "timeout": "The time is up",
        "cancelled": "Cancelled",
        "not_found": "There is no such tool",
        "depth": "Nested too deeply",
        "error": "Failed",
        None: "Calling…",
    }.get(record["status"], str(record["status"]))


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
