"""The tools that a script may call: sources, modules, tools and aliases, with what is to be known of each."""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSplitter,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.ui.models.tool_model import ToolModel
from ptc_studio.ui.models.tool_rows import ErrorRow, ToolRow
from ptc_studio.ui.models.tool_tree import Node
from ptc_studio.ui.placeholders import FILTER_TOOLS, READING_TOOLS
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW
from ptc_studio.ui.widgets.empty_overlay import EmptyOverlay
from ptc_studio.ui.widgets.rule import rule
from ptc_studio.ui.widgets.tool_delegate import ToolDelegate
from ptc_studio.ui.widgets.tool_details import ToolDetails
from ptc_studio.ui.widgets.tool_header import tool_header

MOST_OPENED = 300
"""A filter that leaves more than this opens no modules: who typed one letter types another."""
NO_TOOLS = (
    "No tools yet.\n\nWrite functions in a Python file, put it into a folder, and add the folder as a source: "
    "each function becomes a tool."
)


class ToolPanel(QWidget):
    """Filter, tree and details.

    Signals: insert_requested(text): a call is wanted in the editor. file_requested(path, line): a file is to be
    shown. grant_changed(names): what is ticked changed; None: everything.
    """

    insert_requested = Signal(str)
    file_requested = Signal(str, int)
    grant_changed = Signal(object)

    def __init__(self, actions: Sequence[QAction] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolPanel")
        self.setAccessibleName("Tools")
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.model = ToolModel(self)
        self._opened: set[tuple[str, str]] | None = None
        self._build(actions)
        self.model.grant_changed.connect(self.grant_changed)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.set_tools(())

    def set_tools(
        self, tools: Sequence[ToolRow], aliases: Sequence[ToolRow] = (), errors: Sequence[ErrorRow] = ()
    ) -> None:
        """Shows these; what is ticked, opened and selected stays so where it still is."""
        opened, selected = self._open_groups(), self.selected()
        first = not self.model.root.children
        self.model.set_tools(tools, aliases, errors)
        count = len(tools)
        self.filter.setPlaceholderText(f"Filter {count} tools…" if count > 1 else FILTER_TOOLS)
        self._empty.setText(NO_TOOLS)
        if first:
            self._open(lambda node: node.kind == "source" or count <= MOST_OPENED)
        else:
            self._open(lambda node: _key(node) in opened)
        self.select(selected.name if selected else "")

    def wait(self) -> None:
        """Says that the tools are being read; `set_tools` ends that."""
        self._empty.setText(READING_TOOLS)

    def set_language(self, language: str) -> None:
        """The language in which calls are inserted: that of the script."""
        self.model.language = self.details.language = language

    def set_grant(self, names: Iterable[str] | None) -> None:
        """Ticks exactly these tools; all without names."""
        self.model.set_grant(names)

    def selected(self) -> ToolRow | None:
        """The tool or alias that is selected."""
        index = self.tree.currentIndex()
        row = self.model.node(index).row if index.isValid() else None
        return row if isinstance(row, ToolRow) else None

    def select(self, name: str) -> None:
        """Selects the tool or alias of that name, or nothing."""
        for leaf in self.model.root.leaves():
            if leaf.label == name and leaf.parent is not None and leaf in leaf.parent.shown:
                self.tree.setCurrentIndex(self.model.index_of(leaf))
                return
        self.details.show_tool(None)

    def _build(self, actions: Sequence[QAction]) -> None:
        self._build_tree()
        self.filter = QLineEdit(clearButtonEnabled=True)
        self.filter.setObjectName("toolFilter")
        self.filter.setAccessibleName("Filter tools")
        self.filter.textChanged.connect(self._on_filter_changed)
        self.details = ToolDetails()
        self.details.insert_requested.connect(self.insert_requested)
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.setProperty("role", "divided")
        parts.setHandleWidth(1)
        parts.addWidget(self.tree)
        parts.addWidget(self.details)
        parts.setStretchFactor(0, 3)
        parts.setStretchFactor(1, 1)
        parts.setCollapsible(0, False)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(tool_header(actions))
        column.addWidget(rule())
        field = QHBoxLayout()
        field.setContentsMargins(8, 8, 8, 4)
        field.addWidget(self.filter)
        column.addLayout(field)
        column.addWidget(parts, 1)

    def _build_tree(self) -> None:
        tree = self.tree = QTreeView(headerHidden=True, uniformRowHeights=True, expandsOnDoubleClick=False)
        tree.setObjectName("toolTree")
        tree.setAccessibleName("Tools that the script may call")
        tree.setModel(self.model)
        tree.setItemDelegate(ToolDelegate(tree))
        tree.setDragEnabled(True)
        tree.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._on_menu_requested)
        tree.doubleClicked.connect(self._on_double_clicked)
        tree.selectionModel().currentChanged.connect(self._on_current_changed)
        self._empty = EmptyOverlay(tree, NO_TOOLS)
        self._empty.watch(self.model)

    def _groups(self) -> list[Node]:
        found = [node for node in self.model.root.shown if node.children]
        return found + [child for node in found for child in node.shown if child.children]

    def _open_groups(self) -> set[tuple[str, str]]:
        return {_key(node) for node in self._groups() if self.tree.isExpanded(self.model.index_of(node))}

    def _open(self, wanted: Callable[[Node], bool]) -> None:
        for node in self._groups():
            if wanted(node):
                self.tree.expand(self.model.index_of(node))

    def _on_filter_changed(self, wanted: str) -> None:
        if self._opened is None:
            self._opened = self._open_groups()
        opened, selected = self._opened, self.selected()
        self._empty.setText(f"No tool has “{wanted}” in its name or description." if wanted.strip() else NO_TOOLS)
        self.model.set_filter(wanted)
        if not wanted.strip():
            self._opened = None
            self._open(lambda node: _key(node) in opened)
        else:
            few = self.model.root.count <= MOST_OPENED
            self._open(lambda node: few or node.kind == "source")
        if selected is not None:
            self.select(selected.name)

    def _on_current_changed(self, index: QModelIndex) -> None:
        row = self.model.node(index).row if index.isValid() else None
        self.details.show_tool(row if isinstance(row, ToolRow) else None)

    def _on_double_clicked(self, index: QModelIndex) -> None:
        row = self.model.node(index).row
        if isinstance(row, ToolRow):
            self.insert_requested.emit(row.call_in(self.model.language))
        elif isinstance(row, ErrorRow):
            self.file_requested.emit(row.file, row.line or 1)
        else:
            self.tree.setExpanded(index, not self.tree.isExpanded(index))

    def menu_for(self, index: QModelIndex) -> QMenu:
        """What can be done with the line."""
        menu = QMenu(self)
        row = self.model.node(index).row
        if isinstance(row, ToolRow):
            menu.addAction("Insert call", lambda: self.insert_requested.emit(row.call_in(self.model.language)))
            menu.addAction("Copy name", lambda: QApplication.clipboard().setText(row.name))
        if isinstance(row, ErrorRow):
            menu.addAction("Copy reason", lambda: QApplication.clipboard().setText(row.message))
        if row is not None and row.file:
            menu.addSeparator()
            menu.addAction("Show file", lambda: self.file_requested.emit(row.file, row.line or 1))
        return menu

    def _on_menu_requested(self, place: QPoint) -> None:
        index = self.tree.indexAt(place)
        if index.isValid() and self.model.node(index).row is not None:
            menu = self.menu_for(index)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.tree.viewport().mapToGlobal(place))

    def _on_theme_changed(self) -> None:
        self.tree.setIndentation(theme().pixels(ROW * 0.6))
        self.tree.viewport().update()


def _key(node: Node) -> tuple[str, str]:
    return (node.parent.label if node.parent else "", node.label)
