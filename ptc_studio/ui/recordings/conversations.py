"""Imports conversations into the window, from the menu or dropped on it, and replays what came of them."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from ptc_studio.ui.dialogs.questions import choose_conversation

if TYPE_CHECKING:
    from ptc_studio.transcripts.importing import Import
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.recordings.actions import Cassettes
    from ptc_studio.ui.targets.choice import TargetChoice

FOLDER = "conversations"
ENDINGS = (".json", ".jsonl", ".ndjson", ".txt", ".sse", ".log")
MOST_FOLDERS = 1_000


class Conversations(QObject):
    """Whatever is dropped on the window: conversations are imported, other files are opened."""

    def __init__(self, context: "Context", targets: "TargetChoice", cassettes: "Cassettes") -> None:
        super().__init__(context.window)
        self._context, self._targets, self._cassettes = context, targets, cassettes
        targets.recorded_tools = cassettes.recorded_tools
        context.commands["importConversationAction"].triggered.connect(lambda: self.choose())
        context.window.setAcceptDrops(True)
        for where in (context.window, context.editors):
            where.installEventFilter(self)

    def choose(self) -> None:
        """Has the user choose a conversation."""
        if self._context.is_ready():
            choose_conversation(self._context.window, self.import_file)

    def import_file(self, file: Path) -> None:
        """Makes scripts and cassettes of the conversation, opens them, and replays the first."""
        if self._context.is_ready():
            self._context.workbench.start(self._import_or_tell(file))

    async def _import_or_tell(self, file: Path) -> None:
        from ptc_studio.core.errors import PtcError

        try:
            await self._import(file)
        except PtcError as error:
            self._context.messages.offer(str(error), "Open as text", lambda: self._context.editors.open_file(file))

    async def _import(self, file: Path) -> None:
        studio = self._context.workbench.studio
        base, redactor = self._cassettes.folder, studio.executor.redactor

        def imported() -> "Import":
            from ptc_studio.transcripts.importing import import_conversation, read_conversation

            return import_conversation(read_conversation(file), _new_folder(base / FOLDER, file.stem), redactor)

        done = await studio.in_thread(imported)
        for program in reversed(done.programs):
            self._context.editors.open_file(program.script)
        first = done.programs[0]
        self._targets.choose(first.target)
        self._cassettes.choose(first.cassette, told=_told(done))

    def _on_dropped(self, files: list[Path]) -> None:
        for file in files:
            if file.suffix.lower() in ENDINGS:
                self.import_file(file)
            else:
                self._context.editors.open_file(file)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent | QDropEvent) and event.type() in (
            QEvent.Type.DragEnter,
            QEvent.Type.Drop,
        ):
            files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
            if files:
                event.setDropAction(Qt.DropAction.CopyAction)
                event.accept()
                if event.type() == QEvent.Type.Drop:
                    self._on_dropped(files)
                return True
        return super().eventFilter(watched, event)


def _told(done: "Import") -> str:
    several = len(done.programs)
    programs = f"{several} programs" if several > 1 else "one program"
    folder = done.programs[0].script.parent
    told = f"Imported {programs} into {folder.parent.name}/{folder.name}."
    return " ".join((told, *done.warnings))


def _new_folder(base: Path, name: str) -> Path:
    """A folder that is not there yet: nothing is ever written over."""
    for number in range(1, MOST_FOLDERS):
        folder = base / (name if number == 1 else f"{name}-{number}")
        if not folder.exists():
            return folder
    return base / name
