"""What can be done with a line of the tool tree."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu

from ptc_studio.ui.models.source_rows import SourceRow
from ptc_studio.ui.models.tool_rows import ErrorRow, ToolRow
from ptc_studio.ui.models.tool_tree import Node
from ptc_studio.ui.widgets.tool_details import UNWRITTEN

if TYPE_CHECKING:
    from ptc_studio.ui.widgets.tool_panel import ToolPanel


class ToolMenu:
    """Makes the menus of one panel; what is chosen is told by the panel's signals."""

    def __init__(self, panel: "ToolPanel", actions: Sequence[QAction] = ()) -> None:
        self._panel = panel
        self._actions = actions

    def made_for(self, node: Node) -> QMenu:
        """The menu of the line; that of the whole panel for the root."""
        menu = QMenu(self._panel)
        menu.setToolTipsVisible(True)
        row = node.row
        if isinstance(row, ToolRow):
            self._add_tool(menu, row)
        elif isinstance(row, SourceRow):
            self._add_source(menu, node, row)
        elif isinstance(row, ErrorRow):
            menu.addAction("Copy reason", lambda: QApplication.clipboard().setText(row.message))
        elif node.children and node.parent is not None:
            self._add_definitions(menu, node)
        else:
            menu.addActions(list(self._actions))
        if row is not None and row.file:
            menu.addSeparator()
            menu.addAction("Show file", lambda: self._panel.file_requested.emit(row.file, row.line or 1))
        return menu

    def _add_tool(self, menu: QMenu, row: ToolRow) -> None:
        panel = self._panel
        menu.addAction("Insert call", lambda: panel.insert_requested.emit(row.call_in(panel.model.language)))
        menu.addAction("Copy name", lambda: QApplication.clipboard().setText(row.name))
        menu.addAction("Copy definition…", lambda: panel.definitions_requested.emit([row.name]))

    def _add_source(self, menu: QMenu, node: Node, row: SourceRow) -> None:
        edit = self._add_verb(menu, "Edit…", "edit", row)
        self._add_verb(menu, "Reload", "reload", row)
        self._add_verb(menu, "Show log", "log", row)
        if row.state == "failed":
            menu.addAction("Copy reason", lambda: QApplication.clipboard().setText(row.detail))
        self._add_definitions(menu, node)
        menu.addSeparator()
        remove = self._add_verb(menu, "Remove", "remove", row)
        for action in (edit, remove):
            action.setEnabled(row.is_written)
            action.setToolTip("" if row.is_written else UNWRITTEN)

    def _add_definitions(self, menu: QMenu, node: Node) -> None:
        names = [leaf.label for leaf in node.leaves()]
        wanted = menu.addAction("Copy definitions…", lambda: self._panel.definitions_requested.emit(names))
        wanted.setEnabled(bool(names))

    def _add_verb(self, menu: QMenu, text: str, verb: str, row: SourceRow) -> QAction:
        return menu.addAction(text, lambda: self._panel.source_requested.emit(verb, row.seat))
