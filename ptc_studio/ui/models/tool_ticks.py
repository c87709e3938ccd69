"""What is ticked, remembered over sources that come and go; knows no Qt."""

from collections.abc import Iterable

from ptc_studio.ui.models.tool_tree import Node, tick_only


class Ticked:
    """Knows every name that was ever shown: a server that is back has its tools ticked as they were."""

    def __init__(self) -> None:
        self._known: dict[str, bool] = {}
        self._wanted: frozenset[str] | None = None
        """The names that were asked for, of which some may be yet to come; None for all."""

    def only(self, root: Node, names: Iterable[str] | None) -> None:
        """Ticks exactly these, now and when they come."""
        self._wanted = None if names is None else frozenset(names)
        self._known.clear()
        tick_only(root, self._wanted)
        self.remember(root)

    def remember(self, root: Node) -> None:
        """Takes note of what is ticked now."""
        self._known.update({leaf.label: leaf.ticked for leaf in root.leaves()})

    def rename(self, former: str, name: str) -> None:
        """What was ticked or not under the former name is so under the new one."""
        if former in self._known:
            self._known[name] = self._known.pop(former)
        if self._wanted is not None and former in self._wanted:
            self._wanted = (self._wanted - {former}) | {name}

    def carry_over(self, old: Node, new: Node) -> None:
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
