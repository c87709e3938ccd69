"""Says in one plain sentence what jsonschema found."""

from collections.abc import Callable, Mapping
from typing import Any

from jsonschema.exceptions import ValidationError

from ptc_studio.ui.forms.schema.alternatives import label_of_value
from ptc_studio.ui.forms.schema.flattening import listed
from ptc_studio.ui.forms.schema.formats import EXAMPLES, NAMES
from ptc_studio.ui.forms.schema.values import same

MOST_LISTED = 6
LONGEST = 200
_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def sentence_of(error: ValidationError) -> str:
    """What to mend."""
    say = _SENTENCES.get(str(error.validator))
    try:
        text = say(error) if say else _cut(f"{error.message}.")
    except (TypeError, KeyError, AttributeError, ValueError):
        text = _cut(f"{error.message}.")
    return text


def _type(error: ValidationError) -> str:
    return f"Must be {_either([_TYPES.get(kind, kind) for kind in listed(error.validator_value)])}."


def _enum(error: ValidationError) -> str:
    values = list(_any(error.validator_value))
    more = f" or {len(values) - MOST_LISTED} others" if len(values) > MOST_LISTED else ""
    return _cut(f"Must be one of {', '.join(map(label_of_value, values[:MOST_LISTED]))}{more}.")


def _length(error: ValidationError, least: bool) -> str:
    count = error.validator_value
    if least and count == 1:
        return "Must not be empty."
    return f"Must have at {'least' if least else 'most'} {count} characters; it has {len(_any(error.instance))}."


def _items(error: ValidationError, least: bool) -> str:
    count = error.validator_value
    word = "item" if count == 1 else "items"
    return f"Must have at {'least' if least else 'most'} {count} {word}; it has {len(_any(error.instance))}."


def _keys(error: ValidationError, least: bool) -> str:
    return f"Must have at {'least' if least else 'most'} {error.validator_value} keys."


def _unique(error: ValidationError) -> str:
    items = list(_any(error.instance))
    for position, item in enumerate(items):
        for earlier in range(position):
            if same(items[earlier], item):
                return f"Items {earlier + 1} and {position + 1} are the same; each may stand here once."
    return "Each item may stand here once."


def _additional(error: ValidationError) -> str:
    known = list(_any(error.schema).get("properties", ()))
    return _cut(f"Unknown key; known are {', '.join(known)}." if known else "Unknown key; none is known here.")


def _format(error: ValidationError) -> str:
    name = str(error.validator_value)
    return f"Does not look like {NAMES.get(name, name)}, such as {EXAMPLES.get(name, name)}."


def _one_of(error: ValidationError) -> str:
    if "valid under each of" in error.message:
        return "Fits more than one of the alternatives and must fit exactly one."
    return "Fits none of the alternatives."


def _dependent(error: ValidationError) -> str:
    missing = [
        (key, name)
        for key, names in _any(error.validator_value).items()
        if key in _any(error.instance) and isinstance(names, list)
        for name in names
        if name not in _any(error.instance)
    ]
    key, name = missing[0]
    return f"{name!r} is required when {key!r} is given."


def _multiple(error: ValidationError) -> str:
    return f"Must be a multiple of {error.validator_value}."


def _bound(words: str) -> Callable[[ValidationError], str]:
    return lambda error: f"Must be {words} {error.validator_value}."


_SENTENCES: Mapping[str, Callable[[ValidationError], str]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda error: _cut(f"Must be {label_of_value(error.validator_value)}."),
    "required": lambda _: "Required.",
    "minimum": _bound("at least"),
    "maximum": _bound("at most"),
    "exclusiveMinimum": _bound("more than"),
    "exclusiveMaximum": _bound("less than"),
    "multipleOf": _multiple,
    "minLength": lambda error: _length(error, True),
    "maxLength": lambda error: _length(error, False),
    "pattern": lambda error: _cut(f"Must match the pattern {error.validator_value}"),
    "format": _format,
    "minItems": lambda error: _items(error, True),
    "maxItems": lambda error: _items(error, False),
    "uniqueItems": _unique,
    "contains": lambda _: "Lacks an item of the kind that the schema asks for, or has too many of them.",
    "minProperties": lambda error: _keys(error, True),
    "maxProperties": lambda error: _keys(error, False),
    "additionalProperties": _additional,
    "unevaluatedProperties": lambda _: "Has a key that the schema does not allow.",
    "unevaluatedItems": lambda _: "Has an item that the schema does not allow.",
    "dependentRequired": _dependent,
    "dependencies": _dependent,
    "oneOf": _one_of,
    "anyOf": lambda _: "Fits none of the alternatives.",
    "not": lambda _: "Is just what the schema excludes.",
    "None": lambda _: "No value is allowed here.",
}


def _any(value: Any) -> Any:
    return value


def _either(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
