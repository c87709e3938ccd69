"""Puts all that the schemas of a part say into one place: references followed, `allOf` merged."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from jsonschema.validators import (
    Draft3Validator,
    Draft4Validator,
    Draft6Validator,
    Draft7Validator,
    Draft201909Validator,
    Draft202012Validator,
)
from jsonschema_specifications import REGISTRY
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, specification_with

from ptc_studio.ui.forms.schema.values import position_of

NOWHERE = "it refers to {reference!r}, which is not in this schema"


class BrokenReference(Exception):
    """A reference that leads out of the schema or nowhere; nothing is ever fetched."""


@dataclass(frozen=True, slots=True)
class SchemaSource:
    """One schema that speaks of a value."""

    schema: Any
    resolver: Any
    skipped: frozenset[str] = field(default=frozenset())
    """Keywords that were dealt with already."""

    def within(self, schema: Any) -> "SchemaSource":
        """A schema inside this one."""
        resolver = self.resolver
        if isinstance(schema, Mapping) and isinstance(schema.get("$id"), str) and "$ref" not in schema:
            resolver = resolver.in_subresource(DRAFT202012.create_resource(schema))
        return SchemaSource(schema, resolver)

    def without(self, keywords: Iterable[str]) -> "SchemaSource":
        """The same, some keywords aside."""
        return SchemaSource(self.schema, self.resolver, self.skipped | frozenset(keywords))

    def keywords(self) -> dict[str, Any]:
        """What is left to deal with."""
        return {key: value for key, value in self.schema.items() if key not in self.skipped}

    def referred(self, reference: Any) -> "SchemaSource":
        """Where a reference leads; raises `BrokenDocumentReference`."""
        try:
            found = self.resolver.lookup(reference)
        except (Unresolvable, ValueError, TypeError, AttributeError, KeyError, IndexError, RecursionError):
            raise BrokenReference(NOWHERE.format(reference=reference)) from None
        return SchemaSource(found.contents, found.resolver)


Part: TypeAlias = tuple[SchemaSource, ...]
_DIALECTS = {
    "http://json-schema.org/draft-03/schema": Draft3Validator,
    "http://json-schema.org/draft-04/schema": Draft4Validator,
    "http://json-schema.org/draft-06/schema": Draft6Validator,
    "http://json-schema.org/draft-07/schema": Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": Draft202012Validator,
}


def root_part(schema: Any) -> Part:
    """The whole of a schema."""
    dialect = schema.get("$schema") if isinstance(schema, Mapping) else None
    specification = specification_with(dialect, default=DRAFT202012) if isinstance(dialect, str) else DRAFT202012
    registry: Any = REGISTRY.combine(Registry())
    try:
        resolver = registry.resolver_with_root(specification.create_resource(schema))
    except (ValueError, TypeError, AttributeError, KeyError):
        resolver = registry.resolver()
    return (SchemaSource(schema, resolver),)


def part_of(schema: Any, root: Any) -> Part:
    """A schema that stands by itself, with the document that its references lead into."""
    return (root_part(root)[0].within(schema),)


def validator_class(schema: Any) -> Any:
    """The dialect that the schema names; the latest one where it names none that is known."""
    named = schema.get("$schema") if isinstance(schema, Mapping) else None
    return _DIALECTS.get(named.rstrip("#"), Draft202012Validator) if isinstance(named, str) else Draft202012Validator


_UNIONS = ("oneOf", "anyOf")
_DEALT_WITH = frozenset({"$ref", "allOf", *_UNIONS, "properties", "patternProperties", "additionalProperties"})
_ITEMS = frozenset({"items", "prefixItems", "additionalItems"})
_CONDITIONS = ("then", "else")
BEYOND = ("$dynamicRef", "$recursiveRef")


@dataclass(slots=True)
class Flat:
    """What is said of one value. For drawing only: what a value must be is checked against the schema itself."""

    sources: list[SchemaSource] = field(default_factory=list)
    """Every schema that has a say, without the references that led there."""
    keywords: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, Part] = field(default_factory=dict)
    patterns: dict[str, Part] = field(default_factory=dict)
    additional: Part | None = None
    prefix: list[Part] = field(default_factory=list)
    items: Part | None = None
    unions: list[tuple[str, SchemaSource]] = field(default_factory=list)
    conditional: dict[str, Part] = field(default_factory=dict)
    """Properties that only some values have."""
    problem: str = ""
    """Why a form cannot draw it."""


def flatten(part: Part) -> Flat:
    """All that the part says."""
    flat, seen, waiting = Flat(), set[int](), list(part)
    while waiting:
        source = waiting.pop(0)
        if not isinstance(source.schema, Mapping):
            flat.problem = flat.problem or _of_no_object(source.schema)
        elif not seen & {id(source.schema)}:
            seen.add(id(source.schema))
            waiting[:0] = _absorb(flat, source)
    return flat


def _of_no_object(schema: Any) -> str:
    if schema is True:
        return ""
    return "no value is allowed here" if schema is False else "its schema is neither an object nor true or false"


def _absorb(flat: Flat, source: SchemaSource) -> list[SchemaSource]:
    """Takes over what one schema says; gives the schemas that it says more with."""
    said = source.keywords()
    flat.sources.append(source.without(("$ref", "allOf")))
    for keyword in BEYOND:
        if keyword in said:
            flat.problem = f"it uses {keyword}"
    _absorb_object(flat, source, said)
    _absorb_array(flat, source, said)
    for union in _UNIONS:
        if isinstance(said.get(union), list) and said[union]:
            flat.unions.append((union, source))
    for keyword, value in said.items():
        if keyword not in _DEALT_WITH and keyword not in _ITEMS and _is_sound(keyword, value):
            known = flat.keywords.get(keyword)
            flat.keywords[keyword] = value if keyword not in flat.keywords else _both(keyword, known, value)
    return _more(flat, source, said)


def _is_sound(keyword: str, value: Any) -> bool:
    """Whether a keyword has a value of the type that it should have; others are as good as not there."""
    expected = _TYPES.get(keyword)
    return expected is None or (isinstance(value, expected) and (expected is bool or not isinstance(value, bool)))


_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_TYPES: dict[str, Any] = {
    **dict.fromkeys(_NUMBERS, (int, float)),
    **dict.fromkeys(_COUNTS, (int, float)),
    **dict.fromkeys(("title", "description", "format", "pattern"), str),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly", "uniqueItems"), bool),
    **dict.fromkeys(("required", "enum", "examples"), list),
    "type": (str, list),
}


def _more(flat: Flat, source: SchemaSource, said: Mapping[str, Any]) -> list[SchemaSource]:
    more: list[SchemaSource] = []
    if "$ref" in said:
        try:
            more.append(source.referred(said["$ref"]))
        except BrokenReference as broken:
            flat.problem = str(broken)
    if isinstance(said.get("allOf"), list):
        more += [source.within(each) for each in said["allOf"]]
    return more


def _absorb_object(flat: Flat, source: SchemaSource, said: Mapping[str, Any]) -> None:
    for target, keyword in ((flat.properties, "properties"), (flat.patterns, "patternProperties")):
        if isinstance(said.get(keyword), Mapping):
            for name, schema in said[keyword].items():
                target[name] = (*target.get(name, ()), source.within(schema))
    if "additionalProperties" in said:
        flat.additional = (*(flat.additional or ()), source.within(said["additionalProperties"]))
    branches = [said.get(keyword) for keyword in _CONDITIONS]
    if isinstance(said.get("dependentSchemas"), Mapping):
        branches += said["dependentSchemas"].values()
    for branch in branches:
        if isinstance(branch, Mapping) and isinstance(branch.get("properties"), Mapping):
            for name, schema in branch["properties"].items():
                flat.conditional.setdefault(name, (source.within(schema),))


def _absorb_array(flat: Flat, source: SchemaSource, said: Mapping[str, Any]) -> None:
    items = said.get("items", True)
    prefix = said.get("prefixItems") or []
    if isinstance(items, list):
        # Before draft 2020-12 this is how a tuple was written.
        items, prefix = said.get("additionalItems", True), items
    for position, schema in enumerate(prefix if isinstance(prefix, list) else []):
        if position < len(flat.prefix):
            flat.prefix[position] = (*flat.prefix[position], source.within(schema))
        else:
            flat.prefix.append((source.within(schema),))
    if items is not True:
        flat.items = (*(flat.items or ()), source.within(items))


def _both(keyword: str, one: Any, other: Any) -> Any:
    """What two schemas together say; where that is not plain, the outer one."""
    merge = _MERGES.get(keyword)
    try:
        return merge(one, other) if merge else one
    except TypeError:
        return one


def _types(one: Any, other: Any) -> list[str]:
    ones, others = listed(one), listed(other)
    shared = [kind for kind in ones if kind in others or (kind == "integer" and "number" in others)]
    return shared + [kind for kind in others if kind == "integer" and "number" in ones and kind not in shared]


def _union(one: Any, other: Any) -> list[Any]:
    return [*one, *(item for item in other if item not in one)]


def _shared(one: Any, other: Any) -> list[Any]:
    return [value for value in one if position_of(value, other) >= 0]


def listed(types: Any) -> list[str]:
    """The types as a list, whichever way they were written."""
    return [types] if isinstance(types, str) else [kind for kind in types if isinstance(kind, str)] if types else []


_MERGES: dict[str, Callable[[Any, Any], Any]] = {
    "type": _types,
    "enum": _shared,
    "required": _union,
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "minItems": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
    "maxItems": min,
}
