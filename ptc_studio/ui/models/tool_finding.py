"""Finds lines of the tool tree that can be seen; knows no Qt."""

from collections.abc import Iterable, Sequence

from ptc_studio.ui.models.tool_rows import ToolRow
from ptc_studio.ui.models.tool_tree import Node


def seen_by_name(root: Node, name: str) -> Node | None:
    """The tool or alias of that name, if the filter leaves it."""
    for node in root.walk():
        if node.kind in ("tool", "alias") and node.label == name and node.parent and node in node.parent.shown:
            return node
    return None


def seen_by_path(root: Node, path: Sequence[object]) -> Node | None:
    """The line that the path leads to, if the filter leaves it."""
    node = root if path else None
    for key in path:
        node = next((child for child in node.shown if child.key == key), None) if node else None
    return node


def aliases_among(nodes: Iterable[Node]) -> list[ToolRow]:
    """The aliases in the order in which they stand; none if there is something else among them."""
    nodes = sorted(nodes, key=lambda node: node.place)
    rows = [node.row for node in nodes if node.kind == "alias" and isinstance(node.row, ToolRow)]
    return rows if len(rows) == len(nodes) else []
