"""Writes the grant sets of a window's workspace into its file, and has the window follow."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ptc_studio.ui.grants.drafts import Change
from ptc_studio.ui.sources.background import in_thread

if TYPE_CHECKING:
    from ptc_studio.storage.workspace_editor import Undo, WorkspaceEditor
    from ptc_studio.ui.window import MainWindow


class GrantKeeper:
    """The file as it was when this was begun: what somebody else changes in the same place is noticed."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self._studio = window.workbench.studio
        self._editor: WorkspaceEditor | None = None

    async def begin(self) -> None:
        """Reads the file; raises WorkspaceError."""
        from ptc_studio.storage.workspace_editor import WorkspaceEditor

        self._editor = await in_thread(self._studio, lambda: WorkspaceEditor(self._studio.folder))

    async def write(self, changes: Sequence[Change]) -> "list[Undo]":
        """All of them or, where one cannot be, none; raises WorkspaceError."""
        if self._editor is None:
            await self.begin()
        editor = self._editor
        assert editor is not None
        done = await in_thread(self._studio, lambda: _written(editor, changes))
        await self._follow()
        return done

    async def undo(self, done: "Sequence[Undo]") -> None:
        """Raises WorkspaceError."""
        await in_thread(self._studio, lambda: _taken_back(done))
        await self._follow()

    async def _follow(self) -> None:
        await self._studio.reread()
        self._window.workbench.load()


def _written(editor: "WorkspaceEditor", changes: Sequence[Change]) -> "list[Undo]":
    done: list[Undo] = []
    try:
        for change in changes:
            done.append(change.apply(editor))  # noqa: PERF401 - those before one that fails are wanted
    except BaseException:
        _taken_back(done)
        raise
    return done


def _taken_back(done: "Sequence[Undo]") -> None:
    for each in reversed(done):
        each.undo()
