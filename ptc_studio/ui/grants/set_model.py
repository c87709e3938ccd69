"""The tree of tools of one grant set: it shows what the patterns grant, and asks for ticks rather than keeping them."""

from collections.abc import Collection
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from ptc_studio.ui.grants.patterns import Patterns
from ptc_studio.ui.models.tool_model import ToolModel
from ptc_studio.ui.models.tool_tree import Node

Role = Qt.ItemDataRole


class SetModel(ToolModel):
    """Signals: toggled(node, ticked): the user wants all that is seen of the node granted, or no longer."""

    toggled = Signal(object, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_filtered = False

    def show_granted(self, patterns: Patterns, names: Collection[str]) -> None:
        """Ticks these; a source without tools is ticked by its pattern."""
        self.set_grant(names)
        for source in self.root.children:
            source.ticked = f"{source.label}.*" in patterns

    def set_filter(self, wanted: str) -> None:
        self.is_filtered = bool(wanted.strip())
        super().set_filter(wanted)

    def setData(self, index: QModelIndex | QPersistentModelIndex, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.CheckStateRole or not index.isValid() or self.node(index).kind == "error":
            return False
        self.toggled.emit(self.node(index), Qt.CheckState(value) == Qt.CheckState.Checked)
        return True


def seen_names(node: Node) -> list[str]:
    """The tools and aliases in the node that the filter leaves."""
    if node.kind in ("tool", "alias"):
        return [node.label]
    return [name for child in node.shown for name in seen_names(child)]
