"""The files of the workspace by what they are for: scripts, tools, mocks, recordings; kept up with the folder."""

import shutil
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QFile,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSortFilterProxyModel,
    Qt,
    QTimer,
    QUrl,
    Signal,
)
from PySide6.QtGui import QAction, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from ptc_studio.core.errors import PtcError
from ptc_studio.storage.text_files import stamp_of
from ptc_studio.storage.workspace_folder import SCRIPTS_FOLDER, FoundFile, Group, files_of
from ptc_studio.ui.dialogs.questions import open_outside
from ptc_studio.ui.language.names import EXTENSIONS
from ptc_studio.ui.theme import icon, theme
from ptc_studio.ui.tools.header import tool_header
from ptc_studio.ui.widgets.item_views import FlatTree
from ptc_studio.ui.widgets.labels import FILTER_FILES, EmptyOverlay, plain_tip
from ptc_studio.ui.widgets.layout import rule

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage


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

    def commitData(self, editor: QWidget) -> None:
        # A field that is done loses the keyboard as well, when its row may be another's by then.
        if self.state() == self.State.EditingState:
            super().commitData(editor)

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

    def set_files(self, files: Sequence[FoundFile]) -> bool:
        """Shows these; what is selected or closed stays so. True if they are others than before."""
        if list(files) == self._files or self.tree.state() == FileTree.State.EditingState:
            return False
        self._files = list(files)
        selected = self.tree.selected()
        self.model.set_files(files)
        self._unfold()
        if selected is not None:
            self.select(selected.path)
        self._empty.setText(NONE_MATCHES if self._files else NO_FILES)
        return True

    def select(self, path: Path | None) -> bool:
        """Marks the file, or none; whether it is listed. To mark one opens its group: one that is closed stays so."""
        for group in range(self._shown.rowCount()):
            head = self._shown.index(group, 0)
            if head.data() in self._collapsed:
                continue
            for row in range(self._shown.rowCount(head)):
                index = self._shown.index(row, 0, head)
                if index.data(FILE_ROLE).path == path:
                    self.tree.setCurrentIndex(index)
                    self.tree.scrollTo(index)
                    return True
        self.tree.setCurrentIndex(QModelIndex())
        return any(each.path == path for each in self._files)

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


LOOK_MS = 2000
"""While the list can be seen it is compared with the folder so often."""


class FileActionFailed(PtcError):
    """A file cannot be renamed or moved; the message says which and why."""


class FilesPresenter(QObject):
    """The list of one window."""

    def __init__(self, context: "Context", panel: "FilesPanel", replay: Callable[[Path], object]) -> None:
        super().__init__(context.window)
        self._context, self._panel = context, panel
        self._looking = self._wanted = False
        panel.opened.connect(context.editors.open_file)
        panel.replay_requested.connect(replay)
        panel.reveal_requested.connect(lambda path: open_outside(QUrl.fromLocalFile(str(path.parent))))
        panel.rename_requested.connect(lambda path, name: context.start_reported(self._rename(path, name)))
        panel.delete_requested.connect(lambda path: context.start_reported(self._move_to_trash(path)))
        bench = context.workbench
        bench.attached.connect(self.refresh)
        bench.tools_loaded.connect(self.refresh)
        context.editors.modified_changed.connect(lambda _page: self.refresh())
        context.editors.current_changed.connect(lambda _page: self._on_page_changed())
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._on_time)
        bench.closed.connect(self._timer.stop)
        self._timer.start()
        self.refresh()

    def refresh(self) -> None:
        """Has the folder looked at, if one is open; once more, if a look is under way: it may be past what changed."""
        bench = self._context.workbench
        if bench.is_open and bench.studio.has_workspace:
            self._wanted = True
            if not self._looking:
                bench.start_passing(self._look())

    def _on_time(self) -> None:
        if self._panel.isVisible() and self._context.window.isActiveWindow():
            self.refresh()

    async def _look(self) -> None:
        studio = self._context.workbench.studio
        self._looking = True
        try:
            while self._wanted:
                self._wanted = False
                files = await studio.in_thread(lambda: files_of(studio.folder, studio.file, tuple(EXTENSIONS)))
                if self._panel.set_files(files):
                    self._mark_current()
        finally:
            self._looking = False

    def _on_page_changed(self) -> None:
        """A file that is not listed may be new."""
        if not self._mark_current():
            self.refresh()

    def _mark_current(self) -> bool:
        """Marks the file that is in front, or none if that is not listed; nothing while somebody is at the list."""
        page = self._context.editors.current()
        if page is None or self._panel.tree.hasFocus():
            return True
        return self._panel.select(page.path)

    async def _rename(self, path: Path, name: str) -> None:
        if "/" in name or name in (".", ".."):
            raise FileActionFailed(f"{name!r} is not a file name: leave out the folder.")
        target = path.with_name(name)
        if stamp_of(target) is not None:
            raise FileActionFailed(f"There is a file {name} already: choose another name.")
        await self._moved(path, target)
        self._context.messages.offer(
            f"{path.name} is {name} now.", "Undo", lambda: self._context.start_reported(self._moved(target, path))
        )

    async def _moved(self, path: Path, target: Path) -> None:
        """Gives the file another place, and the page that shows it."""
        try:
            await self._context.workbench.studio.in_thread(lambda: path.rename(target))
        except OSError as error:
            raise FileActionFailed(f"{path.name} stays as it is: {error.strerror or error}.") from None
        page = self._page_of(path)
        if page is not None:
            page.follow_file(target)
        self._on_moved()

    async def _move_to_trash(self, path: Path) -> None:
        """With a way back; the page that shows it stays open, with what is in it."""
        own = self._context.settings.folder / "trash"
        try:
            place = await self._context.workbench.studio.in_thread(lambda: move_to_trash(path, own))
        except OSError as error:
            raise FileActionFailed(f"{path.name} stays where it is: {error.strerror or error}.") from None
        self._on_moved()

        async def put_back() -> None:
            if stamp_of(path) is not None:
                raise FileActionFailed(f"There is another {path.name} by now: the former one is {place}.")
            await self._moved(place, path)
            # What the desktop's trash knows of it.
            (place.parent.parent / "info" / f"{place.name}.trashinfo").unlink(missing_ok=True)

        where = f" ({place})" if place.is_relative_to(own) else ""
        self._context.messages.offer(
            f"{path.name} is in the trash{where}.", "Undo", lambda: self._context.start_reported(put_back())
        )

    def _on_moved(self) -> None:
        """It may have been a tool."""
        self._context.workbench.load()
        self.refresh()

    def _page_of(self, path: Path) -> "EditorPage | None":
        return next((page for page in self._context.editors.pages if page.path == path), None)


def move_to_trash(path: Path, own: Path) -> Path:
    """Moves the file to the desktop's trash, or into the folder `own` where there is none; gives where it is now."""
    file = QFile(str(path))
    if file.moveToTrash():
        return Path(file.fileName())
    own.mkdir(parents=True, exist_ok=True)
    numbered = (own / f"{path.stem}{f'-{number}' if number else ''}{path.suffix}" for number in count())
    place = next(each for each in numbered if not each.exists())
    shutil.move(path, place)
    return place
