"""Keeps the list of files up with the folder, and does what is asked of them."""

import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFile, QObject, QTimer, QUrl

from ptc_studio.core.errors import PtcError
from ptc_studio.storage.text_files import stamp_of
from ptc_studio.storage.workspace_folder import files_of
from ptc_studio.ui.language.names import EXTENSIONS
from ptc_studio.ui.widgets.outside import open_outside

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.files.panel import FilesPanel

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
                self._panel.set_files(files)
        finally:
            self._looking = False

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
