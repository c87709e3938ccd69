"""Calls as text to be pasted elsewhere: JSON, a line of code, a table. Knows no Qt."""

import json
import keyword
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ptc_studio.core.trace import Record

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
_JS_NAME = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)


def as_json(records: list[Record]) -> str:
    """One record as an object, several as a list."""
    return json.dumps(records[0] if len(records) == 1 else records, ensure_ascii=False, indent=2)


def as_code(record: Record, language: str = "python") -> str:
    """The call as a script of that language would make it."""
    return _WRITERS.get(language, _python)(record["alias"] or record["tool"], record["arguments"])


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


def _python(name: str, arguments: Any) -> str:
    if isinstance(arguments, dict) and all(map(_is_python_name, [*name.split("."), *arguments])):
        return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"
    return f"call_tool({json.dumps(name)}, {arguments!r})"


def _javascript(name: str, arguments: Any) -> str:
    path = "tools"
    for step in name.split("."):
        path += f".{step}" if _JS_NAME.fullmatch(step) else f"[{json.dumps(step)}]"
    return f"await {path}({_javascript_value(arguments)})"


def _javascript_value(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{_javascript_key(key)}: {_javascript_value(item)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_javascript_value, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _javascript_key(key: str) -> str:
    return key if _JS_NAME.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def _bash(name: str, arguments: Any) -> str:
    words = [name]
    for key, value in (arguments if isinstance(arguments, dict) else {}).items():
        words += [f"--{key}", _shell_word(value)]
    return " ".join(words)


def _shell_word(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if re.fullmatch(r"[\w./:=+-]+", text) else "'" + text.replace("'", "'\\''") + "'"


def _is_python_name(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


_WRITERS: dict[str, Callable[[str, Any], str]] = {
    "python": _python,
    "javascript": _javascript,
    "typescript": _javascript,
    "bash": _bash,
}
