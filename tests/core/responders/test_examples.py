"""Values made from a schema."""

import random
import re
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptc_studio.core.responders.example_texts import FORMATS, text_matching
from ptc_studio.core.responders.examples import example

numbers = st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6, allow_nan=False).map(lambda number: round(number, 3))
keys = st.sampled_from(["id", "name", "price", "qty", "tags", "createdAt", "größe", "a b"])


@st.composite
def numeric(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["integer", "number"]))
    schema: dict[str, Any] = {"type": kind}
    low, width = draw(numbers), draw(st.integers(2, 1000))
    if draw(st.booleans()):
        schema[draw(st.sampled_from(["minimum", "exclusiveMinimum"]))] = low
    if draw(st.booleans()):
        schema[draw(st.sampled_from(["maximum", "exclusiveMaximum"]))] = low + width
    if draw(st.booleans()):
        schema["multipleOf"] = 1 if kind == "integer" else draw(st.sampled_from([1, 0.5, 0.25]))
    return schema


@st.composite
def textual(draw: st.DrawFn) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    least = draw(st.integers(0, 30))
    if draw(st.booleans()):
        schema["minLength"] = least
    if draw(st.booleans()):
        schema["maxLength"] = least + draw(st.integers(0, 10))
    if draw(st.booleans()):
        schema["format"] = draw(st.sampled_from([*FORMATS, "unheard-of"]))
    return schema


values = st.none() | st.booleans() | numbers | st.text(max_size=8) | st.lists(st.integers(), max_size=2)
scalars = st.one_of(
    numeric(),
    textual(),
    st.sampled_from([{"type": "boolean"}, {"type": "null"}, {}, True, {"type": ["string", "null"]}]),
    st.lists(values, min_size=1, max_size=4).map(lambda options: {"enum": options}),
    values.map(lambda value: {"const": value}),
    st.builds(lambda schema, hint: {**schema, "examples": [hint], "default": hint}, numeric(), values),
    st.sampled_from(["^[A-Z]{3}-[0-9]{4}$", r"^\d+\.\d{2}$", "^(red|green)?x*$", "[^ab]+z", r"\w{5,}@\w+"]).map(
        lambda pattern: {"type": "string", "pattern": pattern}
    ),
)


@st.composite
def groups(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> dict[str, Any]:
    properties = draw(st.dictionaries(keys, inner, max_size=4))
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    schema["required"] = [name for name in properties if draw(st.booleans())]
    if draw(st.booleans()):
        schema["additionalProperties"] = draw(st.sampled_from([False, True, {"type": "integer"}]))
    if schema.get("additionalProperties") is not False and draw(st.booleans()):
        schema["minProperties"] = draw(st.integers(0, 6))
    return schema


@st.composite
def lists(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "array", "items": draw(inner)}
    least = draw(st.integers(0, 4))
    if draw(st.booleans()):
        schema["minItems"] = least
    if draw(st.booleans()):
        schema["maxItems"] = least + draw(st.integers(0, 3))
    return schema


schemas = st.recursive(
    scalars,
    lambda inner: st.one_of(
        groups(inner),
        lists(inner),
        st.builds(
            lambda word, parts: {word: parts}, st.sampled_from(["anyOf"]), st.lists(inner, min_size=1, max_size=3)
        ),
        inner.map(lambda schema: {"allOf": [schema, {"title": "Both"}]}),
        inner.map(lambda schema: {"$ref": "#/$defs/part", "$defs": {"part": schema}}).filter(lambda schema: True),
    ),
    max_leaves=8,
)


def rooted(schema: Any) -> Any:
    """References are seen from the top: those further down are not."""
    text = repr(schema)
    return schema if text.count("$ref") <= (1 if isinstance(schema, dict) and "$ref" in schema else 0) else None


@settings(max_examples=200, deadline=None, derandomize=True)
@given(schemas.filter(lambda schema: rooted(schema) is not None), st.integers(0, 3))
def test_every_value_that_is_made_fits_its_schema(schema: Any, seed: int):
    made = example(schema, seed)
    assert made.fits
    jsonschema.validate(made.value, schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"oneOf": [{"type": "integer"}, {"type": "integer", "minimum": 3}]},
        {"type": "object", "required": ["a"], "properties": {"a": {"not": {"const": 1}}}},
        {"type": "array", "uniqueItems": True, "minItems": 3, "items": {"enum": [1, 2, 3, 4]}},
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
        {"type": "array", "contains": {"const": 7}, "minContains": 2, "items": {"type": "integer"}},
        {"type": "object", "properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b", "c"]}},
        {"type": "object", "required": ["kind"], "properties": {"kind": {"enum": ["x", "y"]}, "n": {"type": "integer"}},
         "if": {"properties": {"kind": {"const": "x"}}}, "then": {"required": ["n"]}},
        {"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}}},
        {"allOf": [{"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]},
                   {"properties": {"a": {"type": "integer", "minimum": 5}, "b": {"type": "string"}}, "required": ["b"]}]},
        {"type": "integer", "minimum": 0, "exclusiveMaximum": 1},
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.001},
        {"properties": {"a": {"type": "integer"}}, "required": ["a"]},
        {"type": "string", "enum": ["a", 1, None], "minLength": 1},
        {"type": "object", "maxProperties": 1, "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}},
        {"type": "object", "additionalProperties": False, "properties": {"a": False, "b": {"type": "null"}}},
        {"type": "string", "pattern": "^[a-f0-9]{8}$", "minLength": 8, "maxLength": 8},
        {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}], "$defs": {"a": {"type": "object", "required": ["n"],
            "properties": {"n": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}}}},
    ],
)  # fmt: skip
def test_hard_schemas_are_met_as_well(schema: dict[str, Any]):
    for seed in range(5):
        made = example(schema, seed)
        jsonschema.validate(made.value, schema)
        assert made.fits


def test_the_schemas_own_examples_and_defaults_come_first():
    schema = {"type": "object", "properties": {"a": {"type": "integer", "examples": [17]}, "b": {"default": "me"}}}
    assert example(schema).value == {"a": 17, "b": "me"}
    assert example({"type": "integer", "examples": ["no integer"], "default": 4}).value == 4


def test_a_seed_gives_the_same_value_again_and_another_seed_another():
    schema = {"type": "object", "properties": {name: {"type": "integer"} for name in "abcdef"}}
    assert example(schema, 1).value == example(schema, 1).value
    assert len({str(example(schema, seed).value) for seed in range(5)}) > 1


@pytest.mark.parametrize("schema", [None, {}, True])
def test_where_nothing_is_known_it_is_null(schema: Any):
    assert example(schema).value is None
    assert example(schema).fits


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": 3},
        {"type": "array", "minItems": "many"},
        {"allOf": [{"type": "string"}, {"type": "integer"}]},
        {"type": "string", "pattern": "(?=look)around"},
        {"$ref": "#/$defs/round", "$defs": {"round": {"$ref": "#/$defs/round"}}},
        {"type": "nonsense"},
        {"not": {}},
        {"type": "integer", "minimum": 5, "maximum": 3},
    ],
)
def test_a_schema_that_nothing_fits_or_that_is_none_gives_something_and_says_so(schema: Any):
    assert not example(schema).fits


@pytest.mark.parametrize(
    "pattern",
    [
        "^a{2,4}b+$",
        "[A-Z][a-z]*",
        r"(\+\d{1,3})? ?\d{3}-\d{4}",
        "(?:x|y)(?P<n>z)",
        r"\x41\u0042[^\s]",
        "^$",
        "a|b|c",
        r"[\w.-]+@[\w-]+\.\w{2,}",
    ],
)
def test_a_text_is_made_for_a_pattern(pattern: str):
    for seed in range(20):
        text = text_matching(pattern, random.Random(seed))
        assert text is not None
        assert re.search(pattern, text)


@pytest.mark.parametrize("pattern", ["(?=a)b", r"(a)\1", "(", "*", "[", "a{3,1}", "a{99999}"])
def test_a_pattern_that_is_beyond_it_is_left_alone(pattern: str):
    assert text_matching(pattern, random.Random(1)) is None
