"""Values for a tool from the words of a command, typed by the tool's JSON Schema."""

from collections.abc import Mapping
from typing import Any

from ptc_studio.core import codec
from ptc_studio.core.tools import JsonSchema

_DEEPEST = 8
_UNREADABLE = object()


def kinds(schema: Any, root: JsonSchema, depth: int = 0) -> frozenset[str]:
    """The JSON types that the schema allows; empty where it says nothing."""
    if not isinstance(schema, Mapping) or depth > _DEEPEST:
        return frozenset()
    if "$ref" in schema:
        return kinds(_referred(str(schema["$ref"]), root), root, depth + 1)
    told = schema.get("type", ())
    found = {told} if isinstance(told, str) else set(told)
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        found |= kinds(choice, root, depth + 1)
    if not found:
        found = {
            kind_of(value) for value in (*schema.get("enum", ()), *([schema["const"]] if "const" in schema else ()))
        }
    return frozenset(found)


def value_of(words: list[str], schema: Any, root: JsonSchema) -> Any:
    """What one option stands for; given several times, it is a list."""
    allowed = kinds(schema, root)
    if "array" in allowed:
        return _list(words, schema, root, allowed)
    if len(words) > 1:
        return [_single(word, allowed) for word in words]
    return _single(words[0], allowed)


def kind_of(value: Any) -> str:
    """The JSON type of a value."""
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case None:
            return "null"
        case list() | tuple():
            return "array"
        case _:
            return "object"


def _list(words: list[str], schema: Any, root: JsonSchema, allowed: frozenset[str]) -> Any:
    if len(words) == 1:
        whole = _single(words[0], allowed)
        if isinstance(whole, list) or (not isinstance(whole, str) and kind_of(whole) in allowed):
            return whole
    inner = kinds(_items(schema, root), root)
    items: list[Any] = []
    for word in words:
        read = _read(word)
        if isinstance(read, list) and "array" not in inner:
            items += read
        else:
            items.append(_single(word, inner))
    return items


def _single(word: str, allowed: frozenset[str]) -> Any:
    """A text stays one wherever the parameter takes texts and the word is nothing else that it takes."""
    read = _read(word)
    if not allowed:
        return word if read is _UNREADABLE else read
    kind = None if read is _UNREADABLE else kind_of(read)
    fits = kind in allowed or (kind == "integer" and "number" in allowed)
    if fits and kind not in ("string", "null"):
        return read
    if "string" in allowed or read is _UNREADABLE:
        return word
    return read


def _read(word: str) -> Any:
    try:
        return codec.decode(word)
    except ValueError:
        return _UNREADABLE


def _items(schema: Any, root: JsonSchema) -> Any:
    if "$ref" in schema:
        return _items(_referred(str(schema["$ref"]), root), root)
    for choice in (schema, *schema.get("anyOf", ()), *schema.get("oneOf", ())):
        if "items" in choice:
            return choice["items"]
    return {}


def _referred(reference: str, root: JsonSchema) -> Any:
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found.get(part, {}) if isinstance(found, Mapping) else {}
    return found
