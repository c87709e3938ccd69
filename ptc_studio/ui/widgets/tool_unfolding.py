"""Which groups of the tool tree are open: what the user opened or closed stays so while tools come and go."""

from collections.abc import Iterable

from PySide6.QtCore import QModelIndex, QObject
from PySide6.QtWidgets import QTreeView

from ptc_studio.ui.models.tool_model import ToolModel
from ptc_studio.ui.models.tool_tree import Node

MOST_OPENED = 300
"""More tools than this open no modules by themselves: of an API with hundreds of operations the groups are shown."""
MOST_IN_GROUP, MOST_AMONG_MANY = 60, 8
"""A group with more than this is opened by the user alone; among many tools, even a smaller one: sources are seen."""


class Unfolding(QObject):
    """Remembers, by their names, groups that may be gone and come back."""

    def __init__(self, tree: QTreeView, model: ToolModel) -> None:
        super().__init__(tree)
        self._tree, self._model = tree, model
        self._chosen: dict[tuple[object, ...], bool] = {}
        self._busy = False
        self._seeking = False
        tree.expanded.connect(lambda index: self._on_toggled(index, True))
        tree.collapsed.connect(lambda index: self._on_toggled(index, False))
        model.rowsInserted.connect(self._on_rows_inserted)

    def seek(self, wanted: bool) -> None:
        """While something is sought, all groups that are left are open, if they are few; else as they were before."""
        self._seeking = wanted
        self.apply()

    def apply(self) -> None:
        """Opens what is to be open, after the tree was laid out anew."""
        self._open_within(self._model.root.shown, self._are_few())

    def reveal(self, node: Node) -> None:
        """Opens what the node stands in."""
        above = node.parent
        while above is not None and above.parent is not None:
            self._tree.expand(self._model.index_of(above))
            above = above.parent

    def _open_within(self, nodes: Iterable[Node], few: bool) -> None:
        for node in nodes:
            if node.shown:
                if self._is_open(node, few):
                    self._open(node)
                self._open_within(node.shown, few)

    def _open(self, node: Node) -> None:
        self._busy = True
        self._tree.expand(self._model.index_of(node))
        self._busy = False

    def _are_few(self) -> bool:
        return self._model.root.count <= MOST_OPENED

    def _is_open(self, node: Node, few: bool) -> bool:
        if self._seeking:
            return few or node.kind == "source"
        small = len(node.shown) <= (MOST_IN_GROUP if few else MOST_AMONG_MANY)
        return self._chosen.get(node.path, small if node.kind == "source" else small and few)

    def _on_toggled(self, index: QModelIndex, is_open: bool) -> None:
        if not self._busy and not self._seeking:
            self._chosen[self._model.node(index).path] = is_open

    def _on_rows_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        above, few = self._model.node(parent), self._are_few()
        if parent.isValid() and last - first + 1 == len(above.shown) and self._is_open(above, few):
            # Nothing could be opened before there was something in it.
            self._open(above)
        self._open_within(above.shown[first : last + 1], few)
