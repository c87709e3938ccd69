"""Holds what the workspace file says, notices that somebody else changed it, and says what differs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from errno import ENOENT, ENOTDIR
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from ptc_studio.bounded_files import FileWatch, Reading
from ptc_studio.core.redaction.keys import SecretKeys
from ptc_studio.sources.kinds import KINDS
from ptc_studio.storage.workspace import FILE_NAME, WorkspaceError, WorkspaceFile, read_workspace
from ptc_studio.storage.yaml_changes import same

FileRead = tuple[Reading, WorkspaceFile | WorkspaceError]


class OpenedFile:
    """The workspace file as it is held: what it said when it was last understood, and what is wrong with it by now."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._watch = FileWatch(folder / FILE_NAME)
        self.changed = self._watch.changed
        self.exists = False
        """Whether there is a file: a folder without one is a workspace, too."""
        self.file = WorkspaceFile()
        self.error: str | None = None

    def open(self, *, tolerant: bool) -> None:
        """Reads it for the first time; raises WorkspaceError, unless one that is broken is tolerated."""
        read = self.read()
        self.accept(read)
        if isinstance(read[1], WorkspaceError) and not tolerant:
            raise read[1]

    def read(self) -> FileRead:
        """What the file says now, or why it cannot be understood."""
        reading = self._watch.read()
        try:
            return reading, read_workspace(self._folder, reading)
        except WorkspaceError as error:
            return reading, error

    def accept(self, read: FileRead) -> bool:
        """Takes over what was read; gives whether it says anything else than before, or in other lines.

        Here it becomes known, and not when it is read: whoever reads may be cancelled before he takes it over.
        """
        reading, found = read
        self._watch.accept(reading)
        self.exists = isinstance(reading.found, bytes) or reading.found[0] not in (ENOENT, ENOTDIR)
        self.error = str(found) if isinstance(found, WorkspaceError) else None
        if isinstance(found, WorkspaceError) or (found == self.file and not found.lines_differ(self.file)):
            return False
        self.file = found
        return True


_LONGEST = 40
_LISTS = {"sources": "source", "aliases": "alias"}
_MAPPINGS = {"grants": "grant", "runtimes": "runtime", "limits": "limits", "redaction": "redaction"}
_SECRET_KEYS = SecretKeys()
_NOTHING = object()


@dataclass(frozen=True, slots=True)
class WorkspaceChange:
    """One thing that is another than before."""

    section: str
    """`sources`, `aliases`, `grants`, `runtimes`, `limits`, `redaction` or `version`."""
    name: str
    """Of the source, alias, grant or runtime; for the others that of the section."""
    verb: Literal["added", "removed", "changed", "moved"]
    keys: tuple[str, ...] = ()
    """Which keys changed, such as `path` or `env.TOKEN`."""
    text: str = ""

    def __str__(self) -> str:
        return self.text


def differences(before: WorkspaceFile, after: WorkspaceFile) -> list[WorkspaceChange]:
    """All of them, in the order of the file; none if both say the same."""
    return list(_differences(before, after))


def _differences(before: WorkspaceFile, after: WorkspaceFile) -> Iterator[WorkspaceChange]:
    for section, one in _LISTS.items():
        yield from _entries(section, one, _dumped(getattr(before, section)), _dumped(getattr(after, section)))
    for section in ("grants", "runtimes"):
        yield from _named(section, _dumped(getattr(before, section)), _dumped(getattr(after, section)))
    for section in ("limits", "redaction"):
        old, new = _dumped(getattr(before, section)), _dumped(getattr(after, section))
        yield from _changed(section, section, section, old, new)


def _entries(section: str, one: str, before: list[Any], after: list[Any]) -> Iterator[WorkspaceChange]:
    pairs, gone, fresh = _paired(before, after)
    for entry in gone:
        yield WorkspaceChange(section, entry["name"], "removed", text=f"{one} {entry['name']}: removed")
    for entry in fresh:
        kind = f" ({entry['kind']})" if "kind" in entry else f" for {entry.get('tool')}"
        yield WorkspaceChange(section, entry["name"], "added", text=f"{one} {entry['name']}: added{kind}")
    for old, new in pairs:
        yield from _changed(section, f"{one} {old['name']}", old["name"], old, new)
    stayed = [after.index(new) for _, new in pairs]
    if stayed != sorted(stayed):
        yield WorkspaceChange(section, section, "moved", text=f"{section}: in another order")


def _paired(before: list[Any], after: list[Any]) -> tuple[list[tuple[Any, Any]], list[Any], list[Any]]:
    """Entries of the same name belong together; of those left over, entries that differ in nothing but the name."""
    fresh = list(after)
    pairs: list[tuple[Any, Any]] = []
    left: list[Any] = []
    for old in before:
        new = next((each for each in fresh if each["name"] == old["name"]), None)
        if new is None:
            left.append(old)
        else:
            fresh.remove(new)
            pairs.append((old, new))
    gone: list[Any] = []
    for old in left:
        new = next((each for each in fresh if same({**each, "name": ""}, {**old, "name": ""})), None)
        if new is None:
            gone.append(old)
        else:
            fresh.remove(new)
            pairs.append((old, new))
    pairs.sort(key=lambda pair: before.index(pair[0]))
    return pairs, gone, fresh


def _named(section: str, before: dict[str, Any], after: dict[str, Any]) -> Iterator[WorkspaceChange]:
    for name in {**before, **after}:
        title = f"{_MAPPINGS[section]} {name}"
        if name not in after:
            yield WorkspaceChange(section, name, "removed", text=f"{title}: removed")
        elif name not in before:
            yield WorkspaceChange(section, name, "added", text=f"{title}: added")
        else:
            yield from _changed(section, title, name, before[name], after[name])


def _changed(section: str, title: str, name: str, before: Any, after: Any) -> Iterator[WorkspaceChange]:
    found = list(_leaves("", before, after))
    if found:
        text = ", ".join(_said(key, old, new) for key, old, new in found)
        yield WorkspaceChange(section, name, "changed", tuple(key for key, _, _ in found), f"{title}: {text}")


def _leaves(key: str, before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    """The deepest keys at which the two differ."""
    if same(before, after):
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping) and (before or after):
        for part in {**before, **after}:
            inner = f"{key}.{part}" if key else str(part)
            yield from _leaves(inner, before.get(part, _NOTHING), after.get(part, _NOTHING))
        return
    yield key, before, after


def _said(key: str, before: Any, after: Any) -> str:
    shown = f"{key} " if key else ""
    if isinstance(before, list) and isinstance(after, list) and _flat(before) and _flat(after):
        parts = [f"+{_shown(item)}" for item in after if item not in before]
        parts += [f"−{_shown(item)}" for item in before if item not in after]
        return f"{shown}{' '.join(parts)}" if parts else f"{shown}in another order"
    if _is_private(key) or _is_large(before) or _is_large(after):
        return f"{shown}{'removed' if after is _NOTHING else 'added' if before is _NOTHING else 'changed'}"
    return f"{shown}{_shown(before)} → {_shown(after)}"


def _is_private(key: str) -> bool:
    """Whether somebody may have written a secret there instead of a reference to one."""
    roles = [kind.roles for kind in KINDS.values()]
    return any(_SECRET_KEYS.rule(part) or any(each.get(part) == "secrets" for each in roles) for part in key.split("."))


def _flat(values: Sequence[Any]) -> bool:
    return all(isinstance(value, str | int | float) for value in values)


def _is_large(value: Any) -> bool:
    return isinstance(value, list | Mapping) and bool(value)


def _shown(value: Any) -> str:
    if value is None or value is _NOTHING or value in ([], {}):
        return "nothing"
    text = str(value).lower() if isinstance(value, bool) else " ".join(str(value).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _dumped(value: Any) -> Any:
    """Models as plain data, whole: a default that is written out is no difference."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, Mapping):
        return {key: _dumped(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_dumped(item) for item in value]
    return value
