"""How a run ended, as pieces of text for the end of the output; knows no Qt."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ptc_studio.ui.tokens import MARKS
from ptc_studio.ui.widgets.output_queue import Piece

_SAID = {
    "ok": "Finished",
    "error": "Failed",
    "timeout": "Stopped: the time limit is up",
    "cancelled": "Cancelled",
    "crashed": "Crashed",
}
_PIECE = 4096


def ending_pieces(record: Mapping[str, Any]) -> Iterator[Piece]:
    """The status, then the value and the error in full, each from a new line on.

    A generator: a large value is written as it is shown.
    """
    status = record.get("status") or "error"
    yield ("ok" if status == "ok" else "failed"), _summary(status, record)
    if record.get("value") is not None:
        yield "heading", "Value"
        yield from (("value", text) for text in _value(record["value"]))
    error = record.get("error")
    if error:
        yield "heading", "Error"
        yield "error", _error(error)


def _summary(status: str, record: Mapping[str, Any]) -> str:
    parts = [f"{MARKS.get(status, '✕')} {_SAID.get(status, status)}"]
    if record.get("duration_ms") is not None:
        parts.append(f"{record['duration_ms'] / 1000:.2f} s")
    calls = len(record.get("calls") or ())
    if calls:
        parts.append(f"{calls} call{'' if calls == 1 else 's'}")
    if record.get("return_code"):
        parts.append(f"exit status {record['return_code']}")
    return " · ".join(parts)


def _error(error: Mapping[str, Any]) -> str:
    said = f"{error.get('type') or 'Error'}: {error.get('message') or ''}".rstrip(": \n")
    traceback = (error.get("traceback") or "").rstrip("\n")
    if not traceback:
        return f"{said} (line {error['line']})" if error.get("line") else said
    # A traceback mostly ends with the message already.
    return traceback if traceback.endswith(said) else f"{traceback}\n{said}"


def _value(value: Any) -> Iterator[str]:
    """The value as JSON with line breaks, in pieces; a text as it is."""
    if isinstance(value, str):
        yield value
        return
    parts: list[str] = []
    size = 0
    for part in json.JSONEncoder(indent=2, ensure_ascii=False, default=str).iterencode(value):
        parts.append(part)
        size += len(part)
        if size >= _PIECE:
            yield "".join(parts)
            parts, size = [], 0
    yield "".join(parts)
