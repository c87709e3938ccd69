"""What can be done with a line of the tool tree."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu

from ptc_studio.ui.sources.server_question import unconfirmed_servers
from ptc_studio.ui.tools.details import UNWRITTEN
from ptc_studio.ui.tools.header import DROP_ACTION
from ptc_studio.ui.tools.rows import ErrorRow, SourceRow, ToolRow
from ptc_studio.ui.tools.tree import ToolNode
from ptc_studio.ui.widgets.labels import plain_tip

if TYPE_CHECKING:
    from ptc_studio.ui.tools.panel import ToolPanel


class ToolMenu:
    """Makes the menus of one panel; what is chosen is told by the panel's signals."""

    def __init__(self, panel: "ToolPanel", actions: Sequence[QAction] = ()) -> None:
        self._panel = panel
        self._actions = actions

    def made_for(self, node: ToolNode) -> QMenu:
        """The menu of the line; that of the whole panel for the root."""
        menu = QMenu(self._panel)
        menu.setToolTipsVisible(True)
        row, aliases = node.row, self._panel.selected_aliases()
        if len(aliases) > 1 and row in aliases:
            self._add_aliases(menu, aliases)
            return menu
        if isinstance(row, ToolRow) and node.kind == "alias":
            self._add_alias(menu, row)
        elif isinstance(row, ToolRow):
            self._add_tool(menu, row)
        elif isinstance(row, SourceRow):
            self._add_source(menu, node, row)
        elif isinstance(row, ErrorRow):
            menu.addAction("Copy reason", lambda: QApplication.clipboard().setText(row.message))
        elif node.children and node.parent is not None:
            if node.holds_aliases:
                menu.addActions([action for action in self._actions if action.objectName() == DROP_ACTION])
            self._add_definitions(menu, node)
        else:
            menu.addActions(list(self._actions))
        if row is not None and row.file:
            menu.addSeparator()
            menu.addAction("Show file", lambda: self._panel.file_requested.emit(row.file, row.line or 1))
        return menu

    def _add_tool(self, menu: QMenu, row: ToolRow) -> None:
        panel = self._panel
        self._add_calls(menu, row)
        menu.addAction("Make an alias…", lambda: panel.alias_requested.emit("new", [row.name]))
        self._add_copies(menu, row)

    def _add_alias(self, menu: QMenu, row: ToolRow) -> None:
        if row.is_callable:
            self._add_calls(menu, row)
            menu.addSeparator()
        self._add_alias_verb(menu, "Edit…", "edit", [row], "F2")
        self._add_aliases(menu, [row])
        menu.addSeparator()
        if row.fault:
            menu.addAction("Copy reason", lambda: QApplication.clipboard().setText(row.fault))
        if row.is_callable:
            self._add_copies(menu, row)

    def _add_aliases(self, menu: QMenu, rows: Sequence[ToolRow]) -> None:
        """What can be done with one, or with several at once."""
        self._add_alias_verb(menu, "Duplicate", "duplicate", rows)
        on, off = [row for row in rows if row.enabled], [row for row in rows if not row.enabled]
        if on:
            self._add_alias_verb(menu, "Disable", "disable", on)
        if off:
            self._add_alias_verb(menu, "Enable", "enable", off)
        self._add_alias_verb(menu, "Delete", "delete", rows, "Del")

    def _add_alias_verb(self, menu: QMenu, text: str, verb: str, rows: Sequence[ToolRow], keys: str = "") -> None:
        names = [row.name for row in rows]
        action = menu.addAction(text, lambda: self._panel.alias_requested.emit(verb, names))
        action.setShortcut(QKeySequence(keys))
        # The key is the tree's own; the menu only tells it.
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)

    def _add_calls(self, menu: QMenu, row: ToolRow) -> None:
        panel = self._panel
        model = panel.model
        menu.addAction("Insert call", lambda: panel.insert_requested.emit(row.call_in(model.language, model.calls)))
        menu.addAction("Call…", lambda: panel.call_requested.emit(row.name))
        menu.addAction("Break on this tool", lambda: panel.answer_requested.emit("break", row.name))
        menu.addAction("Mock…", lambda: panel.answer_requested.emit("mock", row.name))

    def _add_copies(self, menu: QMenu, row: ToolRow) -> None:
        menu.addAction("Copy name", lambda: QApplication.clipboard().setText(row.name))
        menu.addAction("Copy definition…", lambda: self._panel.definitions_requested.emit([row.name]))

    def _add_source(self, menu: QMenu, node: ToolNode, row: SourceRow) -> None:
        edit = self._add_verb(menu, "Edit…", "edit", row)
        self._add_verb(menu, "Reload", "reload", row)
        self._add_verb(menu, "Show log", "log", row)
        if getattr(getattr(row.loaded_source, "source", None), "can_sign_in", False):
            self._add_verb(menu, "Sign in…", "sign-in", row)
            self._add_verb(menu, "Sign out", "sign-out", row)
        if row.is_written and (servers := unconfirmed_servers(row.loaded_source)):
            confirm = self._add_verb(menu, "Send keys to its servers", "confirm-servers", row)
            confirm.setToolTip(plain_tip(f"The document names them: {', '.join(servers)}"))
        if row.state == "failed":
            menu.addAction("Copy reason", lambda: QApplication.clipboard().setText(row.detail))
        self._add_definitions(menu, node)
        menu.addSeparator()
        remove = self._add_verb(menu, "Remove", "remove", row)
        for action in (edit, remove):
            action.setEnabled(row.is_written)
            action.setToolTip("" if row.is_written else UNWRITTEN)

    def _add_definitions(self, menu: QMenu, node: ToolNode) -> None:
        names = [leaf.label for leaf in node.leaves()]
        wanted = menu.addAction("Copy definitions…", lambda: self._panel.definitions_requested.emit(names))
        wanted.setEnabled(bool(names))

    def _add_verb(self, menu: QMenu, text: str, verb: str, row: SourceRow) -> QAction:
        return menu.addAction(text, lambda: self._panel.source_requested.emit(verb, row.loaded_source))
