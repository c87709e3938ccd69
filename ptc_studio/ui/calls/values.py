"""A JSON value as a tree that is built only where it is looked at. Knows no Qt."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from ptc_studio.core.redaction.redacted import MARKER_START

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


STEP = 500
"""The longest list of rows; longer ones are cut into ranges."""
PREVIEW_ROOM = 72
STRING_ROOM = 200
Path = tuple[str | int, ...]


class ValueNode:
    """One value, or a range of the items of a long one."""

    __slots__ = ("key", "parent", "row", "rows", "span", "value")

    def __init__(
        self, value: Any, key: str | int | None = None, parent: "ValueNode | None" = None, row: int = 0
    ) -> None:
        self.value = value
        self.key = key
        """Its name or number in what it stands in; None for the whole and for ranges."""
        self.parent = parent
        self.row = row
        self.rows: list[ValueNode] = []
        """What has been built so far of what is below: nothing or everything."""
        self.span: range | None = None
        """The items that a range stands for; None for a value."""

    @property
    def has_rows(self) -> bool:
        return isinstance(self.value, dict | list) and len(self.value) > 0

    @property
    def path(self) -> Path:
        """The keys that lead to it from the whole."""
        keys: list[str | int] = []
        node: ValueNode | None = self
        while node is not None:
            if node.key is not None:
                keys.append(node.key)
            node = node.parent
        return tuple(reversed(keys))

    def build(self) -> list["ValueNode"]:
        """The rows below, made but not put in."""
        count = len(self.value)
        if self.span is None and count > STEP:
            return [self._range(row, start, count) for row, start in enumerate(range(0, count, STEP))]
        items = self._items(self.span or range(count))
        return [ValueNode(value, key, self, row) for row, (key, value) in enumerate(items)]

    def row_of(self, key: str | int) -> int:
        """The number of the item with that key."""
        if isinstance(self.value, list):
            return int(key)
        return next(number for number, name in enumerate(self.value) if name == key)

    def parts(self) -> list[Part]:
        """The row in one line."""
        if self.span is not None:
            return [("muted", f"{self.span.start:,} … {self.span.stop - 1:,}")]
        lead: list[Part] = [] if self.key is None else [("text", str(self.key)[:120]), ("muted", ": ")]
        if isinstance(self.value, dict | list) and self.value:
            whole = self.key is None
            return [*lead, *([("text", size_text(self.value))] if whole else preview_parts(self.value, PREVIEW_ROOM))]
        if isinstance(self.value, dict | list):
            return [*lead, ("text", "{}" if isinstance(self.value, dict) else "[]")]
        return [*lead, *marked(scalar_text(self.value, STRING_ROOM), scalar_colour(self.value))]

    def _range(self, row: int, start: int, count: int) -> "ValueNode":
        node = ValueNode(self.value, None, self, row)
        node.span = range(start, min(start + STEP, count))
        return node

    def _items(self, span: range) -> Iterable[tuple[str | int, Any]]:
        if isinstance(self.value, dict):
            return islice(self.value.items(), span.start, span.stop)
        return ((number, self.value[number]) for number in span)


def find(value: Any, text: str) -> Iterator[Path | None]:
    """Where the text stands in keys or values, in any case; None now and then, so that a search can be sliced."""
    wanted = text.casefold()
    waiting: list[Iterator[tuple[Path, Any]]] = [iter([((), value)])]
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
            continue
        path, item = entry
        yield path if _holds(path, item, wanted) else None
        if isinstance(item, dict | list):
            waiting.append(_entries(path, item))


def _entries(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    pairs: Iterable[tuple[str | int, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in pairs:
        yield (*path, key), item


def _holds(path: Path, value: Any, wanted: str) -> bool:
    if path and isinstance(path[-1], str) and wanted in path[-1].casefold():
        return True
    if isinstance(value, dict | list):
        return False
    return wanted in (value if isinstance(value, str) else scalar_text(value)).casefold()
