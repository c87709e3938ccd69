"""Writes the mocks of a window's workspace into their file, and has the studio follow."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ptc_studio.storage.workspace import WorkspaceError
from ptc_studio.ui.sources.background import in_thread

if TYPE_CHECKING:
    from ptc_studio.app import Studio
    from ptc_studio.storage.kept_mocks import MockEditor
    from ptc_studio.storage.mocks import MockEntry
    from ptc_studio.ui.window import MainWindow

Back = Callable[[], object]
"""Takes a change back; may take its time."""
CHANGED = "mocks.yaml was changed outside meanwhile: nothing was written; look at the list again."


class MockKeeper:
    """Every change is one step back; all raise WorkspaceError, with nothing written. Without a workspace mocks last as
    long as the window."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window

    @property
    def _studio(self) -> "Studio":
        return self._window.workbench.studio

    @property
    def entries(self) -> "tuple[MockEntry, ...]":
        return self._studio.kept_mocks.entries if self._window.workbench.is_open else ()

    async def add(self, values: Mapping[str, Any]) -> Back:
        return await self._do(lambda editor: editor.add(values).undo, lambda entries: [*entries, values])

    async def replace(self, index: int, values: Mapping[str, Any]) -> Back:
        def replaced(entries: list[Any]) -> list[Any]:
            return [values if at == index else entry for at, entry in enumerate(entries)]

        return await self._do(lambda editor: editor.replace(index, values).undo, replaced)

    async def remove(self, indices: list[int]) -> Back:
        def removed(editor: "MockEditor") -> Back:
            backs = [editor.remove(index).undo for index in sorted(indices, reverse=True)]
            return lambda: [back() for back in reversed(backs)]

        return await self._do(removed, lambda entries: [e for at, e in enumerate(entries) if at not in indices])

    async def enable(self, indices: list[int], enabled: bool) -> Back:
        def switched(editor: "MockEditor") -> Back:
            backs = [editor.set_enabled(index, enabled).undo for index in indices]
            return lambda: [back() for back in reversed(backs)]

        def in_memory(entries: list[Any]) -> list[Any]:
            return [{**e, "enabled": enabled} if at in indices else e for at, e in enumerate(entries)]

        return await self._do(switched, in_memory)

    async def take_back(self, back: Back) -> None:
        """Has everything as it was before the change."""
        await in_thread(self._studio, back)
        await in_thread(self._studio, self._studio.kept_mocks.read)

    async def _do(self, in_file: "Callable[[MockEditor], Back]", in_memory: Callable[[list[Any]], list[Any]]) -> Back:
        studio = self._studio
        if studio.has_workspace:
            return await in_thread(studio, lambda: self._in_file(in_file))
        kept = studio.kept_mocks
        before = [entry.model_dump(exclude_unset=True) for entry in kept.entries]
        kept.hold(in_memory(before))
        return lambda: kept.hold(before)

    def _in_file(self, change: "Callable[[MockEditor], Back]") -> Back:
        from ptc_studio.storage.kept_mocks import MockEditor

        kept = self._studio.kept_mocks
        if kept.look():
            raise WorkspaceError(kept.fault or CHANGED)
        if kept.fault is not None:
            raise WorkspaceError(kept.fault)
        back = change(MockEditor(self._studio.folder))
        kept.read()
        return back
