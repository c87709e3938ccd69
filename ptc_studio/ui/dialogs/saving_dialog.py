"""The base of the dialogs that fill in one entry of studio.yaml: saving it, also where there is no workspace yet."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from PySide6.QtWidgets import QPushButton
from shiboken6 import isValid

from ptc_studio.core.errors import PtcError
from ptc_studio.storage.workspace import FILE_NAME
from ptc_studio.ui.dialogs.framed_dialog import FramedDialog, will_be_saved_to
from ptc_studio.ui.dialogs.questions import choose_new_workspace
from ptc_studio.ui.sources.entry_schema import NoWords

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.workspace_edits import WorkspaceEdits


NO_WORKSPACE = "No folder is open: you will be asked for one to save it in."
RECALLED = "This is what you had typed before; it is not saved yet."


class SavingDialog(FramedDialog):
    """Who derives from it makes the `save_button`, and says what is written and what is told of it."""

    no_workspace = ""
    """What is said where saving asks for a folder."""
    save_button: QPushButton

    def __init__(self, context: "Context", title: str, width: int, height: int) -> None:
        super().__init__(context.window, title, width, height)
        self._context = context
        self._busy = False
        self.has_read = False
        """Whether the file was read that is to be changed: what somebody else changes from then on is noticed."""

    def values(self) -> dict[str, Any]:
        """The entry as the file will have it; raises NoWords."""
        raise NotImplementedError

    def save_in(self, folder: Path) -> None:
        """Makes the folder a workspace that has this entry."""
        self.start(self._context.workbench, self._save(folder))

    async def _write(self, values: dict[str, Any], folder: Path | None) -> Any:
        """Writes the entry, into the file of another folder if one is given; raises WorkspaceError."""
        raise NotImplementedError

    def _show_saved(self, values: dict[str, Any], done: Any) -> None:
        """Says what was written; `done` is what `_write` gave."""
        raise NotImplementedError

    def _save_or_ask(self) -> None:
        """Writes the entry, asking where if there is no workspace yet."""
        if self._context.workbench.studio.has_workspace:
            self.start(self._context.workbench, self._save())
        else:
            choose_new_workspace(self, self.save_in)

    async def _save(self, folder: Path | None = None) -> None:
        self._set_busy(True)
        try:
            values = self.values()
            done = await self._write(values, folder)
        except (PtcError, NoWords) as error:
            if isValid(self):
                self._set_busy(False)
                self.say_failed(str(error))
            return
        # Whoever closed it meanwhile has what was saved all the same.
        if isValid(self):
            self._show_saved(values, done)
            self.accept()

    def _set_busy(self, busy: bool) -> None:
        self._busy = busy
        self.save_button.setEnabled(not busy)
        if busy:
            self.say("◐ Saving…")

    async def _read_file(self, edits: "WorkspaceEdits") -> None:
        """Has the file read that is to be changed."""
        if not self._context.workbench.studio.has_workspace:
            return
        try:
            await edits.start()
            self.has_read = True
        except PtcError as error:
            self.say_failed(str(error))

    def _say_where(self, *, recalled: bool) -> None:
        """Says where it goes, or what is in the way; `recalled`: a draft is shown."""
        studio = self._context.workbench.studio
        if studio.fault:
            self.say_failed(studio.fault)
        elif recalled:
            self.say(RECALLED)
        else:
            self.say(will_be_saved_to(studio.folder / FILE_NAME) if studio.has_workspace else self.no_workspace)


Key = tuple[str, ...]
"""What was being filled in: that it is an alias or a source, and which."""


@dataclass(frozen=True, slots=True)
class DialogDraft:
    """One entry that was begun."""

    began: dict[str, Any]
    """As it was before anybody typed."""
    values: dict[str, Any]


_drafts: "WeakKeyDictionary[Context, dict[Key, DialogDraft]]" = WeakKeyDictionary()


def save_draft(context: "Context", key: Key, draft: DialogDraft) -> None:
    _drafts.setdefault(context, {})[key] = draft


def take_draft(context: "Context", key: Key, began: dict[str, Any]) -> dict[str, Any] | None:
    """What was typed there before, if it began with the same; it is taken out."""
    draft = _drafts.get(context, {}).pop(key, None)
    return draft.values if draft is not None and draft.began == began else None
