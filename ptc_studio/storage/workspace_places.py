"""Finds entries of the workspace file as data, also after somebody else changed the file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ptc_studio.storage.workspace import WorkspaceError
from ptc_studio.storage.yaml_changes import same
from ptc_studio.storage.yaml_document import Place, value_at

_ONE = {"sources": "source", "aliases": "alias"}


class TouchedOutside(Exception):
    """What is to be changed is not what it was when it was read."""


def name_of(entry: Any) -> str | None:
    """The name of a source or alias; a source without one is called as its kind."""
    return entry.get("name") or entry.get("kind") if isinstance(entry, Mapping) else None


def index_of(data: Mapping[str, Any], section: str, which: int | str, path: Path) -> int:
    """The place of an entry in its list; raises WorkspaceError if there is none, or none that is meant clearly."""
    entries = data.get(section) or []
    if isinstance(which, int):
        if not 0 <= which < len(entries):
            raise WorkspaceError(f"{path} has {len(entries)} {section}, and none with the number {which + 1}.")
        return which
    found = [index for index, entry in enumerate(entries) if name_of(entry) == which]
    if not found:
        raise WorkspaceError(f"{path} has no {_ONE[section]} {which!r}.")
    if len(found) > 1:
        raise WorkspaceError(f"{path} has {len(found)} {section} named {which!r}: give them different names first.")
    return found[0]


def where_now(entries: Sequence[Any], index: int, entry: Any) -> int | None:
    """Where the very same entry is by now: the nearest to where it was, or nowhere."""
    found = [place for place, each in enumerate(entries) if same(each, entry)]
    return min(found, key=lambda place: abs(place - index), default=None)


def taken(data: Mapping[str, Any], section: str, name: str | None, *, but: int | None = None) -> None:
    """Raises WorkspaceError if another entry has the name already."""
    for index, entry in enumerate(data.get(section) or []):
        if name and index != but and isinstance(entry, Mapping) and entry.get("name") == name:
            raise WorkspaceError(f"There is already {_article(section)} {name!r}: choose another name.")


def put(data: dict[str, Any], place: Place, value: Any) -> None:
    """Sets a value, with the mappings around it; None takes it away, and what is empty then below a section."""
    if value is None and value_at(data, place[:-1]) is None:
        return
    *outer, last = place
    holder: Any = data
    trail: list[tuple[Any, str | int]] = []
    for part in outer:
        trail.append((holder, part))
        if isinstance(holder, dict) and holder.get(part) is None:
            holder[part] = {}
        holder = holder[part]
    if not isinstance(holder, dict):
        raise WorkspaceError(f"{'.'.join(map(str, outer))} is no mapping in the file: correct it there first.")
    if value is not None:
        holder[last] = value
        return
    holder.pop(last, None)
    for around, part in reversed(trail[1:]):
        if isinstance(around, dict) and not around[part]:
            del around[part]


def renamed_everywhere(data: dict[str, Any], former: str, name: str) -> None:
    """Grants and aliases that mean the alias by its former name mean it still."""
    for tools in (data.get("grants") or {}).values():
        if isinstance(tools, list):
            tools[:] = [name if tool == former else tool for tool in tools]
    for entry in data.get("aliases") or []:
        if isinstance(entry, dict) and entry.get("tool") == former:
            entry["tool"] = name


def _article(section: str) -> str:
    return f"{'an' if section == 'aliases' else 'a'} {_ONE[section]}"
