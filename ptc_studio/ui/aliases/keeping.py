"""Writes the aliases of a window's workspace into its file, and has the window follow."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptc_studio.storage.edited_file import Undo
from ptc_studio.storage.workspace import AliasEntry
from ptc_studio.ui.aliases.verdicts import free_name
from ptc_studio.ui.sources.keeping import seen_from_anywhere
from ptc_studio.ui.sources.keeping import values_of as source_values
from ptc_studio.ui.sources.workspace_keeping import WorkspaceKeeper, all_or_none, make_workspace

if TYPE_CHECKING:
    from ptc_studio.storage.workspace_editor import WorkspaceEditor
    from ptc_studio.ui.window import MainWindow

KEYS = tuple(AliasEntry.model_fields)
DEFAULTS = {key: field.get_default() for key, field in AliasEntry.model_fields.items()}
Step = Callable[[], Undo]
Renamed = tuple[str, str]
"""The former name, and the new one."""


class AliasKeeper(WorkspaceKeeper):
    """Every change is one step back, also one of several aliases; all raise WorkspaceError, with nothing written."""

    async def add(self, values: Mapping[str, Any]) -> Undo:
        return await self._do(lambda editor: [lambda: editor.add_alias(values)])

    async def change(self, former: str, values: Mapping[str, Any]) -> Undo:
        """Writes what differs; with another name, grants follow."""

        def steps(editor: "WorkspaceEditor") -> list[Step]:
            index = _index(editor, former)
            entries = editor.data.get("aliases") or []
            said = entries[index] if index < len(entries) else {}
            # What the file says without need stays, too: nobody changed it.
            left_out = [key for key in KEYS if key not in values and said.get(key) not in (DEFAULTS[key], [], {})]
            name = str(values["name"])
            renaming: list[Step] = [lambda: editor.rename_alias(index, name)] if name != former else []
            return [*renaming, lambda: editor.replace_alias(index, values, remove=left_out)]

        return await self._do(steps, (former, str(values["name"])))

    async def duplicate(self, names: Sequence[str], taken: Iterable[str]) -> tuple[Undo, list[str]]:
        """Puts a copy behind each; gives the names of the copies."""
        known = set(taken)
        copies: dict[str, str] = {}
        for name in names:
            copies[name] = free_name(f"{name}_copy", known)
            known.add(copies[name])

        def copied(editor: "WorkspaceEditor", name: str) -> Undo:
            index = _index(editor, name)
            return editor.add_alias({**editor.data["aliases"][index], "name": copies[name]}, index + 1)

        done = await self._do(lambda editor: [lambda name=name: copied(editor, name) for name in names])
        return done, list(copies.values())

    async def set_enabled(self, names: Sequence[str], enabled: bool) -> Undo:
        def switched(editor: "WorkspaceEditor", name: str) -> Undo:
            index = _index(editor, name)
            return editor.replace_alias(index, {"name": name, "enabled": enabled})

        return await self._do(lambda editor: [lambda name=name: switched(editor, name) for name in names])

    async def remove(self, names: Sequence[str]) -> Undo:
        return await self._do(
            lambda editor: [lambda name=name: editor.remove_alias(_index(editor, name)) for name in names]
        )

    async def undo(self, done: Undo, renamed: Renamed = ("", "")) -> None:
        """Takes it back; `renamed` is which name becomes which by it."""
        await self._rewrite(done.undo, lambda: self._tell_renamed(renamed))

    def _tell_renamed(self, renamed: Renamed) -> None:
        """Whatever goes by the name has to know before the tools are shown anew."""
        if renamed[0] != renamed[1]:
            self._window.workbench.alias_renamed.emit(*renamed)

    async def _do(self, steps: "Callable[[WorkspaceEditor], list[Step]]", renamed: Renamed = ("", "")) -> Undo:
        editor = await self._opened()
        return await self._rewrite(lambda: _as_one(steps(editor)), lambda: self._tell_renamed(renamed))


def values_of(entry: AliasEntry) -> dict[str, Any]:
    """What the file says of an alias."""
    return entry.model_dump(mode="json", exclude_unset=True)


async def make_workspace_of_alias(window: "MainWindow", folder: Path, values: Mapping[str, Any]) -> None:
    """Makes the folder a workspace with the sources that are open now and this alias, and opens it."""
    studio = window.workbench.studio

    def fill(editor: "WorkspaceEditor") -> None:
        is_new = editor.content is None
        editor.create()
        # Without them the alias would lead nowhere there.
        for seat in studio.board.seats if is_new else ():
            editor.add_source(seen_from_anywhere(source_values(seat.entry), studio.folder))
        editor.add_alias(values)

    await make_workspace(window, folder, fill)


def _as_one(steps: Iterable[Step]) -> Undo:
    """The steps one after the other, or none of them, with one way back."""
    done = all_or_none(steps)
    return Undo(done[0].editor, done[0].before, done[-1].after)


def _index(editor: "WorkspaceEditor", name: str) -> int:
    """Where the first alias of that name is; of two, the other is the one that does not count."""
    entries = editor.data.get("aliases") or []
    # A name that is not there is told by the editor.
    return next((i for i, entry in enumerate(entries) if entry.get("name") == name), len(entries))
