"""The schema of a tool whose parameters are the slots of its templates: given by the user, or made of the slots."""

from collections.abc import Iterable, Mapping
from typing import Any

from ptc_studio.sources.placeholders import Slot
from ptc_studio.sources.schema_tool import schema_fault

ANY: Mapping[str, Any] = {}
TEXT: Mapping[str, Any] = {"type": ["string", "number", "boolean"]}
FLAG: Mapping[str, Any] = {"type": "boolean"}


class UnfitParameters(Exception):
    """The parameters that were given do not go with the templates; the message says why."""


def derived_schema(slots: Iterable[tuple[Slot, Mapping[str, Any]]]) -> dict[str, Any]:
    """A parameter for every slot; the same name twice is one parameter, optional only if it is so everywhere."""
    found = list(slots)
    properties: dict[str, Any] = {}
    for slot, schema in found:
        before = properties.get(slot.name)
        if before is None or before == ANY:
            properties[slot.name] = dict(schema)
    required = [name for name in properties if any(s.name == name and not s.optional and not s.flag for s, _ in found)]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def given_schema(given: Mapping[str, Any], slots: Iterable[Slot]) -> dict[str, Any]:
    """The user's schema, closed; raises UnfitParameters where it and the slots do not agree.

    Either a whole JSON Schema with `properties`, or just the properties by name.
    """
    whole = isinstance(given.get("properties"), Mapping)
    schema: dict[str, Any] = dict(given) if whole else {"properties": dict(given)}
    schema.setdefault("type", "object")
    schema.setdefault("additionalProperties", False)
    known, used = schema["properties"], {slot.name: slot for slot in slots}
    if missing := [name for name in used if name not in known]:
        raise UnfitParameters(f"{{{missing[0]}}} is used, but `parameters` has no {missing[0]!r}: add it")
    if unused := [name for name in known if name not in used]:
        raise UnfitParameters(f"the parameter {unused[0]!r} is used nowhere: write {{{unused[0]}}}, or take it away")
    if "required" not in schema:
        schema["required"] = [name for name, slot in used.items() if not _may_lack(slot, known[name])]
    if fault := schema_fault(schema):
        raise UnfitParameters(fault)
    return schema


def with_defaults(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, and the schema's defaults for those that are absent."""
    defaults = {
        name: part["default"]
        for name, part in schema["properties"].items()
        if isinstance(part, Mapping) and "default" in part
    }
    return {**defaults, **arguments}


def _may_lack(slot: Slot, schema: Any) -> bool:
    return slot.optional or bool(slot.flag) or (isinstance(schema, Mapping) and "default" in schema)
