"""Reads schemas for whoever makes values of them: where references lead, what parts come to together, which kind."""

from collections.abc import Iterable, Mapping
from typing import Any, cast
from urllib.parse import unquote

LONGEST_WAY = 20
_BY_KEYWORD = {
    "properties": "object",
    "required": "object",
    "additionalProperties": "object",
    "minProperties": "object",
    "items": "array",
    "prefixItems": "array",
    "minItems": "array",
    "contains": "array",
    "pattern": "string",
    "format": "string",
    "minLength": "string",
    "maxLength": "string",
    "minimum": "number",
    "maximum": "number",
    "exclusiveMinimum": "number",
    "exclusiveMaximum": "number",
    "multipleOf": "number",
}
_HIGHEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_LOWEST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


def resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema with what its `$ref` leads to, within the same document; what leads nowhere says nothing."""
    one = schema
    for _ in range(LONGEST_WAY):
        reference = one.get("$ref")
        if not isinstance(reference, str):
            return one
        rest = {key: value for key, value in one.items() if key != "$ref"}
        one = joined(_at(root, reference), [rest]) if rest else _at(root, reference)
    return {}


def joined(schema: Mapping[str, Any], parts: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What all of them together ask for, as far as one schema can say it."""
    whole = dict(schema)
    for part in parts:
        for key, value in part.items():
            whole[key] = _both(key, whole[key], value) if key in whole else value
    return whole


def kind_of(schema: Mapping[str, Any], attempt: int) -> str:
    """The type to make, by what the schema says of it; empty if it says nothing."""
    kinds: Any = schema.get("type")
    if isinstance(kinds, str):
        return kinds
    if isinstance(kinds, list) and kinds:
        names = [str(kind) for kind in cast("list[Any]", kinds)]
        real = [name for name in names if name != "null"] or names
        return [*real, *(name for name in names if name not in real)][attempt % len(names)]
    return next((kind for keyword, kind in _BY_KEYWORD.items() if keyword in schema), "")


def _both(key: str, one: Any, other: Any) -> Any:
    if key == "properties":
        shared = [name for name in one if name in other and _maps(one[name], other[name])]
        return {**one, **other, **{name: joined(one[name], [other[name]]) for name in shared}}
    if key in ("required", "prefixItems"):
        return list(dict.fromkeys([*one, *other])) if key == "required" else other
    if key == "type":
        return _common(one, other)
    if key == "enum":
        return [value for value in one if value in other] or one
    if key in ("allOf", "anyOf", "oneOf"):
        return [*one, *other] if key == "allOf" else other
    if key in _HIGHEST:
        return max(one, other)
    if key in _LOWEST:
        return min(one, other)
    if key in ("items", "additionalProperties", "contains") and _maps(one, other):
        return joined(one, [other])
    return other if one is not False else one


def _common(one: Any, other: Any) -> Any:
    """The types that both allow; a whole number is a number."""
    first = cast("list[Any]", one) if isinstance(one, list) else [one]
    second = cast("list[Any]", other) if isinstance(other, list) else [other]
    shared = [kind for kind in first if kind in second]
    if not shared and "number" in (*first, *second) and "integer" in (*first, *second):
        return "integer"
    if not shared:
        return cast("Any", other)
    return shared[0] if len(shared) == 1 else shared


def _maps(*values: Any) -> bool:
    return all(isinstance(value, Mapping) for value in values)


def _at(root: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return _anchored(root, reference)
    found: Any = root
    for part in reference[2:].split("/"):
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        try:
            found = cast("list[Any]", found)[int(key)] if isinstance(found, list) else found[key]
        except (LookupError, TypeError, ValueError):
            return {}
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def _anchored(root: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    """A definition that has its own name, as `#thing` or a whole address."""
    name = reference.removeprefix("#")
    definitions: Mapping[str, Any] = {**(root.get("definitions") or {}), **(root.get("$defs") or {})}
    for each in definitions.values():
        one: Mapping[str, Any] = cast("Mapping[str, Any]", each) if isinstance(each, Mapping) else {}
        if name in (one.get("$anchor"), one.get("$id")):
            return one
    return {}
