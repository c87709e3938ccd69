"""Writes the grant sets of a window's workspace into its file, and has the window follow."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ptc_studio.ui.grants.drafts import Change
from ptc_studio.ui.sources.background import in_thread
from ptc_studio.ui.sources.workspace_keeping import WorkspaceKeeper

if TYPE_CHECKING:
    from ptc_studio.storage.workspace_editor import Undo, WorkspaceEditor


class GrantKeeper(WorkspaceKeeper):
    """Several changes are one: all of them are written, or none."""

    async def write(self, changes: Sequence[Change]) -> "list[Undo]":
        """All of them or, where one cannot be, none; raises WorkspaceError."""
        editor = await self._opened()
        done = await in_thread(self._studio, lambda: _written(editor, changes))
        await self.follow()
        return done

    async def undo(self, done: "Sequence[Undo]") -> None:
        """Raises WorkspaceError."""
        await in_thread(self._studio, lambda: _taken_back(done))
        await self.follow()


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
