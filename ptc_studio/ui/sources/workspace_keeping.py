"""Writes into the file of a window's workspace, and has the window follow."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ptc_studio.ui.sources.background import in_thread

if TYPE_CHECKING:
    from ptc_studio.storage.workspace_editor import Undo, WorkspaceEditor
    from ptc_studio.ui.window import MainWindow

T = TypeVar("T")


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

    async def _rewrite(self, write: Callable[[], T], written: Callable[[], object] = lambda: None) -> T:
        """Has the file written, and the studio and the window take over what it says; `written` is called before."""
        done = await self._studio.rewrite(write, written)
        self._window.workbench.load()
        return done

    async def _opened(self) -> "WorkspaceEditor":
        if self._editor is None:
            await self.begin()
        assert self._editor is not None
        return self._editor


def all_or_none(steps: "Iterable[Callable[[], Undo]]") -> "list[Undo]":
    """Does one after the other; if one fails, those before it are taken back."""
    done: list[Undo] = []
    try:
        for step in steps:
            done.append(step())  # noqa: PERF401 - those before one that fails are wanted
    except BaseException:
        take_back(done)
        raise
    return done


def take_back(done: "Sequence[Undo]") -> None:
    """The last one first."""
    for each in reversed(done):
        each.undo()


async def make_workspace(window: "MainWindow", folder: Path, fill: "Callable[[WorkspaceEditor], None]") -> None:
    """Has the file of that folder made and filled, and opens it as a workspace; raises WorkspaceError."""
    from ptc_studio.storage.workspace_editor import WorkspaceEditor
    from ptc_studio.ui.choosing import Choosing

    await in_thread(window.workbench.studio, lambda: fill(WorkspaceEditor(folder)))
    Choosing(window).open_workspace(folder)
    window.tell(f"Saved to {folder / 'studio.yaml'}: the workspace opens in a window of its own.")
