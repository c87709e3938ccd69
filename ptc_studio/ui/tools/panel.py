"""The tools that a script may call: sources, modules, tools and aliases, with what is to be known of each."""

from collections.abc import Iterable, Sequence
from functools import partial

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSplitter,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.ui.language.target_calls import TargetCalls
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW, SPACE
from ptc_studio.ui.tools.details import ToolDetails
from ptc_studio.ui.tools.header import tool_header
from ptc_studio.ui.tools.menu import ToolMenu
from ptc_studio.ui.tools.model import ToolDelegate, ToolModel, ToolSpinner
from ptc_studio.ui.tools.rows import ErrorRow, SourceRow, ToolRow
from ptc_studio.ui.tools.tree import ToolNode, aliases_among, seen_by_name, seen_by_path
from ptc_studio.ui.widgets.labels import FILTER_TOOLS, READING_TOOLS, PlainLabel
from ptc_studio.ui.widgets.layout import rule


class EmptyTools(QWidget):
    """A text in the middle of the view, and below it the action, if there is one and it helps."""

    def __init__(self, view: QAbstractScrollArea, model: QAbstractItemModel, text: str, action: QAction | None) -> None:
        super().__init__(view.viewport())
        self._view, self._model, self._action = view, model, action
        self._label = PlainLabel(text)
        self._label.setProperty("role", "muted")
        self._label.setWordWrap(True)
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = QPushButton(action.text() if action else "")
        self._label.setMargin(4 * SPACE)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addStretch(1)
        column.addWidget(self._label)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        if action is not None:
            self.button.clicked.connect(action.trigger)
        self.say(text, helps=True)
        view.viewport().installEventFilter(self)
        for signal in (model.modelReset, model.rowsInserted, model.rowsRemoved):
            signal.connect(self._on_rows_changed)
        self._fill()
        self._on_rows_changed()

    def text(self) -> str:
        return self._label.text()

    def say(self, text: str, *, helps: bool) -> None:
        """Shows this text; `helps` is whether the action is what to do next."""
        self._label.setText(text)
        offered = helps and self._action is not None
        self.button.setVisible(offered)
        # Alone, the text has all of the place: it stands where the window's first look had it, to the pixel.
        for part, stretch in enumerate((offered, not offered, False, offered)):
            self._column.setStretch(part, int(stretch))

    def _on_rows_changed(self) -> None:
        self.setVisible(self._model.rowCount() == 0)

    def _fill(self) -> None:
        self.setGeometry(self._view.viewport().rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fill()
        return super().eventFilter(watched, event)


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

    def reveal(self, node: ToolNode) -> None:
        """Opens what the node stands in."""
        above = node.parent
        while above is not None and above.parent is not None:
            self._tree.expand(self._model.index_of(above))
            above = above.parent

    def _open_within(self, nodes: Iterable[ToolNode], few: bool) -> None:
        for node in nodes:
            if node.shown:
                if self._is_open(node, few):
                    self._open(node)
                self._open_within(node.shown, few)

    def _open(self, node: ToolNode) -> None:
        self._busy = True
        self._tree.expand(self._model.index_of(node))
        self._busy = False

    def _are_few(self) -> bool:
        return self._model.root.count <= MOST_OPENED

    def _is_open(self, node: ToolNode, few: bool) -> bool:
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


NO_TOOLS = (
    "No tools yet.\n\nAdd a source: a folder of Python functions, an MCP server, an API. "
    "Each function or operation becomes a tool that scripts can call."
)


class ToolPanel(QWidget):
    """Filter, tree and details.

    Signals: insert_requested(text): a call is wanted in the editor. file_requested(path, line): a file is to be
    shown. grant_changed(names): what is ticked changed; None: everything. source_requested(verb, source): a source is
    to be edited, reloaded, removed, or its log shown. definitions_requested(names): the definitions of these tools
    are wanted for elsewhere. call_requested(name): the tool or alias is to be called by hand.
    answer_requested(verb, name): its calls are to stop (`break`), or to be answered otherwise (`mock`).
    alias_requested(verb, names): an alias of the tool is to be made (`new`), or aliases are to be edited,
    duplicated, enabled, disabled or deleted.
    """

    insert_requested = Signal(str)
    file_requested = Signal(str, int)
    grant_changed = Signal(object)
    source_requested = Signal(str, object)
    definitions_requested = Signal(object)
    call_requested = Signal(str)
    answer_requested = Signal(str, str)
    alias_requested = Signal(str, object)

    def __init__(self, actions: Sequence[QAction] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("toolPanel")
        self.setAccessibleName("Tools")
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.model = ToolModel(self)
        self._build(actions)
        self._menu = ToolMenu(self, actions)
        self._selected: tuple[object, ...] = ()
        """Where the chosen line stands, or stood: a server that is back has it selected again."""
        self._wanted = ""
        """The name of what is to be selected as soon as it is there."""
        self._updating = False
        self._none = NO_TOOLS
        self.model.grant_changed.connect(self.grant_changed)
        self.model.tools_dropped.connect(self._on_tools_dropped, Qt.ConnectionType.QueuedConnection)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.set_tools(())

    def set_tools(
        self,
        tools: Sequence[ToolRow],
        aliases: Sequence[ToolRow] = (),
        errors: Sequence[ErrorRow] = (),
        sources: Sequence[SourceRow] = (),
    ) -> None:
        """Shows these; what is ticked, opened, selected and in sight stays so where it still is."""
        top = QPersistentModelIndex(self.tree.indexAt(QPoint(1, 1)))
        scrolled = self.tree.verticalScrollBar().value() > 0
        self._updating = True
        try:
            self.model.set_tools(tools, aliases, errors, sources)
        finally:
            self._updating = False
        count = len(tools)
        self.filter.setPlaceholderText(f"Filter {count:,} tools…" if count > 1 else FILTER_TOOLS)
        if not self.filter.text().strip():
            self._empty.say(self._none, helps=self._none == NO_TOOLS)
        self._keep_selection()
        self._select_wanted()
        if scrolled and top.isValid():
            self.tree.scrollTo(top, QAbstractItemView.ScrollHint.PositionAtTop)
        self._spinner.watch(any(source.waits for source in sources))

    def say_none(self, text: str = NO_TOOLS) -> None:
        """What stands there while there are no tools."""
        self._none = text

    def wait(self) -> None:
        """Says that the tools are being read; `set_tools` ends that."""
        self._empty.say(READING_TOOLS, helps=False)

    def set_language(self, language: str) -> None:
        """The language in which calls are inserted: that of the script."""
        self.model.language = self.details.language = language

    def set_calls(self, calls: "TargetCalls | None") -> None:
        """How calls are inserted where the script is going; None: as its language has them."""
        self.model.calls = self.details.calls = calls

    def set_grant(self, names: Iterable[str] | None) -> None:
        """Ticks exactly these tools; all without names."""
        self.model.set_grant(names)

    def selected(self) -> ToolRow | None:
        """The tool or alias that is selected."""
        index = self.tree.currentIndex()
        row = self.model.node(index).row if index.isValid() else None
        return row if isinstance(row, ToolRow) else None

    def selected_aliases(self) -> list[ToolRow]:
        """The aliases that are selected; none if something else is, too."""
        nodes = [self.model.node(index) for index in self.tree.selectionModel().selectedRows()]
        return aliases_among(nodes)

    def select(self, name: str) -> None:
        """Selects the tool or alias of that name, or nothing."""
        self._choose(seen_by_name(self.model.root, name))

    def select_later(self, name: str) -> None:
        """Selects the tool or alias of that name as soon as it is shown."""
        self._wanted = name
        self._select_wanted()

    def menu_for(self, index: QModelIndex) -> QMenu:
        """What can be done with the line."""
        return self._menu.made_for(self.model.node(index))

    def _build(self, actions: Sequence[QAction]) -> None:
        self._build_tree(actions)
        self.filter = QLineEdit(clearButtonEnabled=True)
        self.filter.setObjectName("toolFilter")
        self.filter.setAccessibleName("Filter tools")
        self.filter.textChanged.connect(self._on_filter_changed)
        self.details = ToolDetails()
        self.details.insert_requested.connect(self.insert_requested)
        self.details.file_requested.connect(self.file_requested)
        self.details.source_requested.connect(self.source_requested)
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
        column.addLayout(tool_header(actions, self._on_tools_dropped))
        column.addWidget(rule())
        field = QHBoxLayout()
        field.setContentsMargins(8, 8, 8, 4)
        field.addWidget(self.filter)
        column.addLayout(field)
        column.addWidget(parts, 1)

    def _build_tree(self, actions: Sequence[QAction]) -> None:
        tree = self.tree = QTreeView(headerHidden=True, uniformRowHeights=True, expandsOnDoubleClick=False)
        tree.setObjectName("toolTree")
        tree.setAccessibleName("Tools that the script may call")
        tree.setModel(self.model)
        delegate = ToolDelegate(tree)
        tree.setItemDelegate(delegate)
        tree.setDragEnabled(True)
        tree.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        tree.setDefaultDropAction(Qt.DropAction.CopyAction)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        for keys, verb in (("F2", "edit"), ("Del", "delete")):
            shortcut = QShortcut(QKeySequence(keys), tree, partial(self._on_alias_key, verb))
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._on_menu_requested)
        tree.doubleClicked.connect(self._on_double_clicked)
        tree.selectionModel().currentChanged.connect(self._on_current_changed)
        self._unfolding = Unfolding(tree, self.model)
        self._spinner = ToolSpinner(tree, self.model, delegate)
        self._empty = EmptyTools(tree, self.model, NO_TOOLS, actions[0] if actions else None)

    def _select_wanted(self) -> None:
        node = seen_by_name(self.model.root, self._wanted) if self._wanted else None
        if node is not None:
            self._wanted = ""
            self._choose(node)

    def _choose(self, node: ToolNode | None) -> None:
        self._selected = node.path if node else ()
        if node is None:
            self.tree.selectionModel().clear()
        else:
            self._unfolding.reveal(node)
            self.tree.setCurrentIndex(self.model.index_of(node))
        self._show_details(node)

    def _show_details(self, node: ToolNode | None) -> None:
        hidden = self.details.isHidden()
        self.details.show_row(node.row if node else None, node.count if node else 0)
        if hidden and not self.details.isHidden():
            # They take the place of lines, perhaps of the very one that was chosen.
            QTimer.singleShot(0, self, lambda: self.tree.scrollTo(self.tree.currentIndex()))

    def _keep_selection(self) -> None:
        """Qt selects a neighbour of what went: nobody asked for that one."""
        index = self.tree.currentIndex()
        current = self.model.node(index) if index.isValid() else None
        if current is not None and current.path == self._selected:
            self._show_details(current)
            return
        node = seen_by_path(self.model.root, self._selected)
        if node is not None:
            self.tree.selectionModel().setCurrentIndex(
                self.model.index_of(node), self.tree.selectionModel().SelectionFlag.ClearAndSelect
            )
        elif current is not None:
            self.tree.selectionModel().clear()
        self._show_details(node)

    def _on_filter_changed(self, wanted: str) -> None:
        text = f"No tool has “{wanted}” in its name or description." if wanted.strip() else self._none
        self._empty.say(text, helps=text == NO_TOOLS)
        self._updating = True
        self.model.set_filter(wanted)
        self._updating = False
        self._unfolding.seek(bool(wanted.strip()))
        self._keep_selection()

    def _on_current_changed(self, index: QModelIndex) -> None:
        if self._updating:
            return
        node = self.model.node(index) if index.isValid() else None
        if node is not None:
            self._selected = node.path
            self._wanted = ""
        self._show_details(node)

    def _on_alias_key(self, verb: str) -> None:
        names = [row.name for row in self.selected_aliases()]
        if names:
            self.alias_requested.emit(verb, names)

    def _on_tools_dropped(self, names: list[str]) -> None:
        self.alias_requested.emit("new", names[:1])

    def _on_double_clicked(self, index: QModelIndex) -> None:
        row = self.model.node(index).row
        if isinstance(row, ToolRow) and not row.is_callable:
            self.alias_requested.emit("edit", [row.name])
        elif isinstance(row, ToolRow):
            self.insert_requested.emit(row.call_in(self.model.language, self.model.calls))
        elif isinstance(row, ErrorRow):
            self.file_requested.emit(row.file, row.line or 1)
        else:
            self.tree.setExpanded(index, not self.tree.isExpanded(index))

    def _on_menu_requested(self, location: QPoint) -> None:
        menu = self.menu_for(self.tree.indexAt(location))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if menu.actions():
            menu.popup(self.tree.viewport().mapToGlobal(location))

    def _on_theme_changed(self) -> None:
        self.tree.setIndentation(theme().pixels(ROW * 0.6))
        self.tree.viewport().update()
