"""Sources, modules and tools as a tree that can be filtered, and what of it is ticked; knows no Qt."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ptc_studio.ui.tools.rows import ErrorRow, SourceRow, ToolRow, ToolRows

Kind = Literal["root", "source", "module", "tool", "alias", "error"]
Ticks = Literal["all", "some", "none"]
Row = ToolRow | ErrorRow | SourceRow
ALIASES = "Aliases"


@dataclass(slots=True, eq=False)
class ToolNode:
    """One line of the tree."""

    kind: Kind
    label: str
    parent: "ToolNode | None" = None
    row: Row | None = None
    children: list["ToolNode"] = field(default_factory=list)
    shown: list["ToolNode"] = field(default_factory=list)
    """The children that the filter leaves."""
    location: int = 0
    """Where it stands among those."""
    searched: str = ""
    """What the filter looks at, in small letters."""
    ticked: bool = True
    title: str = ""
    """What the line says: a tool's name without that of the groups it stands in."""
    ordinal: int = 0
    """Tells apart what has the same label."""

    def add(self, kind: Kind, label: str, row: Row | None = None, title: str = "") -> "ToolNode":
        node = ToolNode(kind, label, self, row, title=title or label)
        self.children.append(node)
        return node

    @property
    def key(self) -> tuple[str, str, int]:
        """What it is known by among its neighbours, now and later."""
        return self.kind, self.label, self.ordinal

    @property
    def path(self) -> tuple[tuple[str, str, int], ...]:
        """The keys that lead to it."""
        return (*self.parent.path, self.key) if self.parent is not None else ()

    @property
    def is_callable(self) -> bool:
        """Whether it is a tool or alias that a script can call."""
        return self.kind in ("tool", "alias") and not (isinstance(self.row, ToolRow) and not self.row.is_callable)

    @property
    def holds_aliases(self) -> bool:
        """Whether it is the group of the aliases."""
        return self.kind == "source" and self.row is None and self.label == ALIASES

    def walk(self) -> Iterator["ToolNode"]:
        """It and all that is in it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def leaves(self) -> Iterator["ToolNode"]:
        """The tools and aliases in it that can be called."""
        if self.is_callable:
            yield self
        for child in self.children:
            yield from child.leaves()

    @property
    def count(self) -> int:
        """How many tools the filter leaves in it."""
        return sum(node.count for node in self.shown) if self.children else int(self.kind in ("tool", "alias"))

    @property
    def ticks(self) -> Ticks:
        states = {leaf.ticked for leaf in self.leaves()} or {self.ticked}
        if len(states) == 2:
            return "some"
        return "all" if True in states else "none"


def build(rows: ToolRows) -> ToolNode:
    """The tree of the rows, without a filter."""
    root = ToolNode("root", "")
    sources = _add_sources(root, rows.sources)
    modules: dict[tuple[str, str], ToolNode] = {}
    for row in rows.tools:
        source = sources.get(row.source) or sources.setdefault(row.source, root.add("source", row.source))
        group = source
        if row.module:
            key = (row.source, row.module)
            group = modules.get(key) or modules.setdefault(key, source.add("module", row.module))
        _add_leaf(group, "tool", row)
    for source in sources.values():
        # A tool that comes or goes must not move a whole module.
        source.children.sort(key=lambda node: (node.kind != "module", node.label if node.kind == "module" else ""))
    if rows.aliases:
        aliases = root.add("source", ALIASES)
        for row in rows.aliases:
            _add_leaf(aliases, "alias", row)
        _tell_apart(aliases.children)
    for error in rows.errors:
        # A script is no fault of the folder: it is a note below what else was found there.
        group = sources.get(error.source, root) if error.script else root
        node = group.add("error", error.title, error)
        node.searched = f"{error.title} {error.message}".lower()
    _tell_apart(root.children)
    for source in sources.values():
        _tell_apart(node for node in source.children if node.kind == "error")
    narrow(root, "")
    return root


def narrow(root: ToolNode, wanted: str) -> int:
    """Leaves what has every word of the text in it; gives the number of tools that are left."""
    words = wanted.lower().split()
    _narrow(root, words)
    return root.count


def tick(node: ToolNode, ticked: bool) -> None:
    """Ticks all that the filter leaves of the node."""
    node.ticked = ticked
    for child in node.shown:
        tick(child, ticked)


def tick_only(root: ToolNode, names: Iterable[str] | None) -> None:
    """Ticks exactly the tools of these names; all where there are none given."""
    wanted = None if names is None else set(names)
    for leaf in root.leaves():
        leaf.ticked = wanted is None or leaf.label in wanted
    for source in root.children:
        source.ticked = wanted is None


def grant_of(root: ToolNode) -> tuple[str, ...] | None:
    """The names of what is ticked; None where everything is, and everything that may still come."""
    leaves = list(root.leaves())
    ticked = tuple(leaf.label for leaf in leaves if leaf.ticked)
    closed = any(source.kind == "source" and source.ticks == "none" for source in root.children)
    return None if len(ticked) == len(leaves) and not closed else ticked


def _add_sources(root: ToolNode, rows: Iterable[SourceRow]) -> dict[str, ToolNode]:
    """A line for each, also for those that have no tools; of two with one name, the first has the tools of both."""
    sources: dict[str, ToolNode] = {}
    for row in rows:
        node = root.add("source", row.name, row)
        node.searched = f"{row.name} {row.badge} {row.detail}".lower()
        sources.setdefault(row.name, node)
    return sources


def _tell_apart(nodes: Iterable[ToolNode]) -> None:
    seen: dict[tuple[str, str], int] = {}
    for node in nodes:
        key = (node.kind, node.label)
        node.ordinal = seen.get(key, 0)
        seen[key] = node.ordinal + 1


def _add_leaf(group: ToolNode, kind: Kind, row: ToolRow) -> None:
    title = row.name.removeprefix(f"{row.source}.").removeprefix(f"{row.module}.") if kind == "tool" else row.name
    leaf = group.add(kind, row.name, row, title)
    leaf.searched = f"{row.module}.{row.name} {row.target} {row.source} {row.description}".lower()


def _narrow(node: ToolNode, words: list[str]) -> None:
    shown = []
    for child in node.children:
        if child.children:
            _narrow(child, words)
            fits = bool(child.shown)
        else:
            fits = all(word in child.searched for word in words)
        if fits:
            child.location = len(shown)
            shown.append(child)
    node.shown = shown


@dataclass(frozen=True, slots=True)
class RowsRemoved:
    """Lines of one list go."""

    parent: ToolNode
    first: int
    count: int

    def apply(self) -> None:
        del self.parent.shown[self.first : self.first + self.count]
        _number(self.parent)


@dataclass(frozen=True, slots=True)
class RowsInserted:
    """Lines come into one list, with all that stands in them."""

    parent: ToolNode
    first: int
    nodes: list[ToolNode]

    def apply(self) -> None:
        self.parent.shown[self.first : self.first] = self.nodes
        for node in self.nodes:
            node.parent = self.parent
        _number(self.parent)


@dataclass(frozen=True, slots=True)
class RowsChanged:
    """A line looks different."""

    node: ToolNode

    def apply(self) -> None:
        """Nothing: its values have changed already."""


Change = RowsRemoved | RowsInserted | RowsChanged


def changes(old: ToolNode, new: ToolNode) -> Iterator[Change]:
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
        yield RowsChanged(old)


def _take_over(old: ToolNode, new: ToolNode) -> bool:
    """Gives the old node the new one's values; the answer is whether it looks different now."""
    same_row = old.row is new.row or old.row == new.row
    differs = not same_row or old.ticked != new.ticked or old.title != new.title
    old.row, old.title, old.searched, old.ticked = new.row, new.title, new.searched, new.ticked
    return differs


def _kept(old: list[ToolNode], new: list[ToolNode]) -> dict[int, ToolNode]:
    """The old node for each new one, by the new one's id, as far as their order is the same."""
    places = {node.key: location for location, node in enumerate(new)}
    kept: dict[int, ToolNode] = {}
    last = -1
    for node in old:
        location = places.get(node.key, -1)
        if location > last:
            last = location
            kept[id(new[location])] = node
    return kept


def _removals(parent: ToolNode, kept: dict[int, ToolNode]) -> Iterator[RowsRemoved]:
    """From the end, in runs."""
    staying = {id(node) for node in kept.values()}
    end = len(parent.shown)
    while end > 0:
        first = end
        while first > 0 and id(parent.shown[first - 1]) not in staying:
            first -= 1
        if first < end:
            yield RowsRemoved(parent, first, end - first)
        end = first - 1 if first == end else first


def _insertions(parent: ToolNode, new: ToolNode, kept: dict[int, ToolNode]) -> Iterator[RowsInserted]:
    """From the beginning, in runs."""
    run: list[ToolNode] = []
    for location, node in enumerate(new.shown):
        if id(node) not in kept:
            run.append(node)
        elif run:
            yield RowsInserted(parent, location - len(run), run)
            run = []
    if run:
        yield RowsInserted(parent, len(new.shown) - len(run), run)


def _number(parent: ToolNode) -> None:
    for location, node in enumerate(parent.shown):
        node.location = location


def seen_by_name(root: ToolNode, name: str) -> ToolNode | None:
    """The tool or alias of that name, if the filter leaves it."""
    for node in root.walk():
        if node.kind in ("tool", "alias") and node.label == name and node.parent and node in node.parent.shown:
            return node
    return None


def seen_by_path(root: ToolNode, path: Sequence[object]) -> ToolNode | None:
    """The line that the path leads to, if the filter leaves it."""
    node = root if path else None
    for key in path:
        node = next((child for child in node.shown if child.key == key), None) if node else None
    return node


def aliases_among(nodes: Iterable[ToolNode]) -> list[ToolRow]:
    """The aliases in the order in which they stand; none if there is something else among them."""
    nodes = sorted(nodes, key=lambda node: node.location)
    rows = [node.row for node in nodes if node.kind == "alias" and isinstance(node.row, ToolRow)]
    return rows if len(rows) == len(nodes) else []


class Ticked:
    """Knows every name that was ever shown: a server that is back has its tools ticked as they were."""

    def __init__(self) -> None:
        self._known: dict[str, bool] = {}
        self._wanted: frozenset[str] | None = None
        """The names that were asked for, of which some may be yet to come; None for all."""

    def only(self, root: ToolNode, names: Iterable[str] | None) -> None:
        """Ticks exactly these, now and when they come."""
        self._wanted = None if names is None else frozenset(names)
        self._known.clear()
        tick_only(root, self._wanted)
        self.remember(root)

    def remember(self, root: ToolNode) -> None:
        """Takes note of what is ticked now."""
        self._known.update({leaf.label: leaf.ticked for leaf in root.leaves()})

    def rename(self, former: str, name: str) -> None:
        """What was ticked or not under the former name is so under the new one."""
        if former in self._known:
            self._known[name] = self._known.pop(former)
        if self._wanted is not None and former in self._wanted:
            self._wanted = (self._wanted - {former}) | {name}

    def carry_over(self, old: ToolNode, new: ToolNode) -> None:
        """Ticks the new tree as the old one was. What is new is ticked, unless all of its source was unticked."""
        self.remember(old)
        former = {source.key: source for source in old.children}
        for source in new.children:
            before = former.get(source.key)
            source.ticked = before.ticks != "none" if before is not None else self._wanted is None
            for leaf in source.leaves():
                leaf.ticked = self._known.get(leaf.label, self._at_first(leaf.label, source.ticked))

    def _at_first(self, name: str, welcome: bool) -> bool:
        return welcome if self._wanted is None else name in self._wanted
