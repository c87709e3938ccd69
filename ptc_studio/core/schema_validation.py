"""Makes everything that checks values against JSON Schemas: no pattern can stall it, and nothing is fetched for it.

The dialects are those of jsonschema, but for the keywords that match patterns: those use RE2, because Python's engine
can take longer than the universe is old for a pattern that a server sends, and nothing can interrupt it.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, cast

import attrs
from jsonschema import FormatChecker, validators
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.protocols import Validator
from referencing import Registry
from referencing.jsonschema import lookup_recursive_ref

from ptc_studio.core.schema_patterns import is_broken, is_match, unmatched_because

Keyword = Callable[[Any, Any, Any, Any], Iterator[ValidationError]]
VALUES = ("const", "enum", "default", "example", "examples")
"""Keywords whose values are no schemas."""
MOST_NOTES = 3
MOST_PARTS = 10_000
"""So many parts of an unusual schema are checked by the schema of schemas: a tenth of a millisecond each."""
_NO_FORMATS = FormatChecker(())
_DIALECTS: Mapping[str, Any] = {
    "http://json-schema.org/draft-03/schema": validators.Draft3Validator,
    "http://json-schema.org/draft-04/schema": validators.Draft4Validator,
    "http://json-schema.org/draft-06/schema": validators.Draft6Validator,
    "http://json-schema.org/draft-07/schema": validators.Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": validators.Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": validators.Draft202012Validator,
}


def validator_of(schema: Any) -> Validator:
    """What checks values against the schema, in the dialect that it names."""
    return checking_class(dialect_of(schema))(schema, registry=cast("Any", Registry)())


def schema_error(schema: Any) -> str:
    """What is wrong with the schema itself, and where; empty if it can be used."""
    try:
        if not _is_usual(schema):
            dialect_of(schema).check_schema(schema, format_checker=_NO_FORMATS)
    except SchemaError as error:
        location = "/".join(map(str, error.path))
        return f"{f' at {location}' if location else ''}: {error.message}"
    except (RecursionError, _TooLarge):
        return f": it is nested too deep, or has more than {MOST_PARTS:,} parts"
    broken = next((pattern for pattern in patterns_in(schema) if is_broken(pattern)), None)
    return "" if broken is None else f": {broken[:200]!r} is not a 'regex'"


def pattern_notes(schema: Any) -> list[str]:
    """A sentence for each pattern that nothing is checked by."""
    reasons = {pattern: unmatched_because(pattern) for pattern in patterns_in(schema)}
    notes = [f"The pattern {pattern[:200]!r} is not checked here: {why}." for pattern, why in reasons.items() if why]
    more = len(notes) - MOST_NOTES
    return [*notes[:MOST_NOTES], f"{more} more patterns are not checked here."] if more > 0 else notes


def patterns_in(schema: Any) -> Iterator[str]:
    """All patterns of the schema, and of what is in it."""
    seen: set[int] = set()
    left: list[Any] = [schema]
    while left:
        part = left.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, list):
            left += cast("list[Any]", part)
        elif keywords := _object(part):
            if isinstance(keywords.get("pattern"), str):
                yield keywords["pattern"]
            yield from filter(is_text, _object(keywords.get("patternProperties")))
            left += [value for keyword, value in keywords.items() if keyword not in VALUES]


def dialect_of(schema: Any) -> Any:
    """The dialect that the schema names; the latest one where it names none that is known."""
    named = _object(schema).get("$schema")
    latest = validators.Draft202012Validator
    return _DIALECTS.get(named.rstrip("#"), latest) if isinstance(named, str) else latest


class _TooLarge(Exception):
    """A schema with more parts than are looked at."""


def _is_usual(schema: Any) -> bool:
    """Whether the schema is right at first sight: a hundred times as quick as asking the schema of schemas.

    False if it takes a closer look; raises _TooLarge if that would take too long.
    """
    usual, left, parts = True, [schema], 0
    while left:
        part = left.pop()
        parts += 1
        if isinstance(part, bool):
            continue
        keywords = _object(part)
        usual = usual and isinstance(part, Mapping) and all(_is_right(*item) for item in keywords.items())
        if parts > (100 * MOST_PARTS if usual else MOST_PARTS):
            raise _TooLarge
        for keyword, value in keywords.items():
            left += _parts_of(keyword, value)
    return usual


def _parts_of(keyword: str, value: Any) -> list[Any]:
    """The schemas right below a keyword; what no keyword is known for counts as such."""
    if keyword in VALUES:
        return []
    if keyword in _NAMED_PARTS or keyword not in _PLAIN:
        return [*_object(value).values()] or (list(cast("list[Any]", value)) if isinstance(value, list) else [])
    if keyword in _LISTED_PARTS and isinstance(value, list):
        return list(cast("list[Any]", value))
    return [value] if keyword in _ONE_PART else []


def _is_right(keyword: str, value: Any) -> bool:
    check = _PLAIN.get(keyword)
    return check is not None and check(value)


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_filled_list(value: Any) -> bool:
    return isinstance(value, list) and value != []


def _are_names(value: Any) -> bool:
    names = cast("list[Any]", value) if isinstance(value, list) else []
    return bool(names) and all(map(is_text, names)) and len(set(names)) == len(names)


_NAMED_PARTS = ("properties", "patternProperties", "$defs", "definitions")
_LISTED_PARTS = ("allOf", "anyOf", "oneOf")
_ONE_PART = ("items", "additionalProperties", "not")
_TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
_PLAIN: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("title", "description", "format", "pattern"), is_text),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), is_size),
    **dict.fromkeys(("minimum", "maximum"), is_number),
    **dict.fromkeys(_NAMED_PARTS, lambda value: isinstance(value, Mapping)),
    **dict.fromkeys(_LISTED_PARTS, _is_filled_list),
    **dict.fromkeys(_ONE_PART, lambda value: isinstance(value, Mapping | bool)),
    "type": lambda value: value in _TYPES if is_text(value) else _are_names(value) and set(value) <= set(_TYPES),
    "enum": _is_filled_list,
    "required": _are_names,
    "$ref": lambda value: is_text(value) and value.startswith("#"),
    "$schema": lambda value: is_text(value) and value.rstrip("#") in _LATER_DIALECTS,
    **dict.fromkeys(("const", "default", "example"), lambda _value: True),
}
"""The usual keywords, and what all dialects since the sixth draft say of their values."""
_LATER_DIALECTS = frozenset(list(_DIALECTS)[2:])


@lru_cache(maxsize=32)
def checking_class(dialect: Any, more: tuple[tuple[str, Keyword], ...] = ()) -> Any:
    """The dialect with patterns that cannot stall, and with more keywords, or other meanings of them."""
    keywords: dict[str, Keyword] = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    }
    if "unevaluatedProperties" in dialect.VALIDATORS:
        keywords["unevaluatedProperties"] = _unevaluated_properties
    made = cast("Any", validators).extend(dialect, {**keywords, **dict(more)})
    # jsonschema would go back to its own dialect wherever a part of the schema names one.
    made.evolve = attrs.evolve
    return made


def additional_names(instance: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """The names that neither `properties` nor `patternProperties` of the schema speak of, as far as can be told."""
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    return [
        name for name in instance if name not in known and all(is_match(pattern, name) is False for pattern in patterns)
    ]


def _pattern(validator: Any, pattern: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "string") and is_match(pattern, instance) is False:
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    for pattern, schema in patterns.items():
        for name, value in instance.items():
            if is_match(pattern, name):
                yield from validator.descend(value, schema, path=name, schema_path=pattern)


def _additional_properties(validator: Any, additional: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    names = additional_names(instance, schema)
    if validator.is_type(additional, "object"):
        for name in names:
            yield from validator.descend(instance[name], additional, path=name)
    elif not additional and names:
        yield ValidationError(f"Additional properties are not allowed ({_unexpected(names)})")


def _unevaluated_properties(validator: Any, given: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    evaluated = set(_evaluated(validator, instance, schema))
    left = [name for name, value in instance.items() if name not in evaluated and not _fits(validator, value, given)]
    if left:
        yield ValidationError(f"Unevaluated properties are not allowed ({_unexpected(left)})")


def _evaluated(validator: Any, instance: Any, schema: Any) -> Iterator[str]:
    """The names in the instance that the schema, or what applies of its parts, speaks of."""
    keywords = _object(schema)
    known = _object(keywords.get("properties"))
    yield from (name for name in instance if name in known)
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in keywords:
            yield from (name for name in instance if _fits(validator, instance[name], keywords[keyword]))
    for pattern in keywords.get("patternProperties", ()):
        yield from (name for name in instance if is_match(pattern, name) is not False)
    for part in _applicable(validator, instance, keywords):
        yield from _evaluated(validator, instance, part)
    for found in _referred(validator, keywords):
        inner = validator.evolve(schema=found.contents, _resolver=found.resolver)
        yield from _evaluated(inner, instance, found.contents)


def _applicable(validator: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
    """The parts of the schema that speak of the same instance, and fit it."""
    yield from (part for name, part in schema.get("dependentSchemas", {}).items() if name in instance)
    for keyword in ("allOf", "oneOf", "anyOf"):
        yield from (part for part in schema.get(keyword, ()) if _fits(validator, instance, part))
    if "if" in schema:
        holds = _fits(validator, instance, schema["if"])
        yield from (schema[keyword] for keyword in (("if", "then") if holds else ("else",)) if keyword in schema)


def _referred(validator: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
    """Where the references of the schema lead."""
    resolver = validator._resolver  # noqa: SLF001 - as the keywords of jsonschema itself do
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in schema:
            yield resolver.lookup(schema[keyword])
    if "$recursiveRef" in schema:
        yield lookup_recursive_ref(resolver)


def _fits(validator: Any, instance: Any, schema: Any) -> bool:
    return next(validator.descend(instance, schema), None) is None


def _object(schema: Any) -> Mapping[str, Any]:
    """The keywords of a schema; none where it is true, false or no schema at all."""
    return cast("Mapping[str, Any]", schema) if isinstance(schema, Mapping) else {}


def _unexpected(names: list[str]) -> str:
    return f"{', '.join(map(repr, names))} {'was' if len(names) == 1 else 'were'} unexpected"
