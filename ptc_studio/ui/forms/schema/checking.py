"""Checks a value against the whole schema and says what is wrong, each fault at its place."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

from jsonschema.exceptions import UnknownType, ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable

from ptc_studio.core.json_schema import Part, SchemaSource, listed, same
from ptc_studio.core.schema_validation import additional_names, checking_class, dialect_of, schema_error
from ptc_studio.ui.forms.schema.json_text import cut, label_of_value
from ptc_studio.ui.forms.schema.shapes import FORMATS, FieldError, Path, looks_right

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
                return f"Items {earlier + 1} and {position + 1} are the same; each may appear only once."
    return "Each item may appear only once."


def _additional_sentence(error: ValidationError) -> str:
    known = list(_any(error.schema).get("properties", ()))
    return _cut(f"Unknown key; known are {', '.join(known)}." if known else "Unknown key; none is known here.")


def _format_sentence(error: ValidationError) -> str:
    name = str(error.validator_value)
    form = FORMATS.get(name)
    return f"Does not look like {form.name if form else name}, such as {form.example if form else name}."


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
    "format": _format_sentence,
    "minItems": lambda error: _items(error, True),
    "maxItems": lambda error: _items(error, False),
    "uniqueItems": _unique,
    "contains": lambda _: "Lacks an item of the kind that the schema asks for, or has too many of them.",
    "minProperties": lambda error: _keys(error, True),
    "maxProperties": lambda error: _keys(error, False),
    "additionalProperties": _additional_sentence,
    "unevaluatedProperties": lambda _: "Has a key that the schema does not allow.",
    "unevaluatedItems": lambda _: "Has an item that the schema does not allow.",
    "dependentRequired": _dependent,
    "dependencies": _dependent,
    "oneOf": _one_of,
    "anyOf": lambda _: "Fits none of the alternatives.",
    "not": lambda _: "The schema does not allow this value.",
    "None": lambda _: "No value is allowed here.",
}


def _any(value: Any) -> Any:
    return value


def _either(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _cut(text: str) -> str:
    return cut(text, LONGEST)


Chosen = Mapping[Path, tuple[str, int]]
"""The alternative that the user chose, per place: the keyword and the position in it."""
MOST_FAULTS = 200
_CANNOT = "This part of the schema cannot be checked here: {why}."
_TROUBLE = (
    Unresolvable,
    UnknownType,
    re.error,
    TypeError,
    ValueError,
    KeyError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)


class Checker:
    """Knows one schema. Nothing is fetched: a reference that leads out of it is reported."""

    def __init__(self, schema: Any) -> None:
        self._schema = schema
        try:
            self._validator: Any = checking_class(dialect_of(schema), _OURS)(schema, registry=Registry())
        except _TROUBLE:
            self._validator = None

    @cached_property
    def problem(self) -> str:
        """What is wrong with the schema itself, in one sentence. Takes longer than drawing it: asked for late."""
        try:
            return _problem_of(json.dumps(self._schema))
        except _TROUBLE as error:
            return f"The schema is broken: {error}."

    def faults(self, value: Any, chosen: Chosen | None = None, part: Part | None = None) -> list[FieldError]:
        """All that is wrong, outer things first; of alternatives, what is wrong with the chosen one.

        With a part, by that part alone.
        """
        if self._validator is None or self.problem:
            return []
        validators = [self._validator] if part is None else [self._of(source) for source in part]
        found: dict[tuple[Path, str], FieldError] = {}
        try:
            for error in chain.from_iterable(each.iter_errors(_plain(value)) for each in validators):
                for fault in _faults_of(error, chosen or {}):
                    found.setdefault((fault.path, fault.message), fault)
                if len(found) >= MOST_FAULTS:
                    break
        except _TROUBLE as error:
            why = str(error).strip().split("\n")[0] or type(error).__name__
            found[(), ""] = FieldError((), _CANNOT.format(why=why), advice=True)
        return sorted(found.values(), key=lambda fault: (fault.advice, len(fault.path)))

    def fits(self, value: Any, part: Part) -> bool:
        """Whether the value is right by this part alone."""
        if self._validator is None:
            return False
        try:
            return all(self._of(source).is_valid(_plain(value)) for source in part)
        except _TROUBLE:
            return False

    def _of(self, source: SchemaSource) -> Any:
        schema = source.schema if isinstance(source.schema, bool | Mapping) else True
        return self._validator.evolve(schema=schema, _resolver=source.resolver)


@lru_cache(maxsize=256)
def _problem_of(schema: str) -> str:
    """Remembered by the schema's text: a tool's form is opened again and again."""
    error = schema_error(json.loads(schema))
    return f"The schema is broken{error}." if error else ""


def _format(validator: Any, form: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "string") and isinstance(form, str) and not looks_right(form, instance):
        yield ValidationError(f"is no {form!r}")


def _additional(validator: Any, additional: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    for key in additional_names(instance, schema):
        if additional is False:
            yield ValidationError("unknown key", path=(key,))
        elif additional is not True:
            yield from validator.descend(instance[key], additional, path=key)


_OURS = (("additionalProperties", _additional), ("format", _format))
"""Keywords that say more here than elsewhere: where a key stands that is not known, and what does not look right."""


def _faults_of(error: ValidationError, chosen: Chosen) -> Iterator[FieldError]:
    path = tuple(error.absolute_path)
    if error.validator in ("anyOf", "oneOf") and error.context:
        inner = _of_branch(error, path, chosen)
        if inner:
            for each in inner:
                yield from _faults_of(each, chosen)
            return
    if error.validator == "required":
        for name in error.validator_value:  # type: ignore[union-attr]
            if name not in error.instance:  # type: ignore[operator]
                yield FieldError((*path, name), "Required.", "required")
        return
    yield FieldError(path, sentence_of(error), str(error.validator), advice=error.validator == "format")


def _of_branch(error: ValidationError, path: Path, chosen: Chosen) -> list[ValidationError]:
    """The errors of the one alternative that was meant; none if that cannot be told."""
    branches: dict[int, list[ValidationError]] = {}
    for each in error.context or ():
        branches.setdefault(int(each.schema_path[0]), []).append(each)
    keyword, index = chosen.get(path, ("", -1))
    if keyword == error.validator and index in branches:
        return branches[index]
    meant = [errors for errors in branches.values() if not _is_another_kind(errors, path)]
    return meant[0] if len(meant) == 1 else []


def _is_another_kind(errors: list[ValidationError], path: Path) -> bool:
    """Whether the value is of a type, or has a constant, that this alternative has no place for."""
    return any(
        (each.validator == "type" and tuple(each.absolute_path) == path)
        or (each.validator in ("const", "enum") and len(each.absolute_path) <= len(path) + 1)
        for each in errors
    )


def _plain(value: Any) -> Any:
    """The value with floats for decimals, which jsonschema cannot divide."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


Fits = Callable[[Any, Part], bool]
