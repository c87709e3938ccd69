"""Where entries of a collection go to and come from: lines of a block, or parts within brackets."""

from collections.abc import Iterable

from ptc_studio.storage.yaml_page import Page, Splice
from ptc_studio.storage.yaml_tree import Item, Node


def removed_lines(page: Page, node: Node, first: int, last: int) -> Splice:
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


def removed_parts(page: Page, node: Node, first: int, last: int) -> Splice:
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
