"""A JSON value in one line, in coloured parts; looks at no more of it than is shown. Knows no Qt."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from ptc_studio.core.redaction.markers import MARKER_START

Part = tuple[str, str]
"""The name of a colour, and a text. `redacted` and `badge` are drawn as chips."""

_MARKER = re.compile(r"\[REDACTED:[^\[\]\s]{1,120}\]")
_DEEPEST = 2
ELLIPSIS = "…"


def preview(value: Any, room: int = 60) -> str:
    """The value in about so many characters."""
    return plain(preview_parts(value, room))


def preview_parts(value: Any, room: int = 60) -> list[Part]:
    """The value in about so many characters, coloured."""
    return list(_Line(room).parts(value))


def plain(parts: Iterable[Part]) -> str:
    """The text of the parts."""
    return "".join(text for _, text in parts)


def marked(text: str, colour: str) -> Iterator[Part]:
    """The text, with what was redacted in it apart."""
    if MARKER_START not in text:
        yield colour, text
        return
    at = 0
    for match in _MARKER.finditer(text):
        if match.start() > at:
            yield colour, text[at : match.start()]
        yield "redacted", match[0]
        at = match.end()
    if at < len(text):
        yield colour, text[at:]


def scalar_text(value: Any, room: int | None = None) -> str:
    """What is no list and no dictionary, as JSON has it; a long string shortened."""
    if isinstance(value, str):
        return _quoted(value, room)
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 10_000:
        return f"an integer of {value.bit_length():,} bits"
    return json.dumps(value, ensure_ascii=False)


def scalar_colour(value: Any) -> str:
    """The colour of a kind of value."""
    if isinstance(value, str):
        return "string"
    return "keyword" if value is None or isinstance(value, bool) else "number"


def size_text(value: Any) -> str:
    """How much is in a list or dictionary."""
    count, word = len(value), "item" if isinstance(value, list) else "key"
    text = f"{count:,} {word}{'' if count == 1 else 's'}"
    return f"[{text}]" if isinstance(value, list) else f"{{{text}}}"


def _quoted(text: str, room: int | None) -> str:
    if _MARKER.fullmatch(text):
        return text
    if room is None or len(text) <= room:
        return json.dumps(text, ensure_ascii=False)
    return json.dumps(text[: max(room - 1, 1)], ensure_ascii=False)[:-1] + ELLIPSIS + '"'


class _Line:
    """One line that fills up."""

    def __init__(self, room: int) -> None:
        self._room = room

    def parts(self, value: Any, depth: int = 0) -> Iterator[Part]:
        if isinstance(value, dict):
            yield from self._dict(value, depth)
        elif isinstance(value, list):
            yield from self._list(value, depth)
        else:
            for part in marked(scalar_text(value, max(self._room, 8)), scalar_colour(value)):
                yield self._spend(part)

    def _dict(self, items: dict[str, Any], depth: int) -> Iterator[Part]:
        if not items or depth >= _DEEPEST:
            yield self._spend(("text", f"{{{ELLIPSIS}}}" if items else "{}"))
            return
        yield self._spend(("text", "{"))
        for number, (key, value) in enumerate(items.items()):
            if self._room <= 4 and number:
                yield "text", f", {ELLIPSIS}"
                break
            yield self._spend(("text", f"{', ' if number else ''}{key[:60]}: "))
            yield from self.parts(value, depth + 1)
        yield self._spend(("text", "}"))

    def _list(self, items: list[Any], depth: int) -> Iterator[Part]:
        if not items or depth >= _DEEPEST:
            yield self._spend(("text", size_text(items) if items else "[]"))
            return
        yield self._spend(("text", "["))
        shown = 0
        for value in islice(items, 50):
            if self._room <= 4 and shown:
                break
            if shown:
                yield self._spend(("text", ", "))
            yield from self.parts(value, depth + 1)
            shown += 1
        left = len(items) - shown
        yield self._spend(("text", f", {ELLIPSIS} {left:,} more]" if left else "]"))

    def _spend(self, part: Part) -> Part:
        self._room -= len(part[1])
        return part
