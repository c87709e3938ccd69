"""Sources, modules and tools as a tree that can be filtered, and what of it is ticked; knows no Qt."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from ptc_studio.ui.models.tool_rows import ErrorRow, ToolRow, ToolRows

Kind = Literal["root", "source", "module", "tool", "alias", "error"]
Ticks = Literal["all", "some", "none"]


@dataclass(slots=True, eq=False)
class Node:
    """One line of the tree."""

    kind: Kind
    label: str
    parent: "Node | None" = None
    row: ToolRow | ErrorRow | None = None
    children: list["Node"] = field(default_factory=list)
    shown: list["Node"] = field(default_factory=list)
    """The children that the filter leaves."""
    place: int = 0
    """Where it stands among those."""
    searched: str = ""
    """What the filter looks at, in small letters."""
    ticked: bool = True

    def add(self, kind: Kind, label: str, row: ToolRow | ErrorRow | None = None) -> "Node":
        node = Node(kind, label, self, row)
        self.children.append(node)
        return node

    def leaves(self) -> Iterator["Node"]:
        """The tools and aliases in it."""
        if self.kind in ("tool", "alias"):
            yield self
        for child in self.children:
            yield from child.leaves()

    @property
    def count(self) -> int:
        """How many tools the filter leaves in it."""
        return sum(node.count for node in self.shown) if self.children else int(self.kind != "error")

    @property
    def ticks(self) -> Ticks:
        states = {leaf.ticked for leaf in self.leaves()}
        if len(states) == 2:
            return "some"
        return "all" if True in states else "none"


def build(rows: ToolRows) -> Node:
    """The tree of the rows, without a filter."""
    root = Node("root", "")
    sources: dict[str, Node] = {}
    modules: dict[tuple[str, str], Node] = {}
    for row in rows.tools:
        source = sources.get(row.source) or sources.setdefault(row.source, root.add("source", row.source))
        group = source
        if row.module:
            key = (row.source, row.module)
            group = modules.get(key) or modules.setdefault(key, source.add("module", row.module))
        _add_leaf(group, "tool", row)
    if rows.aliases:
        aliases = root.add("source", "Aliases")
        for row in rows.aliases:
            _add_leaf(aliases, "alias", row)
    for error in rows.errors:
        root.add("error", error.title, error).searched = f"{error.title} {error.message}".lower()
    narrow(root, "")
    return root


def narrow(root: Node, wanted: str) -> int:
    """Leaves what has every word of the text in it; gives the number of tools that are left."""
    words = wanted.lower().split()
    _narrow(root, words)
    return root.count


def tick(node: Node, ticked: bool) -> None:
    """Ticks all that the filter leaves of the node."""
    node.ticked = ticked
    for child in node.shown:
        tick(child, ticked)


def tick_only(root: Node, names: Iterable[str] | None) -> None:
    """Ticks exactly the tools of these names; all where there are none given."""
    wanted = None if names is None else set(names)
    for leaf in root.leaves():
        leaf.ticked = wanted is None or leaf.label in wanted


def grant_of(root: Node) -> tuple[str, ...] | None:
    """The names of what is ticked; None where everything is."""
    leaves = list(root.leaves())
    ticked = tuple(leaf.label for leaf in leaves if leaf.ticked)
    return None if len(ticked) == len(leaves) else ticked


def _add_leaf(group: Node, kind: Kind, row: ToolRow) -> None:
    leaf = group.add(kind, row.name, row)
    leaf.searched = f"{row.module}.{row.name} {row.target} {row.source} {row.description}".lower()


def _narrow(node: Node, words: list[str]) -> None:
    shown = []
    for child in node.children:
        if child.children:
            _narrow(child, words)
            fits = bool(child.shown)
        else:
            fits = all(word in child.searched for word in words)
        if fits:
            child.place = len(shown)
            shown.append(child)
    node.shown = shown
