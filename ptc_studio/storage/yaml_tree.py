"""Where everything in a YAML text stands, and how data is written there, so that nothing else changes."""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

from ruamel.yaml import YAML

from ptc_studio.storage.yaml_with_lines import YamlWithLines

MERGE = "<<"
_BLOCK_HEADER = re.compile(r"(?:[&!]\S*[ \t]+)*[|>][-+0-9]*")
_COLON = re.compile(r"[ \t]*:")
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z_0-9]{5,}")
"""Longer than whatever else YAML may take a word for."""


@dataclass(frozen=True, slots=True)
class YamlNode:
    """A value. A block collection ends where its last item does; comments around it are no part of it."""

    kind: Literal["scalar", "alias", "map", "list"]
    start: int
    end: int
    text: str = ""
    """What a scalar says, or the name of an alias."""
    style: str | None = None
    """The quote of a scalar, or `|` or `>`."""
    flow: bool = False
    anchor: str | None = None
    items: "tuple[Item, ...]" = ()

    @property
    def block(self) -> bool:
        """Whether it stands on lines of its own, one an item."""
        return self.kind in ("map", "list") and not self.flow


@dataclass(frozen=True, slots=True)
class Item:
    """A value in a collection, with its key if it has one."""

    begin: int
    """Where its key or its dash is."""
    after: int
    """Behind the colon or the dash."""
    value: YamlNode
    key: Any = None
    key_node: YamlNode | None = None

    @property
    def merge(self) -> bool:
        """Whether it brings the keys of another mapping."""
        return self.key_node is not None and self.key_node.style is None and self.key_node.text == MERGE


def tree_of(text: str) -> YamlNode | None:
    """The places of the text, which must be sound YAML; None if it has nothing but comments."""
    return _Builder(text).root()


class _Builder:
    """Turns the parser's events into nodes; tokens tell where dashes and colons are."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._events: Iterator[Any] = iter(_yaml().parse(text))

    @cached_property
    def _marks(self) -> dict[str, list[int]]:
        """Where all dashes and colons are, for the few that are not right beside what they belong to."""
        marks: dict[str, list[int]] = {"BlockEntryToken": [], "KeyToken": [], "ValueToken": []}
        for token in _yaml().scan(self._text):
            if (found := marks.get(type(token).__name__)) is not None:
                found.append(token.start_mark.index)
        return marks

    def root(self) -> YamlNode | None:
        for event in self._events:
            if type(event).__name__ == "DocumentStartEvent":
                node = self._node(next(self._events))
                return None if node is not None and node.kind == "scalar" else node
        return None

    def _node(self, event: Any) -> YamlNode | None:
        """The node that begins with the event, or None where the event ends a collection."""
        start, end = event.start_mark.index, event.end_mark.index
        match type(event).__name__:
            case "AliasEvent":
                return YamlNode("alias", start, end, text=event.anchor)
            case "ScalarEvent":
                end = self._end_of_block_scalar(start, end) if event.style in ("|", ">") else end
                return YamlNode("scalar", start, end, event.value, event.style, anchor=event.anchor)
            case "MappingStartEvent":
                return self._collection("map", event)
            case "SequenceStartEvent":
                return self._collection("list", event)
        self._ended = end
        return None

    def _collection(self, kind: Literal["map", "list"], event: Any) -> YamlNode:
        items: list[Item] = []
        flow = bool(event.flow_style)
        while (first := self._node(next(self._events))) is not None:
            items.append(self._pair(first) if kind == "map" else self._entry(first, flow=flow))
        end = self._ended if flow or not items else items[-1].value.end
        return YamlNode(kind, event.start_mark.index, end, flow=flow, anchor=event.anchor, items=tuple(items))

    def _pair(self, key: YamlNode) -> Item:
        value = self._node(next(self._events))
        assert value is not None
        colon = _COLON.match(self._text, key.end)
        if colon and not self._line_before(key.start).rstrip().endswith("?"):
            return Item(key.start, colon.end(), _placed(value, colon.end()), _key(key), key)
        keys, colons = self._marks["KeyToken"], self._marks["ValueToken"]
        begin = keys[bisect_right(keys, key.start) - 1] if keys else key.start
        location = bisect_left(colons, key.end)
        after = colons[location] + 1 if location < len(colons) and colons[location] <= value.start else key.end
        return Item(begin, after, _placed(value, after), _key(key), key)

    def _entry(self, value: YamlNode, *, flow: bool) -> Item:
        if flow:
            return Item(value.start, value.start, value)
        before = self._line_before(value.start).rstrip(" \t")
        if before.endswith("-"):
            dash = value.start - len(self._line_before(value.start)) + len(before) - 1
        else:
            dashes = self._marks["BlockEntryToken"]
            dash = dashes[bisect_left(dashes, value.start) - 1]
        return Item(dash, dash + 1, _placed(value, dash + 1))

    def _line_before(self, location: int) -> str:
        return self._text[max(self._text.rfind("\n", 0, location), self._text.rfind("\r", 0, location)) + 1 : location]

    def _end_of_block_scalar(self, start: int, end: int) -> int:
        """Blank lines behind it are its own only if it says so by a plus."""
        header = _BLOCK_HEADER.match(self._text, start)
        if header is None or "+" in header[0]:
            return end
        return max(header.end(), start + len(self._text[start:end].rstrip()))


def header_end(text: str, node: YamlNode) -> int:
    """Where the `|-` of a block scalar ends."""
    header = _BLOCK_HEADER.match(text, node.start)
    return header.end() if header else node.start


def _yaml() -> YAML:
    return YAML(typ="safe", pure=True)


def _placed(value: YamlNode, after: int) -> YamlNode:
    """A value of nothing is marked by the parser where the next thing begins; it is right behind its colon."""
    if value.kind == "scalar" and value.start == value.end:
        return YamlNode("scalar", after, after)
    return value


def _key(node: YamlNode) -> Any:
    """The key as data; most are text, but `1: x` is a number's."""
    return node.text if node.style is not None or _PLAIN_KEY.fullmatch(node.text) else _plain_key(node.text)


@lru_cache(1000)
def _plain_key(text: str) -> Any:
    return MERGE if text == MERGE else next(iter(YamlWithLines(f"? {text}\n: 0\n".encode()).plain), text)


WIDTH = 100
"""A collection that fits into a line of this length may be written in one."""
_LONGEST_KEY = 1000
"""YAML looks no further than 1024 characters for the colon."""
_MISREAD = {"true", "false", "yes", "no", "on", "off", "y", "n", "null", "none", "nan", "inf"}
_PLAIN_START = re.compile(r"[^\W\d]|\.{1,2}/|/|~/")
_UNSAFE = re.compile(r"[\[\]{}#*&|>\"`\\]|:(?=\s|$)|^\s|\s$|[\t\n\r]")
_UNSAFE_IN_FLOW = re.compile(r"[,:?]")
_TROUBLE_IN_BLOCK = re.compile(r"^[ \t]|[ \t]$|^---|^\.\.\.", re.MULTILINE)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0"}


class NotData(ValueError):
    """A value that JSON has not."""


@dataclass(frozen=True, slots=True)
class YamlStyle:
    """How a file is written."""

    indent: int = 2
    """Of a mapping in a mapping."""
    dash: int = 2
    """Of a list's dashes below its key."""
    gap: int = 2
    """From a dash to what follows it."""
    flow: bool = True
    """Whether short collections stand in one line."""
    blocks: bool = True
    """Whether text of several lines may be written as such."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A value in a block: what follows the colon or dash, and the lines below it."""

    head: str
    body: tuple[str, ...] = ()


def inline(value: Any, *, flow: bool = True, quote: str | None = None) -> str:
    """The value on one line; `flow` if it stands within brackets."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value, flow=flow, quote=quote)
        case int():
            return str(int(value))
        case float():
            if not math.isfinite(value):
                raise NotData(f"{value} is no number that can be written")
            return repr(float(value))
        case Mapping():
            return "{" + ", ".join(f"{key_text(key, flow=True)}: {inline(item)}" for key, item in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(inline(item) for item in value) + "]"
    raise NotData(f"a value of type {type(value).__name__} cannot be written")


def key_text(key: Any, *, flow: bool) -> str:
    """A key; one that is text comes back as text. A very long one needs a mark, within brackets only."""
    text = inline(key, flow=flow)
    return f"? {text} " if flow and len(text) > _LONGEST_KEY else text


def rendered(value: Any, column: int, style: YamlStyle, *, old: str | None = None, in_block: bool = False) -> Rendered:
    """The value of a key at the column; `old` is the style of the text that was there, `in_block` asks for lines."""
    if isinstance(value, str):
        return _rendered_text(value, column, style, old)
    if not isinstance(value, Mapping | list | tuple) or not value:
        return Rendered(inline(value, flow=False))
    if _has_long_keys(value) or (not in_block and style.flow and fits(value, column + style.indent)):
        return Rendered(inline(value))
    if isinstance(value, Mapping):
        return Rendered("", tuple(mapping_lines(value, column + style.indent, style)))
    dash = column + style.dash
    return Rendered("", tuple(line for item in value for line in entry_lines(item, dash, style, in_block=in_block)))


def mapping_lines(value: Mapping[Any, Any], column: int, style: YamlStyle) -> list[str]:
    """The pairs, one a line, with their values below them where they need it."""
    lines: list[str] = []
    for key, item in value.items():
        part = rendered(item, column, style)
        lines.append(" " * column + f"{key_text(key, flow=False)}: {part.head}".rstrip(" "))
        lines += part.body
    return lines


def entry_lines(value: Any, dash: int, style: YamlStyle, *, in_block: bool = False) -> list[str]:
    """One item of a list whose dashes stand at the column."""
    start = " " * dash + "-" + " " * (style.gap - 1)
    if _has_long_keys(value):
        return [start + inline(value)]
    if isinstance(value, Mapping) and value and (in_block or not (style.flow and fits(value, dash + style.gap))):
        first, *others = mapping_lines(value, dash + style.gap, style)
        return [start + first[dash + style.gap :], *others]
    if isinstance(value, list | tuple) and value:
        return [start + inline(value)]
    part = rendered(value, dash, style)
    return [(start + part.head).rstrip(" "), *part.body]


def fits(value: Any, column: int) -> bool:
    """Whether a collection is short and flat enough for one line."""
    if isinstance(value, list | tuple) and len(value) > 1 and any(isinstance(item, Mapping) for item in value):
        return False
    return _depth(value) <= 2 and not _has_lines(value) and column + len(inline(value)) <= WIDTH


def nested(value: Any) -> bool:
    """Whether a collection holds others."""
    return _depth(value) > 1


def _depth(value: Any) -> int:
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else None
    return 0 if items is None else 1 + max(map(_depth, items), default=0)


def _has_long_keys(value: Any) -> bool:
    return isinstance(value, Mapping) and any(len(inline(key)) > _LONGEST_KEY for key in value)


def _has_lines(value: Any) -> bool:
    if isinstance(value, str):
        return "\n" in value.rstrip("\n")
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return any(map(_has_lines, items))


def _rendered_text(value: str, column: int, style: YamlStyle, old: str | None) -> Rendered:
    wanted = "\n" in value.rstrip("\n") or (old in ("|", ">") and value.endswith("\n"))
    if not (wanted and style.blocks and _fits_a_block(value)):
        return Rendered(inline(value, flow=False, quote=old if old in ('"', "'") else None))
    indent = " " * (column + style.indent)
    lines = value.removesuffix("\n").split("\n")
    return Rendered("|" if value.endswith("\n") else "|-", tuple(indent + line if line else "" for line in lines))


def _fits_a_block(value: str) -> bool:
    """Blank lines at either end and spaces at a line's would be lost or need marks that few people know."""
    if value.startswith("\n") or value.endswith("\n\n") or _TROUBLE_IN_BLOCK.search(value):
        return False
    return all(character == "\n" or character.isprintable() for character in value)


def _text(value: str, *, flow: bool, quote: str | None) -> str:
    if quote is None and _is_plain(value, flow=flow):
        return str(value)
    if quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, value)) + '"'


def _is_plain(value: str, *, flow: bool) -> bool:
    if not value.isprintable() or not _PLAIN_START.match(value) or value.lower() in _MISREAD or _UNSAFE.search(value):
        return False
    return not (flow and _UNSAFE_IN_FLOW.search(value))


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
