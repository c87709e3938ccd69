"""The one reader of JSON Schema: references followed, `allOf` merged, alternatives found, for forms, examples, exports
and shells. Nothing is fetched, and whatever makes no sense is as good as not there."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from typing import Any, TypeAlias, TypeGuard

NOWHERE = "it refers to {reference!r}, which is not in this schema"


@dataclass(frozen=True, slots=True)
class SchemaSource:
    """One schema that says something of a value."""

    schema: Any
    make_resolver: Callable[[], Any]
    skipped: frozenset[str] = field(default=frozenset())
    """Keywords that were dealt with already."""

    @property
    def resolver(self) -> Any:
        """What follows references from here; made when it is first asked for, since most schemas have none."""
        return self.make_resolver()

    def within(self, schema: Any) -> "SchemaSource":
        """A schema inside this one."""
        if is_mapping(schema) and isinstance(schema.get("$id"), str) and "$ref" not in schema:
            return SchemaSource(schema, cache(lambda: _within_resource(self.resolver, schema)))
        return SchemaSource(schema, self.make_resolver)

    def without(self, keywords: Iterable[str]) -> "SchemaSource":
        """The same, some keywords aside."""
        return SchemaSource(self.schema, self.make_resolver, self.skipped | frozenset(keywords))

    def keywords(self) -> dict[str, Any]:
        """What is left to deal with."""
        return {key: value for key, value in self.schema.items() if key not in self.skipped}

    def referred(self, reference: Any) -> "SchemaSource | None":
        """Where a reference leads; None if that is out of the schema or nowhere."""
        from referencing.exceptions import Unresolvable

        try:
            found = self.resolver.lookup(reference)
        except (Unresolvable, ValueError, TypeError, AttributeError, KeyError, IndexError, RecursionError):
            return None
        return SchemaSource(found.contents, lambda: found.resolver)


Part: TypeAlias = tuple[SchemaSource, ...]
"""All the schemas that say something of one value."""


def root_part(schema: Any) -> Part:
    """The whole of a schema."""
    return (SchemaSource(schema, cache(lambda: _root_resolver(schema))),)


def part_of(schema: Any, root: Any) -> Part:
    """A schema that stands by itself, with the document that its references lead into."""
    return (root_part(root)[0].within(schema),)


# What follows references is imported late: it is large, and few schemas have any.
def _root_resolver(schema: Any) -> Any:
    from jsonschema_specifications import REGISTRY  # pyright: ignore[reportMissingTypeStubs]
    from referencing.jsonschema import DRAFT202012, specification_with

    dialect = schema.get("$schema") if is_mapping(schema) else None
    specification = specification_with(dialect, default=DRAFT202012) if isinstance(dialect, str) else DRAFT202012
    registry: Any = REGISTRY
    try:
        return registry.resolver_with_root(specification.create_resource(schema))
    except (ValueError, TypeError, AttributeError, KeyError):
        return registry.resolver()


def _within_resource(resolver: Any, schema: Any) -> Any:
    from referencing.jsonschema import DRAFT202012

    return resolver.in_subresource(DRAFT202012.create_resource(schema))


def is_mapping(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether it is an object, of whatever."""
    return isinstance(value, Mapping)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether it is a list, of whatever."""
    return isinstance(value, list)


def properties_of(schema: Any) -> dict[str, Any]:
    """Its properties, if they are what properties should be."""
    found = schema.get("properties") if is_mapping(schema) else None
    return {str(name): part for name, part in found.items()} if is_mapping(found) else {}


def required_of(schema: Mapping[str, Any]) -> list[str]:
    """The names that it requires, each once."""
    return list(dict.fromkeys(name for name in parts_of(schema, "required") if isinstance(name, str)))


def parts_of(schema: Mapping[str, Any], key: str) -> list[Any]:
    """The list under `anyOf` and the like."""
    found = schema.get(key)
    return list(found) if is_list(found) else []


def listed(types: Any) -> list[str]:
    """The types as a list, whichever way they were written."""
    return [types] if isinstance(types, str) else [kind for kind in types if isinstance(kind, str)] if types else []


UNIONS = ("oneOf", "anyOf")
_DEALT_WITH = frozenset({"$ref", "allOf", *UNIONS, "properties", "patternProperties", "additionalProperties"})
_ITEMS = frozenset({"items", "prefixItems", "additionalItems"})
_CONDITIONS = ("then", "else")
BEYOND = ("$dynamicRef", "$recursiveRef")


@dataclass(slots=True)
class Flat:
    """What is said of one value. What a value must be is checked against the schema itself."""

    sources: list[SchemaSource] = field(default_factory=list[SchemaSource])
    """Every schema that has a say, without the references that led there."""
    keywords: dict[str, Any] = field(default_factory=dict[str, Any])
    properties: dict[str, Part] = field(default_factory=dict[str, Part])
    patterns: dict[str, Part] = field(default_factory=dict[str, Part])
    additional: Part | None = None
    prefix: list[Part] = field(default_factory=list[Part])
    items: Part | None = None
    unions: list[tuple[str, SchemaSource]] = field(default_factory=list[tuple[str, SchemaSource]])
    """The keywords of alternatives, each with the schema that it stands in."""
    conditional: dict[str, Part] = field(default_factory=dict[str, Part])
    """Properties that only some values have."""
    problem: str = ""
    """Why a form cannot draw it."""

    def choices(self) -> list[Part]:
        """Every alternative by itself."""
        return [(source.within(each),) for keyword, source in self.unions for each in source.schema[keyword]]

    def types(self) -> list[str]:
        """The types that it names, each once."""
        return list(dict.fromkeys(listed(self.keywords.get("type"))))

    def implied_types(self) -> list[str]:
        """The type that keywords without a type tell of."""
        known = self.keywords.keys()
        if self.properties or self.patterns or self.additional is not None or known & _OBJECT:
            return ["object"]
        if self.prefix or self.items is not None or known & _ARRAY:
            return ["array"]
        return ["string"] if known & _TEXT else ["number"] if known & _NUMBERS else []


def flatten(part: Part) -> Flat:
    """All that the part says."""
    flat, seen, waiting = Flat(), set[int](), list(part)
    while waiting:
        source = waiting.pop(0)
        if not is_mapping(source.schema):
            flat.problem = flat.problem or _of_no_object(source.schema)
        elif id(source.schema) not in seen:
            seen.add(id(source.schema))
            waiting[:0] = _absorb(flat, source)
    return flat


def _of_no_object(schema: Any) -> str:
    if schema is True:
        return ""
    return "no value is allowed here" if schema is False else "its schema is neither an object nor true or false"


def _absorb(flat: Flat, source: SchemaSource) -> list[SchemaSource]:
    """Takes over what one schema says; gives the schemas that it says more with."""
    keywords = source.keywords()
    flat.sources.append(source.without(("$ref", "allOf")))
    for keyword in BEYOND:
        if keyword in keywords:
            flat.problem = f"it uses {keyword}"
    _absorb_object(flat, source, keywords)
    _absorb_array(flat, source, keywords)
    flat.unions += [(union, source) for union in UNIONS if parts_of(keywords, union)]
    for keyword, value in keywords.items():
        if keyword not in _DEALT_WITH and keyword not in _ITEMS and _is_sound(keyword, value):
            known = flat.keywords.get(keyword)
            flat.keywords[keyword] = value if keyword not in flat.keywords else _both(keyword, known, value)
    return _more(flat, source, keywords)


def _more(flat: Flat, source: SchemaSource, keywords: Mapping[str, Any]) -> list[SchemaSource]:
    more = [source.within(each) for each in parts_of(keywords, "allOf")]
    if "$ref" not in keywords:
        return more
    referred = source.referred(keywords["$ref"])
    if referred is None:
        flat.problem = NOWHERE.format(reference=keywords["$ref"])
        return more
    return [referred, *more]


def _absorb_object(flat: Flat, source: SchemaSource, keywords: Mapping[str, Any]) -> None:
    for target, keyword in ((flat.properties, "properties"), (flat.patterns, "patternProperties")):
        named = keywords.get(keyword)
        for name, schema in named.items() if is_mapping(named) else ():
            target[name] = (*target.get(name, ()), source.within(schema))
    if "additionalProperties" in keywords:
        flat.additional = (*(flat.additional or ()), source.within(keywords["additionalProperties"]))
    dependent = keywords.get("dependentSchemas")
    branches = [keywords.get(keyword) for keyword in _CONDITIONS]
    for branch in [*branches, *(dependent.values() if is_mapping(dependent) else ())]:
        for name, schema in properties_of(branch).items():
            flat.conditional.setdefault(name, (source.within(schema),))


def _absorb_array(flat: Flat, source: SchemaSource, keywords: Mapping[str, Any]) -> None:
    items: Any = keywords.get("items", True)
    prefix = parts_of(keywords, "prefixItems")
    if is_list(items):
        # Before draft 2020-12 this is how a tuple was written.
        items, prefix = keywords.get("additionalItems", True), items
    for position, schema in enumerate(prefix):
        if position < len(flat.prefix):
            flat.prefix[position] = (*flat.prefix[position], source.within(schema))
        else:
            flat.prefix.append((source.within(schema),))
    if items is not True:
        flat.items = (*(flat.items or ()), source.within(items))


_OBJECT = frozenset({"required", "minProperties", "maxProperties", "propertyNames", "dependentRequired"})
_ARRAY = frozenset({"minItems", "maxItems", "uniqueItems", "contains"})
_TEXT = frozenset({"minLength", "maxLength", "pattern", "format", "contentMediaType", "contentEncoding"})
_NUMBERS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_TYPES: dict[str, Any] = {
    **dict.fromkeys((*_NUMBERS, *_COUNTS), (int, float)),
    **dict.fromkeys(("title", "description", "format", "pattern"), str),
    **dict.fromkeys(("deprecated", "readOnly", "writeOnly", "uniqueItems"), bool),
    **dict.fromkeys(("required", "enum", "examples"), list),
    "type": (str, list),
}


def _is_sound(keyword: str, value: Any) -> bool:
    """Whether a keyword has a value of the type that it should have; others are as good as not there."""
    expected = _TYPES.get(keyword)
    return expected is None or (isinstance(value, expected) and (expected is bool or not isinstance(value, bool)))


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


_MERGES: dict[str, Callable[[Any, Any], Any]] = {
    "type": _types,
    "enum": _shared,
    "required": _union,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), max),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), min),
}


def kind_of(value: Any) -> str:
    """The type of a value in the words of JSON Schema."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float | Decimal):
        return "number"
    kind = type(value).__name__
    return {"str": "string", "list": "array", "dict": "object"}.get(kind, kind)


def same(one: Any, other: Any) -> bool:
    """Whether two values are one in kind, too: 1, 1.0 and true are three."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if is_mapping(one):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if is_list(one):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float):
        return repr(one) == repr(other)
    if isinstance(one, Decimal):
        return str(one) == str(other)
    return one == other


def position_of(value: Any, values: Sequence[Any]) -> int:
    """Where the very value stands; -1 if it is not there."""
    return next((position for position, candidate in enumerate(values) if same(value, candidate)), -1)
