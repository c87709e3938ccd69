"""Which keywords of a schema are kept, and what they must look like: documents are full of slips."""

from collections.abc import Callable, Mapping
from typing import Any

from ptc_studio.core.schema_patterns import is_broken

TYPES = frozenset(("string", "number", "integer", "boolean", "object", "array", "null"))
ONE_SCHEMA = frozenset(
    ("additionalProperties", "not", "contains", "propertyNames", "if", "then", "else", "unevaluatedProperties")
)
SCHEMA_LISTS = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
SCHEMA_MAPS = frozenset(("properties", "patternProperties", "dependentSchemas"))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value) and len(set(value)) == len(value)


def _anything(_value: Any) -> bool:
    return True


def _is_pattern(value: Any) -> bool:
    # What is no pattern in any dialect that is known here is left to the server to check.
    return isinstance(value, str) and not is_broken(value)


PLAIN: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("title", "description", "format", "contentEncoding", "contentMediaType"), _is_text),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(("uniqueItems", "deprecated"), _is_switch),
    **dict.fromkeys(("const", "default"), _anything),
    "enum": _is_list,
    "examples": _is_list,
    "required": _is_names,
    "multipleOf": lambda value: _is_number(value) and value > 0,
    "pattern": _is_pattern,
}


def types_of(value: Any) -> list[str]:
    """The known types among those that are named."""
    named = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(name for name in named if isinstance(name, str) and name in TYPES))
