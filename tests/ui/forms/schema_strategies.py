"""Random schemas with values that fit them, and schemas that are beyond all sense."""

from typing import Any

from hypothesis import strategies as st

Values = st.SearchStrategy[Any]
Pair = tuple[Any, Values]
"""A schema, and the values that fit it."""

numbers = st.one_of(st.integers(-(10**20), 10**20), st.floats(allow_nan=False, allow_infinity=False))
atoms = st.one_of(st.none(), st.booleans(), numbers, st.text(max_size=12))
json_values: Values = st.recursive(
    atoms,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)),
    max_leaves=12,
)
names = st.sampled_from(["a", "b", "name", "kind", "über", "with space", ""])
ODD = [1, 1.5, "1", None, True, [1], {"a": 1}]

scalars: st.SearchStrategy[Pair] = st.sampled_from(
    [
        ({"type": "string"}, st.text(max_size=20)),
        ({"type": "string", "minLength": 2, "default": "zz"}, st.text(min_size=2, max_size=9)),
        ({"type": "string", "format": "date"}, st.dates().map(str)),
        ({"type": "string", "format": "password"}, st.text(max_size=9)),
        ({"type": "string", "contentMediaType": "text/plain"}, st.text(max_size=40)),
        ({"type": "string", "format": "directory-path"}, st.text(max_size=9)),
        ({"type": "string", "not": {"const": "x"}}, st.text(max_size=9).filter("x".__ne__)),
        ({"type": "integer", "minimum": -3}, st.integers(-3, 10**25)),
        ({"type": "number"}, numbers),
        ({"type": "boolean"}, st.booleans()),
        ({"type": "null"}, st.none()),
        ({"type": ["string", "null"]}, st.one_of(st.text(max_size=9), st.none())),
        ({"type": ["integer", "boolean", "string"]}, st.one_of(st.integers(), st.booleans(), st.text(max_size=9))),
        ({"enum": ODD}, st.sampled_from(ODD)),
        ({"const": {"x": [1]}}, st.just({"x": [1]})),
        ({"oneOf": [{"const": 1, "title": "One"}, {"const": "1", "title": "Text"}]}, st.sampled_from([1, "1"])),
        (True, json_values),
        ({}, json_values),
        ({"not": {"type": "string"}}, json_values.filter(lambda value: not isinstance(value, str))),
        ({"$ref": "#/$defs/nowhere"}, json_values),
        ({"$ref": "https://example.org/else.json"}, json_values),
    ]
)


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    properties = draw(st.dictionaries(names, inner, max_size=4))
    required = [name for name in properties if draw(st.booleans())]
    extra = draw(st.sampled_from(["none", "true", "false", "schema"]))
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: pair[0] for name, pair in properties.items()},
        "required": required,
    }
    given = st.fixed_dictionaries(
        {name: properties[name][1] for name in required},
        optional={name: pair[1] for name, pair in properties.items() if name not in required},
    )
    if extra == "none":
        more: Values = json_values
    elif extra == "schema":
        schema["additionalProperties"], more = draw(inner)
    else:
        schema["additionalProperties"], more = extra == "true", json_values
    if extra == "false":
        return schema, given
    others = st.dictionaries(st.text(max_size=5).filter(lambda key: key not in properties), more, max_size=2)
    return schema, st.builds(lambda one, other: {**other, **one}, given, others)


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    prefix = draw(st.lists(inner, max_size=2))
    schema, values = draw(inner)
    whole: dict[str, Any] = {"type": "array", "items": schema, "maxItems": 5}
    if prefix:
        whole["prefixItems"] = [pair[0] for pair in prefix]
    rest = st.lists(values, max_size=3)
    return whole, st.builds(lambda first, more: [*first, *more], st.tuples(*(pair[1] for pair in prefix)), rest)


@st.composite
def unions(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    pairs = draw(st.lists(inner, min_size=1, max_size=3))
    keyword = draw(st.sampled_from(["anyOf", "oneOf"]))
    return {keyword: [pair[0] for pair in pairs]}, st.one_of([pair[1] for pair in pairs])


@st.composite
def referring(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    schema, values = draw(inner)
    return {"allOf": [schema, {"title": "Both"}]}, values


pairs: st.SearchStrategy[Pair] = st.recursive(
    scalars,
    lambda inner: st.one_of(objects(inner), objects(inner), arrays(inner), unions(inner), referring(inner)),
    max_leaves=8,
)

KEYWORDS = [
    "type", "properties", "required", "items", "prefixItems", "anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref",
    "$defs", "format", "pattern", "minimum", "maxItems", "additionalProperties", "patternProperties", "default", "title",
    "description", "examples", "if", "then", "dependentRequired", "discriminator", "$id", "$schema", "propertyNames",
]  # fmt: skip
nonsense: st.SearchStrategy[Any] = st.recursive(
    st.one_of(atoms, st.sampled_from(["string", "object", "array", "#", "#/$defs/a", "date", "(((", "http://x/y#z"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4),
        st.dictionaries(names, inner, max_size=3),
    ),
    max_leaves=14,
)
"""Anything that could be sent where a schema is expected."""
