"""Decides how each part of a schema is drawn; what no field fits is drawn as JSON, so there is always something."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ptc_studio.core.json_schema import Flat, Part, flatten, is_list, kind_of, position_of, same
from ptc_studio.ui.forms.schema.checking import Fits
from ptc_studio.ui.forms.schema.json_text import (
    constants_of,
    cut,
    is_null,
    kind_label,
    label_of_value,
    null_variant,
    one_line,
    union_of,
    variants_by_type,
    variants_of,
)
from ptc_studio.ui.forms.schema.shapes import ABSENT, FORMATS, Shape, TextStyle, ValueChoice, Variant, is_number

LONG_DEFAULT = 80
DEEPEST = 8
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
    keywords = flat.keywords
    if flat.problem:
        return Shape("json", problem=flat.problem)
    if "const" in keywords:
        return Shape("choice", choices=(_choice(keywords["const"]),))
    if isinstance(keywords.get("enum"), list) and keywords["enum"]:
        return Shape("choice", choices=_distinct([_choice(value) for value in keywords["enum"]]))
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


ANY_WORD = {"string", "number", "boolean"}
"""What a place in an address or a command takes: whoever types it need not say of which type it is."""


def _shape_of_types(flat: Flat) -> Shape:
    types = flat.types() or flat.implied_types()
    real = [kind for kind in types if kind != "null"]
    if not types:
        return Shape("json", keywords=flat.keywords)
    if not real:
        return Shape("null")
    if set(types) == ANY_WORD:
        return Shape("json", keywords=flat.keywords)
    if len(real) > 1:
        return Shape("variants", variants=variants_by_type(flat, types))
    shape = _of_type(real[0], flat)
    return _nullable(shape) if len(types) > 1 else shape


def _of_type(kind: str, flat: Flat) -> Shape:
    keywords = flat.keywords
    if kind == "object":
        return _object(flat)
    if kind == "array":
        return Shape("array", keywords=keywords, prefix=tuple(flat.prefix), items=flat.items)
    if kind == "string":
        return Shape("text", keywords=keywords, style=_style(keywords))
    if kind in ("number", "integer"):
        return Shape("number", keywords={**keywords, "type": kind})
    if kind == "boolean":
        return Shape("boolean", keywords=keywords)
    return Shape("json", problem=f"its type {kind!r} is unknown")


def _object(flat: Flat) -> Shape:
    required = flat.keywords.get("required")
    forbidden = flat.additional is not None and any(source.schema is False for source in flat.additional)
    properties = {name: part for name, part in flat.properties.items() if not _never(part)}
    return Shape(
        "object",
        keywords=flat.keywords,
        properties=properties,
        required=frozenset(name for name in required if isinstance(name, str)) if is_list(required) else frozenset(),
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


def _nullable(shape: Shape) -> Shape:
    if shape.kind == "choice" and position_of(None, [choice.value for choice in shape.choices]) < 0:
        return replace(shape, choices=(*shape.choices, ValueChoice(None, "null")))
    if shape.kind == "variants" and not any(is_null(variant.alone) for variant in shape.variants):
        return replace(shape, variants=(*shape.variants, null_variant(shape.variants)))
    return replace(shape, nullable=shape.kind not in ("json", "null", "choice", "variants"))


def _style(keywords: Mapping[str, Any]) -> TextStyle:
    named = keywords.get("format")
    if isinstance(named, str) and named in _STYLES:
        return _STYLES[named]
    if keywords.get("writeOnly") is True:
        return "password"
    default = keywords.get("default")
    long = isinstance(default, str) and (len(default) > LONG_DEFAULT or "\n" in default)
    media = "contentMediaType" in keywords or "contentEncoding" in keywords
    return "lines" if long or media or keywords.get("x-multiline") is True else "line"


def _notes(flat: Flat) -> dict[str, Any]:
    keywords = flat.keywords
    examples = keywords.get("examples")
    given = tuple(examples) if is_list(examples) else (keywords["example"],) if "example" in keywords else ()
    return {
        "title": keywords["title"] if isinstance(keywords.get("title"), str) else "",
        "description": keywords["description"].strip() if isinstance(keywords.get("description"), str) else "",
        "default": keywords.get("default", ABSENT),
        "examples": given,
        "deprecated": keywords.get("deprecated") is True,
        "read_only": keywords.get("readOnly") is True,
    }


def _says_nothing(name: str, note: Any) -> bool:
    return name != "default" and not note


def _choice(value: Any) -> ValueChoice:
    return ValueChoice(value, label_of_value(value))


def _distinct(choices: list[ValueChoice]) -> tuple[ValueChoice, ...]:
    values: list[Any] = []
    kept: list[ValueChoice] = []
    for choice in choices:
        if position_of(choice.value, values) < 0:
            values.append(choice.value)
            kept.append(choice)
    return tuple(kept)


DEEPEST_FRESH = 6


def fresh_value(part: Part, *, depth: int = 0) -> Any:
    """The value of something required before anybody has touched it."""
    return fresh_value_of(shape_of(part), depth=depth)


def fresh_value_of(shape: Shape, *, depth: int = 0) -> Any:
    """The same, for a shape."""
    if shape.default is not ABSENT:
        return shape.default
    if shape.kind == "choice" and len(shape.choices) == 1:
        return shape.choices[0].value
    if shape.kind == "null":
        return None
    if depth >= DEEPEST_FRESH:
        return ABSENT
    if shape.kind == "object":
        return _fresh_object(shape, depth)
    if shape.kind == "array":
        prefix = [fresh_value(part, depth=depth + 1) for part in shape.prefix]
        return [] if any(value is ABSENT for value in prefix) else prefix
    return ABSENT


def _fresh_object(shape: Shape, depth: int) -> dict[str, Any]:
    made = {
        name: fresh_value(part, depth=depth + 1) for name, part in shape.properties.items() if name in shape.required
    }
    return {name: value for name, value in made.items() if value is not ABSENT}


def variant_for(value: Any, variants: Sequence[Variant], fits: Fits) -> int:
    """The position of the variant that fits, or comes nearest; -1 where not even the type is right."""
    ranked = [(_nearness(value, variant), -position) for position, variant in enumerate(variants)]
    # Of several that fit, the one that knows most of the keys: there each of them has a field.
    fitting = [rank for rank in ranked if rank[0] and fits(value, variants[-rank[1]].alone)]
    nearest, position = max(fitting or ranked, default=(0, 0))
    return -position if nearest > 0 else -1


def _nearness(value: Any, variant: Variant) -> int:
    if not _is_of_kind(value, variant):
        return 0
    if not isinstance(value, dict):
        return 1
    if variant.tag is not None and same(value.get(variant.tag[0]), variant.tag[1]):
        return 1000
    flat = flatten(variant.part)
    required = flat.keywords.get("required", ())
    return 1 + 2 * len(value.keys() & set(required)) + len(value.keys() & flat.properties.keys())


def _is_of_kind(value: Any, variant: Variant) -> bool:
    types, kind = flatten(variant.part).types(), kind_of(value)
    whole = kind == "number" and float(value).is_integer()
    return not types or kind in types or (kind == "integer" and "number" in types) or (whole and "integer" in types)


LONGEST = 60


def summary_of(shape: Shape) -> str:
    """Such as `integer, 1 to 500 · default 100`."""
    kinds = {
        "choice": lambda: "one of " + ", ".join(choice.label for choice in shape.choices[:4]),
        "variants": lambda: " or ".join(variant.label for variant in shape.variants[:4]),
    }
    kind = kinds.get(shape.kind, lambda: kind_label(flatten(shape.part)))()
    bounds = bounds_of(shape)
    default = f" · default {_brief(shape.default)}" if shape.default is not ABSENT else ""
    return f"{kind}{', ' if bounds else ''}{bounds}{default}"


def bounds_of(shape: Shape) -> str:
    """The least and the most, such as `1 to 500`; nothing if there are none."""
    keywords = shape.keywords
    if shape.kind == "number":
        return _range(keywords.get("minimum"), keywords.get("maximum"), "") or _open_range(keywords)
    if shape.kind == "text":
        return _range(None, keywords.get("maxLength"), " characters")
    if shape.kind == "array":
        return _range(keywords.get("minItems"), keywords.get("maxItems"), " items")
    return ""


def placeholder_of(shape: Shape) -> str:
    """What an empty field shows: the default, else what could stand there."""
    if shape.default is not ABSENT:
        return _brief(shape.default)
    if shape.examples:
        return f"such as {_brief(shape.examples[0])}"
    form = shape.keywords.get("format")
    if shape.kind == "text" and form in FORMATS:
        return f"such as {FORMATS[form].example}"
    return bounds_of(shape) if shape.kind == "number" else ""


def preview_of(value: Any) -> str:
    """A value in a few words, for the line of a closed group."""
    if value is ABSENT:
        return "not set"
    if isinstance(value, list):
        return "1 item" if len(value) == 1 else f"{len(value)} items" if value else "empty"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_brief(item, 20)}" for key, item in list(value.items())[:4]) or "empty"
    return _brief(value)


def _brief(value: Any, longest: int = LONGEST) -> str:
    if isinstance(value, dict | list) and len(value) > 20:
        return "{…}" if isinstance(value, dict) else "[…]"
    text = " ".join(value.split()) if isinstance(value, str) and value.strip() else one_line(value)
    return cut(text, longest)


def _range(least: Any, most: Any, unit: str) -> str:
    if least is not None and most is not None:
        return f"{label_of_value(least)} to {label_of_value(most)}{unit}"
    if least is not None:
        return f"at least {label_of_value(least)}{unit}"
    return f"at most {label_of_value(most)}{unit}" if most is not None else ""


def _open_range(keywords: Any) -> str:
    least, most = keywords.get("exclusiveMinimum"), keywords.get("exclusiveMaximum")
    parts = [f"more than {least}" if is_number(least) else "", f"less than {most}" if is_number(most) else ""]
    return ", ".join(filter(None, parts))


_GROUPS = ("object", "array")


def is_group(shape: Shape) -> bool:
    """Objects and lists are groups, and so are alternatives of which one is."""
    if shape.kind != "variants":
        return shape.kind in _GROUPS
    kinds = {shape_of(variant.part).kind for variant in shape.variants}
    return bool(kinds & {*_GROUPS, "variants"})
