"""Works on JSON Schemas as wholes: looks references up, takes properties away, puts parts together."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any
from urllib.parse import unquote

DEFINITIONS = ("$defs", "definitions")
BRANCHES = ("anyOf", "oneOf")
_PARTS = ("allOf", *BRANCHES)
_SINGLE_PARTS = ("if", "then", "else", "not")
_REF_LIMIT = 20


def looked_up(root: Any, reference: Any) -> Any:
    """What `#/$defs/Name` and the like lead to within the schema; None for what is elsewhere or nowhere."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    found = root
    for step in unquote(reference[1:]).split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping) and key in found:
            found = found[key]
        elif isinstance(found, list) and key.isascii() and key.isdigit() and int(key) < len(found):
            found = found[int(key)]
        else:
            return None
    return found


def properties_of(schema: Any) -> dict[str, Any]:
    """Its properties, if they are what properties should be."""
    found = schema.get("properties") if isinstance(schema, Mapping) else None
    return {str(name): part for name, part in found.items()} if isinstance(found, Mapping) else {}


def required_of(schema: Mapping[str, Any]) -> list[str]:
    """The names that it requires, each once."""
    found = schema.get("required")
    return list(dict.fromkeys(name for name in found if isinstance(name, str))) if isinstance(found, list) else []


def parts_of(schema: Mapping[str, Any], key: str) -> list[Any]:
    """The list under `anyOf` and the like."""
    found = schema.get(key)
    return list(found) if isinstance(found, list) else []


def without(schema: Any, hidden: AbstractSet[str]) -> dict[str, Any]:
    """The schema of arguments without these properties, wherever in its top it speaks of them."""
    if not isinstance(schema, Mapping):
        return {}
    if not hidden:
        return dict(schema)
    schema = _without_root_reference(schema)
    left: dict[str, Any] = {key: part for key, part in schema.items() if key not in ("default", "examples", "example")}
    if "properties" in left:
        left["properties"] = {name: part for name, part in properties_of(left).items() if name not in hidden}
    if "required" in left:
        left["required"] = [name for name in required_of(left) if name not in hidden]
    for key in ("dependentRequired", "dependentSchemas", "dependencies"):
        if isinstance(left.get(key), Mapping):
            left[key] = {name: _dependent(part, hidden) for name, part in left[key].items() if name not in hidden}
    for key in _PARTS:
        if key in left:
            left[key] = [_part(part, schema, hidden) for part in parts_of(left, key)]
    for key in _SINGLE_PARTS:
        if key in left:
            left[key] = _part(left[key], schema, hidden)
    return left


def pruned(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without definitions that nothing refers to: they may tell of what was taken away."""
    bare = {key: part for key, part in schema.items() if key not in DEFINITIONS}
    used = _references(bare)
    waiting = list(used)
    while waiting:
        for more in _references(looked_up(schema, waiting.pop())) - used:
            used.add(more)
            waiting.append(more)
    pointers = {unquote(reference).replace("~1", "/").replace("~0", "~") for reference in used}
    for key in DEFINITIONS:
        if isinstance(schema.get(key), Mapping):
            kept = {name: part for name, part in schema[key].items() if _leads_to(f"#/{key}/{name}", pointers)}
            if kept:
                bare[key] = kept
    return bare


def object_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same as a schema that says itself that it is an object's, as all systems want it."""
    return {**schema, "type": "object", "properties": properties_of(schema)}


def flat_object(schema: Mapping[str, Any]) -> dict[str, Any]:
    """An object's schema without alternatives at its top, which some systems refuse: what any of them has is there,
    what all of them require is required."""
    flat = merged(schema, [schema])
    for key in BRANCHES:
        branches = [merged(schema, [branch]) for branch in parts_of(flat, key) if isinstance(branch, Mapping)]
        flat.pop(key, None)
        if not branches:
            continue
        properties = properties_of(flat)
        for branch in branches:
            for name, part in properties_of(branch).items():
                properties.setdefault(name, part)
        shared = [name for name in required_of(branches[0]) if all(name in required_of(other) for other in branches)]
        flat["properties"] = properties
        flat["required"] = list(dict.fromkeys([*required_of(flat), *shared]))
    for key in (*_SINGLE_PARTS, "enum", "const", "$ref"):
        flat.pop(key, None)
    for key in DEFINITIONS:
        if key in schema:
            flat[key] = schema[key]
    return pruned(object_schema(flat))


def merged(root: Any, parts: list[Any], depth: int = 0) -> dict[str, Any]:
    """The parts of an `allOf` as one schema; where two say different things the first counts."""
    whole: dict[str, Any] = {}
    for part in parts:
        part = _referred(root, part)
        if not isinstance(part, Mapping):
            continue
        inner = parts_of(part, "allOf")
        if inner and depth < _REF_LIMIT:
            part = merged(root, [{key: value for key, value in part.items() if key != "allOf"}, *inner], depth + 1)
        _put_together(whole, part)
    return whole


def moved(schema: Any, location: str) -> Any:
    """The schema with its references right for the place `#/...` to which it goes."""
    if isinstance(schema, Mapping):
        return {
            key: f"#{location}{part[1:]}"
            if key == "$ref" and isinstance(part, str) and part[:1] == "#"
            else moved(part, location)
            for key, part in schema.items()
        }
    return [moved(part, location) for part in schema] if isinstance(schema, list) else schema


def _without_root_reference(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in schema:
        return schema
    whole = merged(schema, [{key: part for key, part in schema.items() if key != "$ref"}, {"$ref": schema["$ref"]}])
    whole.pop("$ref", None)
    return {**whole, **{key: schema[key] for key in DEFINITIONS if key in schema}}


def _part(part: Any, root: Any, hidden: AbstractSet[str]) -> Any:
    """A part of the top, with what it refers to in its place: that may speak of the hidden ones."""
    found = _referred(root, part)
    return without(found, hidden) if isinstance(found, Mapping) else found


def _dependent(part: Any, hidden: AbstractSet[str]) -> Any:
    if isinstance(part, list):
        return [name for name in part if name not in hidden]
    return without(part, hidden) if isinstance(part, Mapping) else part


def _referred(root: Any, part: Any) -> Any:
    for _ in range(_REF_LIMIT):
        if not isinstance(part, Mapping) or "$ref" not in part:
            return part
        target = looked_up(root, part["$ref"])
        rest = {key: value for key, value in part.items() if key != "$ref"}
        part = {**target, **rest} if isinstance(target, Mapping) else rest
    return {}


def _put_together(whole: dict[str, Any], part: Mapping[str, Any]) -> None:
    for key, value in part.items():
        if key == "properties":
            known = properties_of(whole)
            for name, schema in properties_of(part).items():
                known[name] = {"allOf": [known[name], schema]} if name in known and known[name] != schema else schema
            whole["properties"] = known
        elif key == "required":
            whole["required"] = list(dict.fromkeys([*required_of(whole), *required_of(part)]))
        else:
            whole.setdefault(key, value)


def _references(schema: Any) -> set[str]:
    found: set[str] = set()
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            if isinstance(part.get("$ref"), str):
                found.add(part["$ref"])
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return found


def _leads_to(location: str, pointers: AbstractSet[str]) -> bool:
    return location in pointers or any(pointer.startswith(f"{location}/") for pointer in pointers)
