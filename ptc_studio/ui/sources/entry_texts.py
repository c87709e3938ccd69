"""Lists that are quicker to type as one line: words of a command, or items with commas."""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

WORDS = ("argv", "args")
"""Written as in a terminal."""
ITEMS = ("tools", "http_hosts", "include", "exclude", "expect", "ok", "dashes", "aliases")
"""Written with commas between them."""
NESTED = ("requests", "commands")
_PLAIN = re.compile(r"[^\s'\"\\]+")
_NUMBER = re.compile(r"-?\d{1,9}")


class NoWords(ValueError):
    """The line cannot be taken apart; the message says why."""


def line_of(field: str, value: Any) -> str | None:
    """The list as one line, or None if a line cannot say the same."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    if field in WORDS:
        fits = all(isinstance(word, str) and "\n" not in word for word in value)
        return " ".join(map(_quoted, value)) if fits else None
    texts = [str(item) for item in value if isinstance(item, str | int) and not isinstance(item, bool)]
    line = ", ".join(texts)
    return line if len(texts) == len(value) and _items(line) == list(value) else None


def list_of(field: str, line: str) -> list[Any]:
    """The list that the line stands for; raises NoWords."""
    if field not in WORDS:
        return _items(line)
    try:
        return shlex.split(line)
    except ValueError:
        raise NoWords("A quotation mark is not closed.") from None


def as_lines(values: Mapping[str, Any], lined: Mapping[str, bool]) -> dict[str, Any]:
    """The values with those lists as lines that `lined` says are."""
    return {key: _as_line(key, value, lined) for key, value in values.items()}


def _as_line(key: str, value: Any, lined: Mapping[str, bool]) -> Any:
    if key in NESTED and isinstance(value, list):
        return [as_lines(item, lined) if isinstance(item, Mapping) else item for item in value]
    return line_of(key, value) if key in (*WORDS, *ITEMS) and lined.get(key) else value


def as_lists(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with all lines as lists again; raises NoWords."""
    return {key: _as_list(key, value) for key, value in values.items()}


def _as_list(key: str, value: Any) -> Any:
    if key in NESTED and isinstance(value, list):
        return [as_lists(item) if isinstance(item, Mapping) else item for item in value]
    return list_of(key, value) if key in (*WORDS, *ITEMS) and isinstance(value, str) else value


def all_lines() -> dict[str, bool]:
    """What holds where there are no values yet."""
    return can_be_lines({})


def can_be_lines(values: Mapping[str, Any]) -> dict[str, bool]:
    """For each field whether its lists, also those in `requests` and `commands`, can be written as lines.

    For `query`, whether all its values are texts.
    """
    holders = [values, *(item for key in NESTED for item in values.get(key, ()) if isinstance(item, Mapping))]
    found = {
        field: all(line_of(field, holder[field]) is not None for holder in holders if field in holder)
        for field in (*WORDS, *ITEMS)
    }
    texts = (value for holder in holders for value in holder.get("query", {}).values())
    return {**found, "query": all(isinstance(text, str) for text in texts)}


def _items(line: str) -> list[Any]:
    parts = [part.strip() for part in line.split(",")]
    return [int(part) if _NUMBER.fullmatch(part) else part for part in parts if part]


def _quoted(word: str) -> str:
    return word if _PLAIN.fullmatch(word) else shlex.quote(word)
