"""What a form gives for an entry, and what of it goes into the file."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import to_jsonable_python

from ptc_studio.storage.lined_file import understood
from ptc_studio.storage.lined_yaml import LinedYaml, YamlFault
from ptc_studio.storage.workspace import WorkspaceError, WorkspaceFile
from ptc_studio.storage.yaml_changes import same

_ALWAYS = ("kind", "name")
_EMPTY = (None, "", [], {})
_ENTRY = re.compile(r"(sources|aliases)\.(\d+)(\.|:)")
_SINGULAR = {"sources": "source", "aliases": "alias"}


def understood_workspace(document: LinedYaml) -> WorkspaceFile:
    """The text as a workspace; raises YamlFault that names the entry and the key."""
    try:
        return understood(WorkspaceFile, document)
    except YamlFault as fault:
        raise YamlFault(fault.line, _named(str(fault), document.plain)) from None


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
    models = _models(WorkspaceFile.model_fields[section].annotation)
    model = next((each for each in models if _has_kind(each, values.get("kind"))), None)
    defaults = {
        field.alias or name: to_jsonable_python(field.get_default(call_default_factory=True))
        for name, field in (model.model_fields.items() if model else ())
        if not field.is_required() and name not in _ALWAYS
    }
    return {key: value for key, value in values.items() if key not in defaults or not same(defaults[key], value)}


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models that stand somewhere in a type."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)


def _has_kind(model: type[BaseModel], kind: Any) -> bool:
    return "kind" not in model.model_fields or kind in get_args(model.model_fields["kind"].annotation)


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
