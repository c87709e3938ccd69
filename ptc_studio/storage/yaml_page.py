"""A YAML text with its places: lines, the comments that belong to an entry, and the style it is written in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ptc_studio.storage.yaml_tree import Item, YamlNode, tree_of
from ptc_studio.storage.yaml_values import YamlStyle

_LINE_END = re.compile(r"\r\n|\n|\r|\Z")
_DISABLED = re.compile(r"#[ \t]*(-[ \t]|[\w.-]+:(\s|$))")
"""A comment that is a piece of YAML switched off: it belongs to nobody but the user."""


@dataclass(frozen=True, slots=True)
class Splice:
    """Text to be put in the place of what is from `start` to `end`."""

    start: int
    end: int
    text: str


class Page:
    """The text and where everything is in it. Never changes; splices make another text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root: YamlNode | None = tree_of(text)
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.style = _style_of(self)

    def spliced(self, splices: list[Splice]) -> str:
        """The text with all changes; those of one place keep their order."""
        parts: list[str] = []
        done = 0
        for each in sorted(splices, key=lambda splice: (splice.start, splice.end)):
            if each.start < done:
                raise ValueError("splices overlap")
            parts += (self.text[done : each.start], each.text)
            done = each.end
        return "".join((*parts, self.text[done:]))

    # Lines

    def line_start(self, location: int) -> int:
        return max(self.text.rfind("\n", 0, location), self.text.rfind("\r", 0, location)) + 1

    def line_end(self, location: int) -> int:
        """Where the line's end begins."""
        found = _LINE_END.search(self.text, location)
        return found.start() if found else len(self.text)

    def next_line(self, location: int) -> int:
        """Where the next line begins, or the text ends."""
        found = _LINE_END.search(self.text, location)
        return found.end() if found else len(self.text)

    def column(self, location: int) -> int:
        return location - self.line_start(location)

    def leads_its_line(self, location: int) -> bool:
        """Whether nothing but spaces stands before it."""
        return not self.text[self.line_start(location) : location].strip()

    # Entries

    def region_end(self, item: Item) -> int:
        """Behind the entry's last line, with the comments below it that are indented deeper than the entry itself."""
        end = self.next_line(max(item.value.end, item.after))
        while (line := self.text[end : self.line_end(end)]).strip().startswith("#"):
            if len(line) - len(line.lstrip()) <= self.column(item.begin):
                break
            end = self.next_line(end)
        return end

    def region_start(self, item: Item, *, first: bool) -> int:
        """Where the entry's first line begins, or the comments above that are clearly its own.

        Those touch the entry, stand at its column, and are no YAML switched off. What stands right below the
        collection's own key may speak of the whole collection, so the first entry has them only after a blank line.
        """
        own = start = self.line_start(item.begin)
        while own > 0:
            above = self.line_start(own - 1 - (self.text[own - 2 : own] == "\r\n"))
            line = self.text[above : self.line_end(above)]
            if not line.lstrip().startswith("#") or len(line) - len(line.lstrip()) != self.column(item.begin):
                break
            if _DISABLED.match(line.lstrip()):
                return start
            own = above
        return start if first and not self.blank_above(own) else own

    def blank_above(self, start: int) -> bool:
        """Whether an empty line stands above the line that begins here."""
        above = self.text[:start].removesuffix("\n").removesuffix("\r")
        return bool(above) and start > 0 and not above[max(above.rfind("\n"), above.rfind("\r")) + 1 :].strip()

    def blanks_end(self, location: int) -> int:
        """Behind the empty lines that begin here."""
        while location < len(self.text) and not self.text[location : self.line_end(location)].strip():
            location = self.next_line(location)
        return location

    def spaced(self, node: YamlNode) -> bool:
        """Whether empty lines stand between the entries of a block."""
        return any(self.blanks_end(self.region_end(one)) > self.region_end(one) for one, _ in pairwise(node.items))

    def nodes(self) -> Iterator[tuple[YamlNode, int]]:
        """Everything in the text with its depth."""
        waiting = [(self.root, 0)] if self.root else []
        while waiting:
            node, depth = waiting.pop()
            yield node, depth
            waiting += [(item.value, depth + 1) for item in node.items]


def children(node: YamlNode, data: Any) -> Iterator[tuple[Item, Any]]:
    """The items with their data; without those that merge others."""
    if node.kind == "map":
        return ((item, data[item.key]) for item in node.items if not item.merge and item.key in data)
    return zip(node.items, data, strict=False)


def _style_of(page: Page) -> YamlStyle:
    """What most of the file does; where it does nothing yet, the usual."""
    style = YamlStyle()
    in_line = in_block = 0
    for node, depth in page.nodes():
        if depth >= 2 and node.items and all(item.value.kind == "scalar" for item in node.items):
            in_line, in_block = in_line + node.flow, in_block + (node.block and not (node.kind == "map" and depth == 2))
        if not node.block or node.kind != "map":
            continue
        for item in node.items:
            style = _indents(page, style, item)
    return replace(style, flow=in_line >= in_block)


def _indents(page: Page, style: YamlStyle, pair: Item) -> YamlStyle:
    value = pair.value
    if not value.block or not value.items:
        return style
    first = value.items[0]
    deeper = page.column(first.begin) - page.column(pair.begin)
    if value.kind == "map":
        return replace(style, indent=max(deeper, 1))
    gap = first.value.start - first.begin
    return replace(style, dash=deeper, gap=gap if 2 <= gap <= 8 else style.gap)
