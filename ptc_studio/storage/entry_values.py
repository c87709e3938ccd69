"""What a form gives for an entry, and what of it goes into the file."""

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import to_jsonable_python

from ptc_studio.sources.entry_fields import WorkspaceEntry
from ptc_studio.sources.kinds import KINDS
from ptc_studio.storage.workspace import AliasEntry, WorkspaceError, WorkspaceFile
from ptc_studio.storage.yaml_changes import same
from ptc_studio.storage.yaml_document import Place, value_at
from ptc_studio.storage.yaml_with_lines import YamlError, YamlWithLines, understood

_ALWAYS = ("kind", "name")
_EMPTY = (None, "", [], {})
_ENTRY = re.compile(r"(sources|aliases)\.(\d+)(\.|:)")
_SINGULAR = {"sources": "source", "aliases": "alias"}


def understood_workspace(document: YamlWithLines) -> WorkspaceFile:
    """The text as a workspace; raises YamlError that names the entry and the key."""
    try:
        return understood(WorkspaceFile, document)
    except YamlError as error:
        raise YamlError(error.line, _named(str(error), document.plain)) from None


def plain_data(value: Any, what: str) -> Any:
    """A copy of JSON-like data; raises WorkspaceError for anything else."""
    if isinstance(value, Mapping):
        return {key: plain_data(item, f"{what}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_data(item, f"{what}.{index}") for index, item in enumerate(value)]
    if isinstance(value, float) and not abs(value) < float("inf"):
        raise WorkspaceError(f"{what}: {value} is no number that a file can hold.")
    for kind in (bool, str, int, float):
        if isinstance(value, kind):
            return kind(value)
    if value is None:
        return None
    raise WorkspaceError(f"{what}: a value of type {type(value).__name__} cannot be written; give text or a number.")


def entry_changed(
    section: str, old: Mapping[str, Any], values: Mapping[str, Any], remove: Collection[str]
) -> dict[str, Any]:
    """The entry with the form's values: defaults stay unwritten, and keys that the form does not know stay."""
    entry = _spare(section, old, values)
    if values.get("kind", old.get("kind")) == old.get("kind"):
        # Behind what the form knows: where a key stands in the file is not changed by this.
        entry |= {key: value for key, value in old.items() if key not in values}
    return {key: value for key, value in entry.items() if key not in remove}


def _spare(section: str, old: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without those that say nothing new; all of them if the model would take that for something else."""
    model = _model(section, _beyond_defaults(section, {**old, **values})) or _model(
        section, _beyond_defaults(section, values)
    )
    if model is None:
        return dict(values)
    spare = _without_defaults(values, model.model_dump(exclude_defaults=True, by_alias=True), old)
    again = _model(section, {**{key: value for key, value in old.items() if key not in values}, **spare})
    return spare if again == model or _model(section, spare) == model else dict(values)


def _model(section: str, values: Mapping[str, Any]) -> BaseModel | None:
    try:
        return getattr(WorkspaceFile.model_validate({section: [values]}), section)[0]
    except ValidationError:
        return None


def _beyond_defaults(section: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that differ from their defaults: some models mind that a key is there at all."""
    kind = KINDS.get(str(values.get("kind")))
    model = AliasEntry if section == "aliases" else kind.entry if kind else WorkspaceEntry
    defaults = {
        field.alias or name: to_jsonable_python(field.get_default(call_default_factory=True))
        for name, field in model.model_fields.items()
        if not field.is_required() and name not in _ALWAYS
    }
    return {key: value for key, value in values.items() if key not in defaults or not same(defaults[key], value)}


def _without_defaults(values: Mapping[str, Any], telling: Mapping[Any, Any], old: Any) -> dict[str, Any]:
    """Leaves out what is no more than its default, unless the file has it written."""
    there = old if isinstance(old, Mapping) else {}
    result: dict[str, Any] = {}
    for key, value in values.items():
        if key not in telling and key not in _ALWAYS:
            if key in there and (value not in _EMPTY or same(there[key], value)):
                result[key] = value
        else:
            result[key] = _spare_value(value, telling.get(key), there.get(key))
    return result


def _spare_value(value: Any, telling: Any, old: Any) -> Any:
    if isinstance(value, dict) and isinstance(telling, Mapping):
        return _without_defaults(value, telling, old)
    if isinstance(value, list) and isinstance(telling, list | tuple) and len(value) == len(telling):
        return [
            _spare_value(item, told, _former(old, item, index))
            for index, (item, told) in enumerate(zip(value, telling, strict=True))
        ]
    return value


def _former(entries: Any, item: Any, index: int) -> Any:
    """What the file has for an item of a list: that of the same name, or at the same place."""
    if not isinstance(entries, list):
        return None
    name = item.get("name") if isinstance(item, dict) else None
    named = (each for each in entries if name and isinstance(each, dict) and each.get("name") == name)
    return next(named, entries[index] if index < len(entries) and not name else None)


def _named(message: str, data: Mapping[str, Any]) -> str:
    """`sources.1.timeout` as somebody at a form knows it."""
    found = _ENTRY.match(message)
    if found is None:
        return message
    entry = data[found[1]][int(found[2])]
    name = entry.get("name") or entry.get("kind") if isinstance(entry, dict) else None
    whose = f"{_SINGULAR[found[1]]} {name!r}" if name else f"{_SINGULAR[found[1]]} {int(found[2]) + 1}"
    return f"{whose}{', ' if found[3] == '.' else ': '}{message[found.end() :].lstrip()}"


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
    found = [location for location, each in enumerate(entries) if same(each, entry)]
    return min(found, key=lambda location: abs(location - index), default=None)


def taken(data: Mapping[str, Any], section: str, name: str | None, *, but: int | None = None) -> None:
    """Raises WorkspaceError if another entry has the name already."""
    for index, entry in enumerate(data.get(section) or []):
        if name and index != but and isinstance(entry, Mapping) and entry.get("name") == name:
            raise WorkspaceError(f"There is already {_article(section)} {name!r}: choose another name.")


def put(data: dict[str, Any], location: Place, value: Any) -> None:
    """Sets a value, with the mappings around it; None takes it away, and what is empty then below a section."""
    if value is None and value_at(data, location[:-1]) is None:
        return
    *outer, last = location
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
    for context, part in reversed(trail[1:]):
        if isinstance(context, dict) and not context[part]:
            del context[part]


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
