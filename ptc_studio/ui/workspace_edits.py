"""The one way in which the window changes studio.yaml and mocks.yaml: all or nothing, with a way back, and then shown.

All changes raise WorkspaceError where they cannot be made; then nothing is written.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptc_studio.core.tools import Permission
from ptc_studio.sources.kinds import KINDS
from ptc_studio.storage.edited_file import Undo
from ptc_studio.storage.workspace import AliasEntry, WorkspaceError

if TYPE_CHECKING:
    from ptc_studio.app import Studio
    from ptc_studio.sources.source_set import LoadedSource
    from ptc_studio.storage.mock_store import MockEditor, MockEntry
    from ptc_studio.storage.workspace_editor import WorkspaceEditor
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.grants.patterns import GrantSetChange

KEYS = tuple(AliasEntry.model_fields)
DEFAULTS = {key: field.get_default() for key, field in AliasEntry.model_fields.items()}
Step = Callable[[], Undo]
Renamed = tuple[str, str]
"""The former name of an alias, and the new one."""
SAME: Renamed = ("", "")


class WorkspaceEdits:
    """Changes of studio.yaml as it was when this read it: what somebody else changes meanwhile is noticed."""

    def __init__(self, context: "Context") -> None:
        self._context = context
        self._studio = context.workbench.studio
        self._editor: WorkspaceEditor | None = None

    async def start(self) -> None:
        """Reads the file now, not with the first change; raises WorkspaceError."""
        await self._studio.in_thread(self._opened)

    def save(self, change: "Callable[[WorkspaceEdits], Awaitable[Undo]]", message: str) -> None:
        """Has the change made, and offers to undo it; shows what keeps it from being made."""

        async def work() -> None:
            self.offer_undo(await change(self), message)

        self._context.start_reported(work())

    def offer_undo(
        self,
        done: Undo,
        message: str,
        renamed: Renamed = SAME,
        other: tuple[str, Callable[[], object]] | None = None,
    ) -> None:
        """Shows what was done, with a button for the way back; `renamed`: which alias is renamed by going it."""
        undo = partial(self.undo, done, renamed)
        self._context.messages.offer(message, "Undo", lambda: self._context.start_reported(undo()), other)

    async def undo(self, done: Undo, renamed: Renamed = SAME) -> None:
        """Takes it back; `renamed` is which name becomes which by it."""
        await self._rewrite(done.undo, renamed)

    # Sources

    async def add_sources(self, *entries: Mapping[str, Any]) -> Undo:
        return await self._do(lambda editor: [partial(editor.add_source, values) for values in entries])

    async def replace_source(self, index: int, values: Mapping[str, Any]) -> Undo:
        left_out = [key for key in KINDS[values["kind"]].entry.model_fields if key not in values]
        return await self._do(lambda editor: [lambda: editor.replace_source(index, values, remove=left_out)])

    async def remove_source(self, index: int) -> Undo:
        return await self._do(lambda editor: [lambda: editor.remove_source(index)])

    # Aliases

    async def add_alias(self, values: Mapping[str, Any]) -> Undo:
        return await self._do(lambda editor: [lambda: editor.add_alias(values)])

    async def change_alias(self, former: str, values: Mapping[str, Any]) -> Undo:
        """Writes what differs; with another name, grants follow."""

        def steps(editor: "WorkspaceEditor") -> list[Step]:
            index = _index(editor, former)
            entries = editor.data.get("aliases") or []
            written = entries[index] if index < len(entries) else {}
            # What the file says without need stays, too: nobody changed it.
            left_out = [key for key in KEYS if key not in values and written.get(key) not in (DEFAULTS[key], [], {})]
            name = str(values["name"])
            renaming: list[Step] = [lambda: editor.rename_alias(index, name)] if name != former else []
            return [*renaming, lambda: editor.replace_alias(index, values, remove=left_out)]

        return await self._do(steps, (former, str(values["name"])))

    async def duplicate_aliases(self, copies: Mapping[str, str]) -> Undo:
        """Puts a copy behind each, with the name that is given for it."""

        def copied(editor: "WorkspaceEditor", name: str) -> Undo:
            index = _index(editor, name)
            return editor.add_alias({**editor.data["aliases"][index], "name": copies[name]}, index + 1)

        return await self._do(lambda editor: [partial(copied, editor, name) for name in copies])

    async def enable_aliases(self, names: Sequence[str], enabled: bool) -> Undo:
        def switched(editor: "WorkspaceEditor", name: str) -> Undo:
            return editor.replace_alias(_index(editor, name), {"name": name, "enabled": enabled})

        return await self._do(lambda editor: [partial(switched, editor, name) for name in names])

    async def remove_aliases(self, names: Sequence[str]) -> Undo:
        # Where each is, is known once those before it are gone.
        return await self._do(
            lambda editor: [lambda name=name: editor.remove_alias(_index(editor, name)) for name in names]
        )

    # Grants and permissions

    async def change_grants(self, changes: "Sequence[GrantSetChange]") -> Undo:
        return await self._do(lambda editor: [partial(change.apply, editor) for change in changes])

    async def add_grants(self, grants: Mapping[str, tuple[str, ...]]) -> Undo:
        return await self._do(lambda editor: [partial(editor.set_grant, *each) for each in grants.items()])

    async def set_limit(self, key: str, value: float) -> Undo:
        return await self._do(lambda editor: [partial(editor.set_limit, key, value)])

    async def change(self, change: "Callable[[WorkspaceEditor], Undo]") -> Undo:
        """Of one value: a permission, a limit, a rule of redaction."""
        return await self._do(lambda editor: [partial(change, editor)])

    # How

    def _opened(self) -> "WorkspaceEditor":
        from ptc_studio.storage.workspace_editor import WorkspaceEditor

        if self._editor is None:
            self._editor = WorkspaceEditor(self._studio.folder)
        return self._editor

    async def _do(self, steps: "Callable[[WorkspaceEditor], Iterable[Step]]", renamed: Renamed = SAME) -> Undo:
        return await self._rewrite(lambda: all_or_none(steps(self._opened())), renamed)

    async def _rewrite(self, write: Step, renamed: Renamed) -> Undo:
        """Has the file written, and the studio and the window take over what it says."""
        done = await self._studio.rewrite(write, lambda: self._follow_rename(renamed))
        self._context.workbench.load()
        return done

    def _follow_rename(self, renamed: Renamed) -> None:
        """Whatever goes by the name has to know before the tools are shown anew."""
        if renamed[0] != renamed[1]:
            self._context.workbench.alias_renamed.emit(*renamed)


def all_or_none(steps: Iterable[Step]) -> Undo:
    """Does one after the other, with one way back; if one fails, those before it are taken back."""
    done: list[Undo] = []
    try:
        for step in steps:
            done.append(step())  # noqa: PERF401 - those before one that fails are wanted
    except BaseException:
        for each in reversed(done):
            each.undo()
        raise
    return Undo(done[0].editor, done[0].before, done[-1].after)


def _index(editor: "WorkspaceEditor", name: str) -> int:
    """Where the first alias of that name is; of two, the other is the one that does not count."""
    entries = editor.data.get("aliases") or []
    # A name that is not there is reported by the editor.
    return next((i for i, entry in enumerate(entries) if entry.get("name") == name), len(entries))


def index_in_file(context: "Context", loaded_source: "LoadedSource") -> int | None:
    """Which of the file's sources it is; None for one that is not in the file."""
    studio = context.workbench.studio
    sources = studio.source_set.loaded_sources
    index = next((index for index, each in enumerate(sources) if each is loaded_source), None)
    return index if index is not None and index < len(studio.file.sources) else None


NO_FILE = "No folder is open to keep it in: make a workspace, or open a folder of yours."
NOT_IN_FILE = "Its source is not in the workspace file."
NOW: dict[Permission | None, str] = {
    "allow": "is always allowed from now on",
    "ask": "is asked about from now on",
    "deny": "is denied from now on",
    None: "has no permission of its own from now on: its source decides",
}


class PermissionEdits:
    """Changes of permissions, each with an offer to undo it."""

    def __init__(self, context: "Context") -> None:
        self._context = context

    def why_not(self, name: str) -> str:
        """Why the permission of that tool or alias cannot be written; empty if it can."""
        return "" if self._change_of(name, "allow") else NOT_IN_FILE if self._has_file else NO_FILE

    def why_not_source(self, loaded_source: "LoadedSource") -> str:
        """The same of a source."""
        return "" if self._index(loaded_source) is not None else NOT_IN_FILE if self._has_file else NO_FILE

    def allow(self, name: str) -> None:
        """From now on nobody is asked about that tool or alias."""
        self.set(name, "allow")

    def set(self, name: str, permission: Permission | None) -> None:
        """Of a tool or an alias; None leaves it to what is around it."""
        change = self._change_of(name, permission)
        if change is not None:
            self._save(change, f"{name} {NOW[permission]}.")

    def ask_before(self, names: Sequence[str]) -> None:
        """From now on a person is asked before each call of these tools."""
        changes = [change for name in names if (change := self._change_of(name, "ask")) is not None]
        if changes:
            message = (
                f"{len(changes)} tools are asked about from now on."
                if len(changes) > 1
                else f"{names[0]} {NOW['ask']}."
            )
            change = lambda editor: all_or_none([partial(each, editor) for each in changes])  # noqa: E731
            self._save(change, message)

    def set_source(self, loaded_source: "LoadedSource", permission: Permission | None) -> None:
        """Of a source, for all its tools of which nothing else is said."""
        index = self._index(loaded_source)
        if index is not None:
            message = f"The source {loaded_source.name} {NOW[permission]}."
            self._save(lambda editor: editor.set_source_permission(index, permission), message)

    def _save(self, change: "Callable[[WorkspaceEditor], Undo]", message: str) -> None:
        WorkspaceEdits(self._context).save(lambda edits: edits.change(change), message)

    @property
    def _has_file(self) -> bool:
        studio = self._context.workbench.studio
        return studio.has_workspace and studio.fault is None

    def _change_of(self, name: str, permission: Permission | None) -> "Callable[[WorkspaceEditor], Undo] | None":
        studio = self._context.workbench.studio
        aliases = [entry.name for entry in studio.file.aliases]
        if name in aliases:
            return lambda editor: editor.set_alias_permission(aliases.index(name), permission)
        for loaded_source in studio.source_set.loaded_sources:
            tool = next((tool for tool in loaded_source.loaded.tools if tool.spec.name == name), None)
            index = self._index(loaded_source) if tool is not None else None
            if tool is not None and index is not None:
                key = _key_of(loaded_source, name)
                return lambda editor: editor.set_tool_permission(index, key, permission)
        return None

    def _index(self, loaded_source: "LoadedSource") -> int | None:
        return index_in_file(self._context, loaded_source) if self._has_file else None


def _key_of(loaded_source: "LoadedSource", name: str) -> str:
    """What the source's entry calls the tool, if it speaks of it already; else the tool's own name."""
    from ptc_studio.sources.registry_sync import names_in_source

    tool = next(tool for tool in loaded_source.offer().tools if tool.spec.name == name)
    names = names_in_source(loaded_source.offer().rules.applied(tool).spec, loaded_source.name)
    return next((each for each in names if each in loaded_source.entry.permissions), name)


Back = Callable[[], object]
"""Takes a change back; may take its time."""
CHANGED = "mocks.yaml was changed outside meanwhile: nothing was written; look at the list again."


class MockEdits:
    """Changes of mocks.yaml; without a workspace mocks last as long as the window."""

    def __init__(self, context: "Context") -> None:
        self._context = context

    @property
    def _studio(self) -> "Studio":
        return self._context.workbench.studio

    @property
    def entries(self) -> "tuple[MockEntry, ...]":
        return self._studio.kept_mocks.entries if self._context.workbench.is_open else ()

    async def add(self, values: Mapping[str, Any]) -> Back:
        return await self._do(lambda editor: [partial(editor.add, values)], lambda entries: [*entries, values])

    async def replace(self, index: int, values: Mapping[str, Any]) -> Back:
        return await self._do(
            lambda editor: [partial(editor.replace, index, values)],
            lambda entries: [values if at == index else entry for at, entry in enumerate(entries)],
        )

    async def remove(self, indices: list[int]) -> Back:
        return await self._do(
            lambda editor: [partial(editor.remove, index) for index in sorted(indices, reverse=True)],
            lambda entries: [entry for at, entry in enumerate(entries) if at not in indices],
        )

    async def enable(self, indices: list[int], enabled: bool) -> Back:
        return await self._do(
            lambda editor: [partial(editor.set_enabled, index, enabled) for index in indices],
            lambda entries: [{**e, "enabled": enabled} if at in indices else e for at, e in enumerate(entries)],
        )

    def offer_undo(self, back: Back, message: str) -> None:
        """Shows what was done, with a button for the way back."""
        context = self._context
        context.messages.offer(message, "Undo", lambda: context.start_reported(self.undo(back)))

    async def undo(self, back: Back) -> None:
        """Has everything as it was before the change."""
        await self._studio.in_thread(back)
        await self._studio.in_thread(self._studio.kept_mocks.read)

    async def _do(
        self, in_file: "Callable[[MockEditor], Iterable[Step]]", in_memory: Callable[[list[Any]], list[Any]]
    ) -> Back:
        studio = self._studio
        if studio.has_workspace:
            return await studio.in_thread(lambda: self._in_file(in_file))
        kept = studio.kept_mocks
        before = [entry.model_dump(exclude_unset=True) for entry in kept.entries]
        kept.hold(in_memory(before))
        return lambda: kept.hold(before)

    def _in_file(self, steps: "Callable[[MockEditor], Iterable[Step]]") -> Back:
        from ptc_studio.storage.mock_store import MockEditor

        kept = self._studio.kept_mocks
        if kept.refresh():
            raise WorkspaceError(kept.fault or CHANGED)
        if kept.fault is not None:
            raise WorkspaceError(kept.fault)
        done = all_or_none(steps(MockEditor(self._studio.folder)))
        kept.read()
        return done.undo


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


def alias_values(entry: AliasEntry) -> dict[str, Any]:
    """What the file says of an alias."""
    return entry.model_dump(mode="json", exclude_unset=True)


async def make_workspace(context: "Context", folder: Path, fill: "Callable[[WorkspaceEditor], None]") -> None:
    """Has the file of that folder made and filled, and opens it as a workspace; raises WorkspaceError."""
    from ptc_studio.storage.workspace_editor import WorkspaceEditor
    from ptc_studio.ui.command_handlers import open_workspace

    def make() -> bool:
        """Whether nothing was in it before."""
        was_empty = not any(folder.glob("[!.]*"))
        fill(WorkspaceEditor(folder))
        return was_empty

    if await context.workbench.studio.in_thread(make):
        # Nothing of anybody else's is in it.
        context.settings.set_trust(folder, True)
    open_workspace(folder)
    context.messages.show_message(f"Saved to {folder / 'studio.yaml'}: the workspace opens in a window of its own.")


async def make_workspace_of_sources(context: "Context", folder: Path, *entries: Mapping[str, Any]) -> None:
    """Makes the folder a workspace with these sources, and opens it; raises WorkspaceError."""
    here = context.workbench.studio.folder

    def fill(editor: "WorkspaceEditor") -> None:
        editor.create()
        for values in entries:
            editor.add_source(seen_from_anywhere(values, here))

    await make_workspace(context, folder, fill)


async def make_workspace_of_alias(context: "Context", folder: Path, values: Mapping[str, Any]) -> None:
    """Makes the folder a workspace with the sources that are open now and this alias, and opens it."""
    studio = context.workbench.studio

    def fill(editor: "WorkspaceEditor") -> None:
        is_new = editor.content is None
        editor.create()
        # Without them the alias would lead nowhere there.
        for loaded_source in studio.source_set.loaded_sources if is_new else ():
            editor.add_source(seen_from_anywhere(source_values(loaded_source.entry), studio.folder))
        editor.add_alias(values)

    await make_workspace(context, folder, fill)
