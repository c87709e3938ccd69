"""Writes into the file of a window's workspace, and has the window follow."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ptc_studio.ui.sources.background import in_thread

if TYPE_CHECKING:
    from ptc_studio.storage.workspace_editor import WorkspaceEditor
    from ptc_studio.ui.window import MainWindow


class WorkspaceKeeper:
    """The file as it was when this was begun: what somebody else changes meanwhile is noticed."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self._studio = window.workbench.studio
        self._editor: WorkspaceEditor | None = None

    async def begin(self) -> None:
        """Reads the file; raises WorkspaceError."""
        from ptc_studio.storage.workspace_editor import WorkspaceEditor

        self._editor = await in_thread(self._studio, lambda: WorkspaceEditor(self._studio.folder))

    async def follow(self) -> None:
        """Has the studio and the window take over what the file says now."""
        await self._studio.reread()
        self._window.workbench.load()

    async def _opened(self) -> "WorkspaceEditor":
        if self._editor is None:
            await self.begin()
        assert self._editor is not None
        return self._editor


async def make_workspace(window: "MainWindow", folder: Path, fill: "Callable[[WorkspaceEditor], None]") -> None:
    """Has the file of that folder made and filled, and opens it as a workspace; raises WorkspaceError."""
    from ptc_studio.storage.workspace_editor import WorkspaceEditor
    from ptc_studio.ui.choosing import Choosing

    await in_thread(window.workbench.studio, lambda: fill(WorkspaceEditor(folder)))
    Choosing(window).open_workspace(folder)
    window.tell(f"Saved to {folder / 'studio.yaml'}: the workspace opens in a window of its own.")
