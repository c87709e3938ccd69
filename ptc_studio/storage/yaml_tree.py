"""Where everything in a YAML text stands: a tree of places, so that one thing can be changed and nothing else."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
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
