"""Decides how each part of a schema is drawn; what no field fits is drawn as JSON, so there is always something."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeGuard

from ptc_studio.ui.forms.schema.alternatives import (
    constants_of,
    is_null,
    label_of_value,
    null_variant,
    union_of,
    variants_by_type,
    variants_of,
)
from ptc_studio.ui.forms.schema.flattening import Flat, flatten, listed
from ptc_studio.ui.forms.schema.parts import Part
from ptc_studio.ui.forms.schema.shapes import Choice, Shape, TextStyle
from ptc_studio.ui.forms.schema.values import ABSENT, position_of

LONG_DEFAULT = 80
DEEPEST = 8
_OBJECT = ("required", "minProperties", "maxProperties", "propertyNames", "dependentRequired")
_ARRAY = ("minItems", "maxItems", "uniqueItems", "contains")
_TEXT = ("minLength", "maxLength", "pattern", "format", "contentMediaType", "contentEncoding")
_NUMBER = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_STYLES: dict[str, TextStyle] = {
    "multiline": "lines",
    "textarea": "lines",
    "password": "password",
    "path": "file",
    "file-path": "file",
    "directory-path": "folder",
    "date": "moment",
    "time": "moment",
    "date-time": "moment",
}


def shape_of(part: Part) -> Shape:
    """How a value of this part is drawn."""
    return _shape_within(part, 0)


def _shape_within(part: Part, depth: int) -> Shape:
    flat = flatten(part)
    shape = _shape(flat, depth)
    notes = {name: note for name, note in _notes(flat).items() if note is not ABSENT and not _says_nothing(name, note)}
    return replace(shape, part=part, **notes)


def _shape(flat: Flat, depth: int) -> Shape:
    said = flat.keywords
    if flat.problem:
        return Shape("json", problem=flat.problem)
    if "const" in said:
        return Shape("choice", choices=(_choice(said["const"]),))
    if isinstance(said.get("enum"), list) and said["enum"]:
        return Shape("choice", choices=_distinct([_choice(value) for value in said["enum"]]))
    union = union_of(flat)
    return _shape_of_types(flat) if union is None else _shape_of_union(flat, *union, depth)


def _shape_of_union(flat: Flat, keyword: str, source: Any, depth: int) -> Shape:
    variants = variants_of(flat, keyword, source)
    constants = constants_of(variants)
    if constants:
        return Shape("choice", choices=_distinct(list(constants)))
    real = [variant for variant in variants if not is_null(variant.alone)]
    if depth > DEEPEST:
        return Shape("json", problem="it is one of its own alternatives")
    if len(real) == 1:
        only = _shape_within(real[0].part, depth + 1)
        return _nullable(only) if len(variants) > 1 else only
    return Shape("variants", variants=variants)


def _shape_of_types(flat: Flat) -> Shape:
    types = list(dict.fromkeys(listed(flat.keywords.get("type")))) or _implied(flat)
    real = [kind for kind in types if kind != "null"]
    if not types:
        return Shape("json", keywords=flat.keywords)
    if not real:
        return Shape("null")
    if len(real) > 1:
        return Shape("variants", variants=variants_by_type(flat, types))
    shape = _of_type(real[0], flat)
    return _nullable(shape) if len(types) > 1 else shape


def _of_type(kind: str, flat: Flat) -> Shape:
    said = flat.keywords
    if kind == "object":
        return _object(flat)
    if kind == "array":
        return Shape("array", keywords=said, prefix=tuple(flat.prefix), items=flat.items)
    if kind == "string":
        return Shape("text", keywords=said, style=_style(said))
    if kind in ("number", "integer"):
        return Shape("number", keywords={**said, "type": kind})
    if kind == "boolean":
        return Shape("boolean", keywords=said)
    return Shape("json", problem=f"its type {kind!r} is unknown")


def _object(flat: Flat) -> Shape:
    required = flat.keywords.get("required")
    forbidden = flat.additional is not None and any(source.schema is False for source in flat.additional)
    properties = {name: part for name, part in flat.properties.items() if not _never(part)}
    return Shape(
        "object",
        keywords=flat.keywords,
        properties=properties,
        required=frozenset(name for name in required if isinstance(name, str)) if _is_list(required) else frozenset(),
        patterns=flat.patterns,
        additional=flat.additional,
        offers_keys=_offers_keys(flat, forbidden=forbidden),
        key_hints=tuple(name for name in flat.conditional if name not in properties),
    )


def _offers_keys(flat: Flat, *, forbidden: bool) -> bool:
    if forbidden:
        return bool(flat.patterns)
    free = not flat.properties and "unevaluatedProperties" not in flat.keywords
    return flat.additional is not None or bool(flat.patterns) or bool(flat.conditional) or free


def _never(part: Part) -> bool:
    return any(source.schema is False for source in part)


def _implied(flat: Flat) -> list[str]:
    """The type that keywords without a type speak of."""
    said = flat.keywords
    if flat.properties or flat.patterns or flat.additional is not None or any(key in said for key in _OBJECT):
        return ["object"]
    if flat.prefix or flat.items is not None or any(key in said for key in _ARRAY):
        return ["array"]
    if any(key in said for key in _TEXT):
        return ["string"]
    return ["number"] if any(key in said for key in _NUMBER) else []


def _nullable(shape: Shape) -> Shape:
    if shape.kind == "choice" and position_of(None, [choice.value for choice in shape.choices]) < 0:
        return replace(shape, choices=(*shape.choices, Choice(None, "null")))
    if shape.kind == "variants" and not any(is_null(variant.alone) for variant in shape.variants):
        return replace(shape, variants=(*shape.variants, null_variant(shape.variants)))
    return replace(shape, nullable=shape.kind not in ("json", "null", "choice", "variants"))


def _style(said: Mapping[str, Any]) -> TextStyle:
    named = said.get("format")
    if isinstance(named, str) and named in _STYLES:
        return _STYLES[named]
    if said.get("writeOnly") is True:
        return "password"
    default = said.get("default")
    long = isinstance(default, str) and (len(default) > LONG_DEFAULT or "\n" in default)
    media = "contentMediaType" in said or "contentEncoding" in said
    return "lines" if long or media or said.get("x-multiline") is True else "line"


def _notes(flat: Flat) -> dict[str, Any]:
    said = flat.keywords
    examples = said.get("examples")
    given = tuple(examples) if _is_list(examples) else (said["example"],) if "example" in said else ()
    return {
        "title": said["title"] if isinstance(said.get("title"), str) else "",
        "description": said["description"].strip() if isinstance(said.get("description"), str) else "",
        "default": said.get("default", ABSENT),
        "examples": given,
        "deprecated": said.get("deprecated") is True,
        "read_only": said.get("readOnly") is True,
    }


def _says_nothing(name: str, note: Any) -> bool:
    return name != "default" and not note


def _choice(value: Any) -> Choice:
    return Choice(value, label_of_value(value))


def _distinct(choices: list[Choice]) -> tuple[Choice, ...]:
    values: list[Any] = []
    kept: list[Choice] = []
    for choice in choices:
        if position_of(choice.value, values) < 0:
            values.append(choice.value)
            kept.append(choice)
    return tuple(kept)


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)
