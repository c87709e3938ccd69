"""Writes into the file of a window's workspace, and has the window follow."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ptc_studio.sources.kinds import KINDS
from ptc_studio.storage.edited_file import Undo
from ptc_studio.storage.workspace import AliasEntry
from ptc_studio.ui.aliases.alias_checks import free_name
from ptc_studio.ui.background_thread import in_thread
from ptc_studio.ui.grants.patterns import GrantSetChange

if TYPE_CHECKING:
    from ptc_studio.sources.source_set import LoadedSource
    from ptc_studio.storage.workspace_editor import WorkspaceEditor
    from ptc_studio.ui.main_window import MainWindow


T = TypeVar("T")


class WorkspaceEdits:
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
    from ptc_studio.ui.command_handlers import Pickers

    await in_thread(window.workbench.studio, lambda: fill(WorkspaceEditor(folder)))
    Pickers(window).open_workspace(folder)
    window.show_message(f"Saved to {folder / 'studio.yaml'}: the workspace opens in a window of its own.")


class SourceEdits(WorkspaceEdits):
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


def place_in_file(window: "MainWindow", loaded_source: "LoadedSource") -> int | None:
    """Which of the file's sources it is; None for one that is not in the file."""
    studio = window.workbench.studio
    location = next(
        (index for index, each in enumerate(studio.source_set.loaded_sources) if each is loaded_source), None
    )
    return location if location is not None and location < len(studio.file.sources) else None


def source_values(entry: Any) -> dict[str, Any]:
    """What the file says of a source."""
    return entry.model_dump(mode="json", by_alias=True, exclude_unset=True) | {"kind": entry.kind}


def seen_from_anywhere(values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The values with paths that hold in another folder, too."""
    kind = KINDS[values["kind"]]

    def is_path(field: str) -> bool:
        if field not in kind.path_fields or not values[field]:
            return False
        # A document may be an address, and a module one that is installed.
        return kind.roles[field] not in ("document", "module") or (folder / values[field]).is_file()

    return {field: str(folder / value) if is_path(field) else value for field, value in values.items()}


async def make_workspace_of_sources(window: "MainWindow", folder: Path, *entries: Mapping[str, Any]) -> None:
    """Makes the folder a workspace with these sources, and opens it; raises WorkspaceError."""
    here = window.workbench.studio.folder

    def fill(editor: "WorkspaceEditor") -> None:
        editor.create()
        for values in entries:
            editor.add_source(seen_from_anywhere(values, here))

    await make_workspace(window, folder, fill)


KEYS = tuple(AliasEntry.model_fields)
DEFAULTS = {key: field.get_default() for key, field in AliasEntry.model_fields.items()}
Step = Callable[[], Undo]
Renamed = tuple[str, str]
"""The former name, and the new one."""


class AliasEdits(WorkspaceEdits):
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


def alias_values(entry: AliasEntry) -> dict[str, Any]:
    """What the file says of an alias."""
    return entry.model_dump(mode="json", exclude_unset=True)


async def make_workspace_of_alias(window: "MainWindow", folder: Path, values: Mapping[str, Any]) -> None:
    """Makes the folder a workspace with the sources that are open now and this alias, and opens it."""
    studio = window.workbench.studio

    def fill(editor: "WorkspaceEditor") -> None:
        is_new = editor.content is None
        editor.create()
        # Without them the alias would lead nowhere there.
        for loaded_source in studio.source_set.loaded_sources if is_new else ():
            editor.add_source(seen_from_anywhere(source_values(loaded_source.entry), studio.folder))
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


class GrantEdits(WorkspaceEdits):
    """Several changes are one: all of them are written, or none."""

    async def write(self, changes: Sequence[GrantSetChange]) -> "list[Undo]":
        """All of them or, where one cannot be, none; raises WorkspaceError."""
        editor = await self._opened()
        return await self._rewrite(lambda: all_or_none(partial(change.apply, editor) for change in changes))

    async def undo(self, done: "Sequence[Undo]") -> None:
        """Raises WorkspaceError."""
        await self._rewrite(lambda: take_back(done))
