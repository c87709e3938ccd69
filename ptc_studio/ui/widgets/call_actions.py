"""What can be done with calls: copy them, open and close the tree. The same in the menu and on the keys."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from ptc_studio.ui.widgets.call_copying import CallCopying
from ptc_studio.ui.widgets.call_tree_view import CallTreeView


class CallActions:
    """The actions of a call tree."""

    def __init__(self, view: CallTreeView, copying: CallCopying, open_all: Callable[[], None]) -> None:
        self._view = view
        self.copy_json = self._add("Copy as JSON", "Ctrl+C", lambda: copying.copy_json(view.selected_calls()))
        self.copy_code = self._add("Copy as code", "Ctrl+Shift+C", lambda: copying.copy_code(view.selected_calls()))
        self.copy_table = self._add("Copy as table", "Ctrl+Alt+C", lambda: copying.copy_table(view.selected_calls()))
        self._separator = QAction(view)
        self._separator.setSeparator(True)
        self.open_all = self._add("Expand all", "Alt+Shift+Right", open_all)
        self.close_all = self._add("Collapse all", "Alt+Shift+Left", view.collapseAll)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._on_menu_wanted)

    def _add(self, text: str, keys: str, work: Callable[[], None]) -> QAction:
        action = QAction(text, self._view)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda _checked=False: work())
        self._view.addAction(action)
        return action

    def menu(self) -> QMenu:
        """The context menu for what is selected."""
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copies = (self.copy_json, self.copy_code, self.copy_table)
        for action in copies:
            action.setEnabled(self._view.selectionModel().hasSelection())
        menu.aboutToHide.connect(lambda: [action.setEnabled(True) for action in copies])
        menu.addActions([*copies, self._separator, self.open_all, self.close_all])
        return menu

    def _on_menu_wanted(self, place: QPoint) -> None:
        # `popup`, not `exec`: a loop within the loop breaks a running task.
        self.menu().popup(self._view.viewport().mapToGlobal(place))
