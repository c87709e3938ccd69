"""The files of the workspace by what they are for: scripts, tools, mocks, recordings."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from ptc_studio.storage.workspace_folder import SCRIPTS_FOLDER, FoundFile, Group
from ptc_studio.ui.theme import icon, theme
from ptc_studio.ui.tools.header import tool_header
from ptc_studio.ui.widgets.item_views import FlatTree
from ptc_studio.ui.widgets.labels import FILTER_FILES, EmptyOverlay, plain_tip
from ptc_studio.ui.widgets.layout import rule

GROUPS: dict[Group, tuple[str, str, str]] = {
    "scripts": ("Scripts", "run", f"{SCRIPTS_FOLDER}/"),
    "tools": ("Tools", "tool", "tools/"),
    "mocks": ("Mocks", "alias", ""),
    "cassettes": ("Recordings", "history", "cassettes/"),
    "settings": ("Workspace", "gear", ""),
}
"""The title, the icon and the usual folder of each, which need not be said."""
NO_FILES = "No scripts yet.\n\nA script that you save here is listed, and so are tools, mocks and recordings."
NONE_MATCHES = "No file has these letters."
FILE_ROLE = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex


class FileModel(QStandardItemModel):
    """The groups and their files.

    Signals: rename_requested(path, name): the user gave a file another name; whoever owns the list renames it.
    """

    rename_requested = Signal(Path, str)

    def set_files(self, files: Sequence[FoundFile]) -> None:
        """Shows these instead of what was shown."""
        self.clear()
        for group, (title, mark, folder) in GROUPS.items():
            members = [found for found in files if found.group == group]
            if members:
                head = QStandardItem(title)
                head.setFlags(Qt.ItemFlag.ItemIsEnabled)
                head.appendRows([_item(found, found.name.removeprefix(folder), mark) for found in members])
                self.appendRow(head)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole:
            return super().setData(index, value, role)
        found, name = index.data(FILE_ROLE), str(value).strip()
        if isinstance(found, FoundFile) and name and name != found.path.name:
            self.rename_requested.emit(found.path, name)
        return False

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        found = super().data(index, FILE_ROLE)
        if role == Qt.ItemDataRole.ForegroundRole and found is None:
            return theme().colour("muted")
        if role == Qt.ItemDataRole.EditRole and isinstance(found, FoundFile):
            return found.path.name
        return super().data(index, role)


def _item(found: FoundFile, name: str, mark: str) -> QStandardItem:
    item = QStandardItem(icon(mark, "muted"), name)
    item.setData(found, FILE_ROLE)
    item.setToolTip(plain_tip(str(found.path)))
    item.setAccessibleText(f"{name}, {GROUPS[found.group][0]}")
    flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
    # These are found by their names.
    item.setFlags(flags if found.group in ("mocks", "settings") else flags | Qt.ItemFlag.ItemIsEditable)
    return item


class FileTree(FlatTree):
    """Signals: delete_requested(path), opened(path)."""

    delete_requested = Signal(Path)
    opened = Signal(Path)

    def selected(self) -> FoundFile | None:
        found = self.currentIndex().data(FILE_ROLE)
        return found if isinstance(found, FoundFile) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        found = self.selected()
        if found is not None and event.key() == Qt.Key.Key_Delete:
            self.delete_requested.emit(found.path)
        elif found is not None and event.key() == Qt.Key.Key_F2:
            self.edit(self.currentIndex())
        elif found is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(found.path)
        else:
            super().keyPressEvent(event)


class FilesPanel(QWidget):
    """Filter and tree.

    Signals: opened(path); rename_requested(path, name); delete_requested(path); reveal_requested(path): its folder is
    to be shown by the desktop; replay_requested(path): a recording is to answer the calls.
    """

    opened = Signal(Path)
    rename_requested = Signal(Path, str)
    delete_requested = Signal(Path)
    reveal_requested = Signal(Path)
    replay_requested = Signal(Path)

    def __init__(self, new_script: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("filesView")
        self.setAccessibleName("Files of the workspace")
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._new_script = new_script
        self._files: list[FoundFile] = []
        self._collapsed: set[str] = set()
        self.model = FileModel(self)
        self._shown = QSortFilterProxyModel(self, recursiveFilteringEnabled=True)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._shown.setSourceModel(self.model)
        self._build(new_script)
        self._connect()

    @property
    def files(self) -> list[FoundFile]:
        """All of them, also those that the filter hides."""
        return list(self._files)

    def set_files(self, files: Sequence[FoundFile]) -> None:
        """Shows these; what is selected or closed stays so."""
        if list(files) == self._files or self.tree.state() == FileTree.State.EditingState:
            return
        self._files = list(files)
        selected = self.tree.selected()
        self.model.set_files(files)
        self._unfold()
        if selected is not None:
            self.select(selected.path)
        self._empty.setText(NONE_MATCHES if self._files else NO_FILES)

    def select(self, path: Path) -> None:
        """Marks the file, if it is shown."""
        for group in range(self._shown.rowCount()):
            head = self._shown.index(group, 0)
            for row in range(self._shown.rowCount(head)):
                index = self._shown.index(row, 0, head)
                if index.data(FILE_ROLE).path == path:
                    self.tree.setCurrentIndex(index)
                    self.tree.scrollTo(index)

    def names(self) -> dict[str, list[str]]:
        """What is shown, by group."""
        heads = [self._shown.index(row, 0) for row in range(self._shown.rowCount())]
        return {
            head.data(): [self._shown.index(row, 0, head).data() for row in range(self._shown.rowCount(head))]
            for head in heads
        }

    def menu_for(self, found: FoundFile | None) -> QMenu:
        """What can be done with the file, or without one."""
        menu = QMenu(self)
        if found is not None:
            path = found.path
            menu.addAction("Open", lambda: self.opened.emit(path))
            if found.group == "cassettes":
                menu.addAction("Replay", lambda: self.replay_requested.emit(path))
            menu.addSeparator()
            rename = menu.addAction("Rename", self._rename)
            rename.setEnabled(found.group not in ("mocks", "settings"))
            menu.addAction("Move to trash", lambda: self.delete_requested.emit(path))
            menu.addAction("Show in file manager", lambda: self.reveal_requested.emit(path))
            menu.addSeparator()
        menu.addAction(self._new_script)
        return menu

    def _build(self, new_script: QAction) -> None:
        self.filter = QLineEdit(placeholderText=FILTER_FILES, clearButtonEnabled=True)
        self.filter.setObjectName("fileFilter")
        self.filter.setAccessibleName("Filter files")
        field = QHBoxLayout()
        field.setContentsMargins(8, 8, 8, 4)
        field.addWidget(self.filter)
        self.tree = FileTree()
        self.tree.setObjectName("fileTree")
        self.tree.setAccessibleName("Files")
        self.tree.setHeaderHidden(True)
        self.tree.setModel(self._shown)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._empty = EmptyOverlay(self.tree, NO_FILES)
        self._empty.watch(self._shown)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(tool_header([new_script], title="Files"))
        column.addWidget(rule())
        column.addLayout(field)
        column.addWidget(self.tree, 1)
        self.setFocusProxy(self.tree)

    def _connect(self) -> None:
        self.filter.textChanged.connect(self._on_filter_changed)
        self.model.rename_requested.connect(self.rename_requested)
        self.tree.opened.connect(self.opened)
        self.tree.delete_requested.connect(self.delete_requested)
        self.tree.doubleClicked.connect(self._on_double_clicked)
        self.tree.customContextMenuRequested.connect(self._on_menu_wanted)
        self.tree.collapsed.connect(lambda index: self._collapsed.add(index.data()))
        self.tree.expanded.connect(lambda index: self._collapsed.discard(index.data()))
        theme().changed.connect(self._on_theme_changed)

    def _unfold(self) -> None:
        for row in range(self._shown.rowCount()):
            head = self._shown.index(row, 0)
            self.tree.setExpanded(head, head.data() not in self._collapsed or bool(self.filter.text()))

    def _rename(self) -> None:
        self.tree.edit(self.tree.currentIndex())

    def _on_filter_changed(self, text: str) -> None:
        kept = set(self._collapsed)
        self._shown.setFilterFixedString(text)
        self._unfold()
        self._collapsed = kept

    def _on_double_clicked(self, index: QModelIndex) -> None:
        found = index.data(FILE_ROLE)
        if isinstance(found, FoundFile):
            self.opened.emit(found.path)

    def _on_menu_wanted(self, location: QPoint) -> None:
        index = self.tree.indexAt(location)
        if index.isValid():
            self.tree.setCurrentIndex(index)
        menu = self.menu_for(self.tree.selected() if index.isValid() else None)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # `popup`, not `exec`: a loop within the loop breaks a running task.
        menu.popup(self.tree.viewport().mapToGlobal(location))

    def _on_theme_changed(self) -> None:
        """The icons hold their colour."""
        files, self._files = self._files, []
        self.set_files(files)
