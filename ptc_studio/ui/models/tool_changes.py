"""Makes one tree of tools say what another one says, line by line: each change is announced, then carried out.

Lines that stay keep their nodes, so that a view keeps what is selected, opened and in sight.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ptc_studio.ui.models.tool_tree import Node


@dataclass(frozen=True, slots=True)
class Removed:
    """Lines of one list go."""

    parent: Node
    first: int
    count: int

    def apply(self) -> None:
        del self.parent.shown[self.first : self.first + self.count]
        _number(self.parent)


@dataclass(frozen=True, slots=True)
class Inserted:
    """Lines come into one list, with all that stands in them."""

    parent: Node
    first: int
    nodes: list[Node]

    def apply(self) -> None:
        self.parent.shown[self.first : self.first] = self.nodes
        for node in self.nodes:
            node.parent = self.parent
        _number(self.parent)


@dataclass(frozen=True, slots=True)
class Changed:
    """A line looks different."""

    node: Node

    def apply(self) -> None:
        """Nothing: its values have changed already."""


Change = Removed | Inserted | Changed


def changes(old: Node, new: Node) -> Iterator[Change]:
    """The steps from the old tree to the new one; whoever iterates calls `apply` of each before asking for the next."""
    kept = _kept(old.shown, new.shown)
    differs = _take_over(old, new)
    for removed in _removals(old, kept):
        differs = True
        yield removed
    # Between the two, the old node has the children of both: nobody counts them before it is told.
    old.children = [kept.get(id(child), child) for child in new.children]
    for child in old.children:
        child.parent = old
    for inserted in _insertions(old, new, kept):
        differs = True
        yield inserted
    for child in new.shown:
        node = kept.get(id(child))
        if node is not None:
            yield from changes(node, child)
    if differs and old.parent is not None:
        yield Changed(old)


def _take_over(old: Node, new: Node) -> bool:
    """Gives the old node the new one's values; the answer is whether it looks different now."""
    same_row = old.row is new.row or old.row == new.row
    differs = not same_row or old.ticked != new.ticked or old.title != new.title
    old.row, old.title, old.searched, old.ticked = new.row, new.title, new.searched, new.ticked
    return differs


def _kept(old: list[Node], new: list[Node]) -> dict[int, Node]:
    """The old node for each new one, by the new one's id, as far as their order is the same."""
    places = {node.key: place for place, node in enumerate(new)}
    kept: dict[int, Node] = {}
    last = -1
    for node in old:
        place = places.get(node.key, -1)
        if place > last:
            last = place
            kept[id(new[place])] = node
    return kept


def _removals(parent: Node, kept: dict[int, Node]) -> Iterator[Removed]:
    """From the end, in runs."""
    staying = {id(node) for node in kept.values()}
    end = len(parent.shown)
    while end > 0:
        first = end
        while first > 0 and id(parent.shown[first - 1]) not in staying:
            first -= 1
        if first < end:
            yield Removed(parent, first, end - first)
        end = first - 1 if first == end else first


def _insertions(parent: Node, new: Node, kept: dict[int, Node]) -> Iterator[Inserted]:
    """From the beginning, in runs."""
    run: list[Node] = []
    for place, node in enumerate(new.shown):
        if id(node) not in kept:
            run.append(node)
        elif run:
            yield Inserted(parent, place - len(run), run)
            run = []
    if run:
        yield Inserted(parent, len(new.shown) - len(run), run)


def _number(parent: Node) -> None:
    for place, node in enumerate(parent.shown):
        node.place = place
