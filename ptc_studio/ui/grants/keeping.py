"""Writes the grant sets of a window's workspace into its file, and has the window follow."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ptc_studio.ui.grants.drafts import Change
from ptc_studio.ui.sources.workspace_keeping import WorkspaceKeeper, all_or_none, take_back

if TYPE_CHECKING:
    from ptc_studio.storage.workspace_editor import Undo


class GrantKeeper(WorkspaceKeeper):
    """Several changes are one: all of them are written, or none."""

    async def write(self, changes: Sequence[Change]) -> "list[Undo]":
        """All of them or, where one cannot be, none; raises WorkspaceError."""
        editor = await self._opened()
        return await self._rewrite(lambda: all_or_none(partial(change.apply, editor) for change in changes))

    async def undo(self, done: "Sequence[Undo]") -> None:
        """Raises WorkspaceError."""
        await self._rewrite(lambda: take_back(done))
