"""Writes `studio.yaml` for the forms: one change at a time, and everything else in the file as its user left it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

from ptc_studio.core.tools import Permission
from ptc_studio.sources.functions.entry import functions_of
from ptc_studio.sources.references import with_secret_renamed
from ptc_studio.storage.edited_file import EditedFile, Undo, on_data
from ptc_studio.storage.entry_values import (
    TouchedOutside,
    entry_changed,
    index_of,
    plain_data,
    put,
    renamed_everywhere,
    taken,
    where_now,
)
from ptc_studio.storage.workspace import WorkspaceError
from ptc_studio.storage.yaml_document import Place, YamlDocument

Section = Literal["sources", "aliases"]
Which = int | str
"""An entry by its place in the list, or by its name."""


class WorkspaceEditor(EditedFile):
    """The file of one folder. Every change is on disk when its method returns, so call them from a worker thread.

    All raise WorkspaceError, in one sentence and with nothing written: the result would not be a workspace, the file
    cannot be read or saved; or ChangedOutside. Other changes made outside are kept.
    """

    def create(self) -> Undo:
        """Makes the file if there is none; it says what the folder was without it: where its functions are."""
        return self._do(lambda document: document)

    def _first_text(self) -> str:
        functions = functions_of(self.path.parent)
        nested = "" if functions.nested else "    nested: false\n"
        return f"{self.header}sources:\n  - kind: functions\n    path: {functions.path}\n{nested}"

    # Sources

    def add_source(self, values: Mapping[str, Any], index: int | None = None) -> Undo:
        return self._add("sources", values, index)

    def replace_source(
        self, which: Which, values: Mapping[str, Any], *, remove: Collection[str] = (), seen: Any = None
    ) -> Undo:
        """Writes the keys that differ; keys not in `values` stay unless `remove` has them or the kind is another.

        `seen` is the entry as the form had it when it was opened, from `data`: if it has become another, even in a
        state that this editor knows by now, that is ChangedOutside.
        """
        return self._replace("sources", which, values, remove, seen)

    def remove_source(self, which: Which) -> Undo:
        return self._remove("sources", which)

    def move_source(self, which: Which, to: int) -> Undo:
        """`to` is the index that it has afterwards."""
        return self._move("sources", which, to)

    def set_source_permission(self, which: Which, permission: Permission | None) -> Undo:
        """For all its tools; None leaves it to the default."""
        return self._set_in_entry("sources", which, ("permission",), permission)

    def set_tool_permission(self, which: Which, tool: str, permission: Permission | None) -> Undo:
        """For one tool of a source, by the name that it has there."""
        return self._set_in_entry("sources", which, ("permissions", tool), permission)

    def allow_origins(self, which: Which, origins: Sequence[str]) -> Undo:
        """The servers that the keys of a source are sent to, though only its document names them."""
        return self._set_in_entry("sources", which, ("allow_origins",), list(origins))

    # Aliases

    def add_alias(self, values: Mapping[str, Any], index: int | None = None) -> Undo:
        return self._add("aliases", values, index)

    def replace_alias(
        self, which: Which, values: Mapping[str, Any], *, remove: Collection[str] = (), seen: Any = None
    ) -> Undo:
        """As `replace_source`."""
        return self._replace("aliases", which, values, remove, seen)

    def rename_alias(self, which: Which, name: str, *, everywhere: bool = True) -> Undo:
        """`everywhere`: grants and other aliases that name it follow."""

        def renamed(data: dict[str, Any], index: int) -> None:
            taken(data, "aliases", name, but=index)
            former, data["aliases"][index]["name"] = data["aliases"][index].get("name"), name
            if everywhere:
                renamed_everywhere(data, former, name)

        return self._edit_entry("aliases", which, renamed)

    def remove_alias(self, which: Which) -> Undo:
        return self._remove("aliases", which)

    def move_alias(self, which: Which, to: int) -> Undo:
        return self._move("aliases", which, to)

    def set_alias_permission(self, which: Which, permission: Permission | None) -> Undo:
        return self._set_in_entry("aliases", which, ("permission",), permission)

    # Grants, limits and the rest

    def set_grant(self, name: str, tools: Sequence[str]) -> Undo:
        """Makes the set or changes it."""
        return self.set_value(("grants", name), list(tools))

    def rename_grant(self, name: str, to: str) -> Undo:
        def renamed(document: YamlDocument) -> YamlDocument:
            if document.at(("grants", name)) is None:
                raise WorkspaceError(f"{self.path} has no grant {name!r}.")
            if document.at(("grants", to)) is not None:
                raise WorkspaceError(f"There is already a grant {to!r}: choose another name.")
            return document.with_renamed(("grants", name), to)

        return self._do(self._untouched(("grants", name), renamed))

    def remove_grant(self, name: str) -> Undo:
        if self._base.at(("grants", name)) is None:
            raise WorkspaceError(f"{self.path} has no grant {name!r}.")
        return self.set_value(("grants", name), None)

    def set_limit(self, key: str, value: float | None) -> Undo:
        return self.set_value(("limits", key), value)

    def set_redaction(self, key: str, value: Any) -> Undo:
        return self.set_value(("redaction", key), value)

    def rename_secret(self, name: str, to: str) -> Undo:
        """Every reference of a source follows."""

        def renamed(data: dict[str, Any]) -> None:
            if data.get("sources"):
                data["sources"] = with_secret_renamed(data["sources"], name, to)

        return self._do(on_data(renamed))

    def set_runtime(self, runtime: str, key: str, value: Any) -> Undo:
        return self.set_value(("runtimes", runtime, key), value)

    def set_value(self, location: Place, value: Any) -> Undo:
        """A value anywhere below keys, such as `("limits", "timeout")`; None takes the key away."""
        value = plain_data(value, ".".join(map(str, location)))
        return self._do(self._untouched(location, on_data(lambda data: put(data, location, value))))

    # How

    def _add(self, section: Section, values: Mapping[str, Any], index: int | None) -> Undo:
        values = plain_data(values, section)
        entry = entry_changed(section, {}, values, ())
        entries = self._base.plain.get(section) or []
        index = len(entries) if index is None else min(max(index, 0), len(entries))

        def added(data: dict[str, Any]) -> None:
            taken(data, section, values.get("name"))
            now = data.get(section) or []
            after = where_now(now, index - 1, entries[index - 1]) if index else -1
            now.insert(min(index, len(now)) if after is None else after + 1, entry)
            data[section] = now

        return self._do(on_data(added))

    def _replace(
        self, section: Section, which: Which, values: Mapping[str, Any], remove: Collection[str], seen: Any
    ) -> Undo:
        values = plain_data(values, section)

        def replaced(data: dict[str, Any], index: int) -> None:
            old = data[section][index]
            if values.get("name") != old.get("name"):
                taken(data, section, values.get("name"), but=index)
            data[section][index] = entry_changed(section, old, values, remove)

        find, mine = self._finder(section, which, seen), self._finder(section, which)
        return self._do(
            on_data(lambda data: replaced(data, find(data))), on_data(lambda data: replaced(data, mine(data)))
        )

    def _remove(self, section: Section, which: Which) -> Undo:
        return self._edit_entry(section, which, lambda data, index: data[section].pop(index))

    def _set_in_entry(self, section: Section, which: Which, location: Place, value: Any) -> Undo:
        return self._edit_entry(section, which, lambda data, index: put(data, (section, index, *location), value))

    def _move(self, section: Section, which: Which, to: int) -> Undo:
        find = self._finder(section, which)

        def moved(document: YamlDocument) -> YamlDocument:
            last = len(document.plain[section]) - 1
            return document.with_moved((section,), find(document.plain), min(max(to, 0), last))

        return self._do(moved)

    def _edit_entry(self, section: Section, which: Which, change: Callable[[dict[str, Any], int], Any]) -> Undo:
        find = self._finder(section, which)
        return self._do(on_data(lambda data: change(data, find(data))))

    def _finder(self, section: Section, which: Which, seen: Any = None) -> Callable[[Mapping[str, Any]], int]:
        """Finds the entry again in what the file says now; raises TouchedOutside if it is not as it was."""
        index = index_of(self._base.plain, section, which, self.path)
        entry = self._base.plain[section][index] if seen is None else seen

        def found(data: Mapping[str, Any]) -> int:
            now = where_now(data.get(section) or [], index, entry)
            if now is None:
                raise TouchedOutside
            return now

        return found
