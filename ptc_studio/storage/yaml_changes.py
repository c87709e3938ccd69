"""Turns one state of the data into another with as few changes of the YAML text as can be."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

from ptc_studio.storage.yaml_tree import (
    Item,
    YamlNode,
    YamlStyle,
    entry_lines,
    fits,
    header_end,
    inline,
    key_text,
    mapping_lines,
    nested,
    rendered,
    tree_of,
)

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


def removed_lines(page: Page, node: YamlNode, first: int, last: int) -> Splice:
    """Entries of a block with their own comments, and the empty lines that kept them apart from the others."""
    items = node.items
    if not page.leads_its_line(items[first].begin) and last + 1 < len(items):
        return Splice(items[first].begin, items[last + 1].begin, "")
    start = page.region_start(items[first], first=first == 0)
    end = page.region_end(items[last])
    if last + 1 < len(items):
        if first == 0 or page.blank_above(start):
            end = page.blanks_end(end)
    elif first:
        before = page.region_end(items[first - 1])
        start = before if page.blanks_end(before) == start else start
    return Splice(start, end, "")


def removed_parts(page: Page, node: YamlNode, first: int, last: int) -> Splice:
    """Items within brackets, with a comma; whole lines where they have some of their own."""
    items = node.items
    begin, end = items[first].begin, max(items[last].value.end, items[last].after)
    if page.leads_its_line(begin):
        rest = page.text[end : page.line_end(end)].lstrip(" \t").removeprefix(",").strip()
        if not rest or rest.startswith("#"):
            return Splice(page.line_start(begin), page.next_line(end), "")
    if last + 1 < len(items):
        return Splice(begin, items[last + 1].begin, "")
    return Splice(max(items[first - 1].value.end, items[first - 1].after), end, "")


def more_parts(page: Page, item: Item, texts: Iterable[str]) -> Splice:
    """Behind an item within brackets; on lines of their own if the item has one."""
    end = max(item.value.end, item.after)
    own_line = page.leads_its_line(item.begin)
    between = f",{page.newline}{' ' * page.column(item.begin)}" if own_line else ", "
    return Splice(end, end, "".join(between + text for text in texts))


def lines_below(page: Page, item: Item, lines: list[str]) -> Splice:
    """Lines behind an entry of a block."""
    end = page.region_end(item)
    text = page.newline.join(lines)
    ended = end > 0 and page.text[end - 1] in "\r\n"
    return Splice(end, end, text + page.newline if ended else page.newline + text)


def same(one: Any, other: Any) -> bool:
    """Whether two values are alike as JSON has it: 1 is 1.0, but it is not true."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


class Changes:
    """The splices between two states of one page."""

    def __init__(self, page: Page, *, style: YamlStyle | None = None, depth: int = 99) -> None:
        self._page = page
        self._style = style or page.style
        self._depth = depth
        """How deep to look for what is the same; below, a value is written anew."""

    def between(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Splice]:
        """What has to be done to the text."""
        root = self._page.root
        if root is None or (root.flow and not root.items):
            return [self._whole_document(root, new)] if new else []
        if not new:
            return [Splice(root.start, max(root.end, self._page.line_end(root.end)), "{}")]
        return self._mapping(root, old, new, 0)

    # Values

    def _changed(self, holder: YamlNode, item: Item, old: Any, new: Any, depth: int) -> list[Splice]:
        if same(old, new):
            return []
        value = item.value
        if depth < self._depth and old and new:
            if value.kind == "map" and isinstance(old, Mapping) and isinstance(new, Mapping):
                if any(own.key in new for own in value.items if not own.merge):
                    return self._mapping(value, old, new, depth)
            elif value.kind == "list" and isinstance(old, list) and isinstance(new, list | tuple):
                return self._list(value, old, list(new), depth)
        if holder.flow:
            return [self._in_flow(item, new)]
        return self._in_block(item, new, depth) if holder.kind == "map" else self._entry(holder, item, new)

    def _in_flow(self, item: Item, new: Any) -> Splice:
        value = item.value
        text = inline(new, quote=value.style if value.style in ('"', "'") else None)
        if value.start < value.end:
            return Splice(value.start, value.end, text)
        colon = "" if self._page.text[item.after - 1 : item.after] == ":" else ":"
        return Splice(item.after, item.after, f"{colon} {text}")

    def _in_block(self, item: Item, new: Any, depth: int) -> list[Splice]:
        """Puts the value behind its colon and below, and leaves a comment beside the key."""
        page, value = self._page, item.value
        lines = depth == 1 and nested(new)
        part = rendered(
            new, page.column(item.begin), self._style, old=value.style, in_block=lines or (value.block and bool(new))
        )
        start, end = self._head(item)
        body_start = page.line_end(max(end, item.after))
        body_end = body_start
        if value.block or value.style in ("|", ">"):
            body_end = max(body_start, page.line_end(value.end))
        head = part.head if start > item.after and part.head else f" {part.head}" if part.head else ""
        below = "".join(page.newline + line for line in part.body)
        return [Splice(start if part.head else item.after, end, head), Splice(body_start, body_end, below)]

    def _head(self, item: Item) -> tuple[int, int]:
        """What of the value stands beside its key."""
        value = item.value
        if value.style in ("|", ">"):
            return value.start, header_end(self._page.text, value)
        if not value.block:
            return value.start, value.end
        if value.anchor is not None and value.start < self._page.line_end(item.after):
            return value.start, self._page.line_end(item.after)
        return item.after, item.after

    def _entry(self, holder: YamlNode, item: Item, new: Any) -> list[Splice]:
        value = item.value
        if not value.block and value.style not in ("|", ">") and value.start < value.end:
            part = rendered(new, self._page.column(item.begin), self._style, old=value.style)
            if not part.body:
                return [Splice(value.start, value.end, part.head)]
        lines = self._entry_lines(holder, new)
        return [Splice(item.begin, self._page.line_end(max(value.end, item.after)), self._joined(lines).lstrip(" "))]

    # Mappings

    def _mapping(self, node: YamlNode, old: Mapping[Any, Any], new: Mapping[Any, Any], depth: int) -> list[Splice]:
        own = {item.key: item for item in node.items if not item.merge}
        splices: list[Splice] = []
        for key, item in own.items():
            if key in new:
                splices += self._changed(node, item, old[key], new[key], depth + 1)
        gone = [index for index, item in enumerate(node.items) if not item.merge and item.key not in new]
        splices += self._removed(node, gone)
        kept = [item for item in node.items if item.merge or item.key in new]
        for item, fresh in _behind(own, kept, old, new):
            splices.append(self._more_pairs(node, item, fresh, depth))
        return splices

    def _more_pairs(self, node: YamlNode, item: Item, fresh: dict[Any, Any], depth: int) -> Splice:
        page = self._page
        if node.flow:
            quote = '"' if all(one.key_node and one.key_node.style == '"' for one in node.items) else None
            texts = (f"{inline(key, quote=quote)}: {inline(value, quote=quote)}" for key, value in fresh.items())
            return more_parts(page, item, texts)
        blank = [""] if page.spaced(node) else []
        column, lines = page.column(item.begin), list[str]()
        for key, value in fresh.items():
            part = rendered(value, column, self._style, in_block=depth == 0 and nested(value))
            lines += [*blank, " " * column + f"{key_text(key, flow=False)}: {part.head}".rstrip(" "), *part.body]
        return lines_below(page, item, lines)

    # Lists

    def _list(self, node: YamlNode, old: list[Any], new: list[Any], depth: int) -> list[Splice]:
        head = _alike(old, new)
        tail = _alike(old[head:][::-1], new[head:][::-1])
        middle_old, middle_new = len(old) - tail, len(new) - tail
        pairs = min(middle_old, middle_new) - head
        splices: list[Splice] = []
        for index in range(head, head + pairs):
            splices += self._changed(node, node.items[index], old[index], new[index], depth + 1)
        splices += self._removed(node, list(range(head + pairs, middle_old)))
        if fresh := new[head + pairs : middle_new]:
            splices.append(self._more_items(node, head + pairs, fresh))
        return splices

    def _more_items(self, node: YamlNode, index: int, fresh: list[Any]) -> Splice:
        page = self._page
        if node.flow:
            texts = [inline(value) for value in fresh]
            if index:
                return more_parts(page, node.items[index - 1], texts)
            first = node.items[0].begin
            return Splice(first, first, ", ".join(texts) + ", ")
        blank = [""] if page.spaced(node) else []
        groups = [self._entry_lines(node, value) for value in fresh]
        if index:
            return lines_below(page, node.items[index - 1], [line for lines in groups for line in (*blank, *lines)])
        text = self._joined([line for lines in groups for line in (*lines, *blank)])
        first = node.items[0]
        if page.leads_its_line(first.begin):
            start = page.region_start(first, first=True)
            return Splice(start, start, text + page.newline)
        pad = " " * page.column(first.begin)
        return Splice(first.begin, first.begin, text.lstrip(" ") + page.newline + pad)

    def _entry_lines(self, node: YamlNode, value: Any) -> list[str]:
        """An entry as its neighbours are written."""
        first, last = node.items[0], node.items[-1]
        column = self._page.column(first.begin)
        gap = last.value.start - last.begin if last.value.block and last.value.kind == "map" else self._style.gap
        style = replace(self._style, gap=gap if 2 <= gap <= 8 else self._style.gap)
        if last.value.flow and isinstance(value, Mapping | list | tuple) and fits(value, column + style.gap):
            return [" " * column + "-" + " " * (style.gap - 1) + inline(value)]
        return entry_lines(value, column, style, in_block=not last.value.flow)

    # What both have

    def _removed(self, node: YamlNode, gone: list[int]) -> list[Splice]:
        """Removes runs of neighbours, each at once."""
        remove = removed_parts if node.flow else removed_lines
        runs = groupby(enumerate(gone), lambda pair: pair[1] - pair[0])
        found = ([index for _, index in run] for _, run in runs)
        return [remove(self._page, node, run[0], run[-1]) for run in found]

    def _whole_document(self, root: YamlNode | None, new: Mapping[str, Any]) -> Splice:
        page = self._page
        lines: list[str] = []
        for key, value in new.items():
            part = rendered(value, 0, self._style, in_block=nested(value))
            lines += [f"{key_text(key, flow=False)}: {part.head}".rstrip(" "), *part.body]
        if root is not None:
            return Splice(root.start, root.end, self._joined(lines))
        end = len(page.text)
        start = page.newline if page.text and page.text[-1] not in "\r\n" else ""
        return Splice(end, end, start + self._joined(lines) + page.newline)

    def _joined(self, lines: list[str]) -> str:
        return self._page.newline.join(lines)


def merged_text(page: Page, item: Item, values: Mapping[Any, Any], *, flow: bool) -> str:
    """The pairs that a merge brought, written out in its place."""
    if flow:
        return ", ".join(f"{key_text(key, flow=True)}: {inline(value)}" for key, value in values.items())
    return page.newline.join(mapping_lines(values, page.column(item.begin), page.style)).lstrip(" ")


def _alike(one: list[Any], other: list[Any]) -> int:
    """How many items at the beginning are the same."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if not same(left, right):
            break
        count += 1
    return count


def _behind(
    own: Mapping[Any, Item], kept: list[Item], old: Mapping[Any, Any], new: Mapping[Any, Any]
) -> list[tuple[Item, dict[Any, Any]]]:
    """New pairs, each group with the pair behind which it comes: the nearest before it in the new order."""
    groups: dict[int, tuple[Item, dict[Any, Any]]] = {}
    before: Item | None = None
    for key, value in new.items():
        if key in own:
            before = own[key]
        elif key not in old or not same(old[key], value):
            item = before or kept[-1]
            groups.setdefault(item.begin, (item, {}))[1][key] = value
    return list(groups.values())
