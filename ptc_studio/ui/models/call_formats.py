"""Calls as text to be pasted elsewhere: JSON, a line of code, a table. Knows no Qt."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ptc_studio.core.trace import Record
from ptc_studio.ui.models.call_code import call_code

TABLE_COLUMNS = (
    "id",
    "parent_id",
    "depth",
    "name",
    "status",
    "duration_ms",
    "started_ms",
    "line",
    "arguments",
    "outcome",
)


def as_json(records: list[Record]) -> str:
    """One record as an object, several as a list."""
    return json.dumps(records[0] if len(records) == 1 else records, ensure_ascii=False, indent=2)


def as_code(record: Record, language: str = "python") -> str:
    """The call as a script of that language would make it."""
    return call_code(record["alias"] or record["tool"], record["arguments"], language)


def table_lines(records: Iterable[Record]) -> Iterator[str]:
    """Tab-separated values, the header first."""
    yield "\t".join(TABLE_COLUMNS)
    for record in records:
        yield "\t".join(map(_cell, _row(record)))


def _row(record: Record) -> tuple[Any, ...]:
    error = record["error"]
    outcome = f"{error['type']}: {error['message']}" if error else record["result"]
    name = record["alias"] or record["tool"]
    known = (record["id"], record["parent_id"], record["depth"], name, record["status"] or "running")
    return (*known, record["duration_ms"], record["started_ms"], record["line"], record["arguments"], outcome)


def _cell(value: Any) -> str:
    """A text that breaks neither row nor column."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.replace("\t", " ").replace("\r", " ").replace("\n", " ")
