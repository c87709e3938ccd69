"""Writes the sources of a window's workspace into its file, and has the window follow."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptc_studio.sources.kinds import KINDS
from ptc_studio.ui.sources.workspace_keeping import WorkspaceKeeper, all_or_none, make_workspace

if TYPE_CHECKING:
    from ptc_studio.sources.board import Seat
    from ptc_studio.storage.workspace_editor import Undo, WorkspaceEditor
    from ptc_studio.ui.window import MainWindow

PATHS = {"functions": ("path",), "script": ("path",), "wasm": ("path",), "mcp": ("cwd",), "command": ("cwd",)}
FILES_OR_ADDRESSES = {"openapi": "document", "toolregistry": "module"}


class SourceKeeper(WorkspaceKeeper):
    """Adds sources to the file, and changes and removes them."""

    async def add(self, *entries: Mapping[str, Any]) -> "list[Undo]":
        """All of them or, where one cannot be, none; raises WorkspaceError."""
        editor = await self._opened()
        return await self._rewrite(lambda: all_or_none(partial(editor.add_source, values) for values in entries))

    async def replace(self, index: int, values: Mapping[str, Any]) -> "Undo":
        """Raises WorkspaceError."""
        editor = await self._opened()
        left_out = [key for key in KINDS[values["kind"]].entry.model_fields if key not in values]
        return await self._rewrite(lambda: editor.replace_source(index, values, remove=left_out))

    async def remove(self, index: int) -> "Undo":
        """Raises WorkspaceError."""
        editor = await self._opened()
        return await self._rewrite(lambda: editor.remove_source(index))

    async def undo(self, done: "Undo") -> None:
        """Raises WorkspaceError."""
        await self._rewrite(done.undo)

    async def set_grants(self, grants: Mapping[str, tuple[str, ...]]) -> None:
        """Adds sets of grants, all of them or none; raises WorkspaceError."""
        editor = await self._opened()
        sets = grants.items()
        await self._rewrite(lambda: all_or_none(partial(editor.set_grant, name, tools) for name, tools in sets))


def place_in_file(window: "MainWindow", seat: "Seat") -> int | None:
    """Which of the file's sources it is; None for one that is not in the file."""
    studio = window.workbench.studio
    place = next((index for index, each in enumerate(studio.board.seats) if each is seat), None)
    return place if place is not None and place < len(studio.file.sources) else None


def values_of(entry: Any) -> dict[str, Any]:
    """What the file says of a source."""
    return entry.model_dump(mode="json", by_alias=True, exclude_unset=True) | {"kind": entry.kind}


def seen_from_anywhere(values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The values with paths that hold in another folder, too."""
    made = dict(values)
    for field in PATHS.get(values["kind"], ()):
        if values.get(field):
            made[field] = str(folder / values[field])
    field = FILES_OR_ADDRESSES.get(values["kind"])
    if field and (folder / str(values.get(field, ""))).is_file():
        made[field] = str(folder / values[field])
    return made


async def make_workspace_of_sources(window: "MainWindow", folder: Path, *entries: Mapping[str, Any]) -> None:
    """Makes the folder a workspace with these sources, and opens it; raises WorkspaceError."""
    here = window.workbench.studio.folder

    def fill(editor: "WorkspaceEditor") -> None:
        editor.create()
        for values in entries:
            editor.add_source(seen_from_anywhere(values, here))

    await make_workspace(window, folder, fill)
