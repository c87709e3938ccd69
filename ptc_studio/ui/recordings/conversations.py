"""Imports conversations into the window, from the menu or dropped on it, and replays what came of them."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ptc_studio.ui.dialogs.questions import choose_conversation
from ptc_studio.ui.sources.actions import open_import

if TYPE_CHECKING:
    from ptc_studio.transcripts.importing import Import
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.recordings.actions import Cassettes
    from ptc_studio.ui.targets.choice import TargetChoice

FOLDER = "conversations"
ENDINGS = (".json", ".jsonl", ".ndjson", ".txt", ".sse", ".log")
MOST_FOLDERS = 1_000


class Conversations(QObject):
    """Whatever is dropped on the window: conversations and files with servers are imported, folders and bundles have a
    window of their own, others are opened."""

    def __init__(self, context: "Context", targets: "TargetChoice", cassettes: "Cassettes") -> None:
        super().__init__(context.window)
        self._context, self._cassettes = context, cassettes
        targets.recorded_tools = cassettes.recorded_tools
        cassettes.target_told.connect(targets.choose_recorded)
        context.commands["importConversationAction"].triggered.connect(lambda: self.choose())
        context.editors.open_dropped = self._on_dropped

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
            if await self._has_tools(file):
                open_import(self._context, file)
                return
            self._context.messages.offer(str(error), "Open as text", lambda: self._context.editors.open_file(file))

    async def _has_tools(self, file: Path) -> bool:
        """Whether it is a file of another program that names servers."""
        from ptc_studio.core.errors import PtcError
        from ptc_studio.storage.text_files import read_text
        from ptc_studio.ui.sources.import_dialog import read_tools

        try:
            found = await self._context.workbench.studio.in_thread(lambda: read_tools(read_text(file).text))
        except PtcError:
            return False
        return bool(found.entries)

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
        self._cassettes.choose(first.cassette, told=_told(done))

    def _on_dropped(self, file: Path) -> None:
        # Known to whoever opens windows; not needed before.
        from ptc_studio.ui.command_handlers import has_own_window, open_workspace

        if has_own_window(file):
            open_workspace(file)
        elif file.suffix.lower() in ENDINGS:
            self.import_file(file)
        else:
            self._context.editors.open_file(file)


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
