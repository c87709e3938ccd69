"""What changes in the tree of a run, step by step: each step is announced, then carried out."""

from dataclasses import dataclass

from ptc_studio.ui.models.call_nodes import Node


@dataclass(frozen=True, slots=True)
class Appended:
    """Rows at the end of a list come into view."""

    parent: Node
    first: int
    count: int

    def apply(self) -> None:
        self.parent.shown = self.first + self.count


@dataclass(frozen=True, slots=True)
class Inserted:
    """One row comes in between others."""

    parent: Node
    first: int
    node: Node
    count: int = 1

    def apply(self) -> None:
        self.parent.splice(self.first, 0, [self.node])


@dataclass(frozen=True, slots=True)
class Moved:
    """Rows go to the end of another list."""

    source: Node
    first: int
    count: int
    target: Node

    def apply(self) -> None:
        nodes = self.source.rows[self.first : self.first + self.count]
        self.source.splice(self.first, self.count)
        self.target.splice(len(self.target.rows), 0, nodes)


@dataclass(frozen=True, slots=True)
class Changed:
    """Rows of one list, from first to last, look different."""

    parent: Node
    first: int
    last: int

    def apply(self) -> None:
        """Nothing: the values have changed already."""


Operation = Appended | Inserted | Moved | Changed
