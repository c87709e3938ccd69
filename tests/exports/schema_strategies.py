"""Schemas at random: most of them sensible, some of them not."""

from typing import Any

from hypothesis import strategies as st

_KEYS = st.sampled_from(
    ["a", "b", "value", "a-b", "class", "int", "x y", "__m", "ü", "self", "new", "*/", '"', "None", "\u2028", ""]
) | st.text(max_size=6)
_NAMES = (
    "add",
    "calc.mul",
    "get-sum",
    "list",
    "a.b.c",
    "class",
    "Any",
    "tools",
    "new",
    "x" * 90,
    "1st",
    "ü.ö",
    "calc",
    "__x",
)
_VALUES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just([1]) | st.just({"a": 1})
)
_REFERENCES = st.sampled_from(
    ["#/$defs/A", "#/$defs/B", "#", "#/nowhere", "https://example.org/x", "#/properties/a", 7]
)


def names() -> st.SearchStrategy[str]:
    """Names of tools."""
    return st.sampled_from(_NAMES) | st.text(min_size=1, max_size=8)


def schemas() -> st.SearchStrategy[Any]:
    """Schemas of objects, with definitions that refer to each other."""
    return st.builds(
        lambda properties, required, more, definitions: {
            "type": "object",
            "properties": properties,
            "required": required,
            "$defs": definitions,
            **more,
        },
        st.dictionaries(_KEYS, _parts(), max_size=4),
        st.lists(_KEYS, max_size=3),
        st.fixed_dictionaries(
            {},
            optional={
                "additionalProperties": st.booleans() | _parts(),
                "description": st.text(max_size=20),
                "anyOf": st.lists(_parts(), max_size=3),
            },
        ),
        st.fixed_dictionaries({"A": _parts(), "B": _parts()}),
    )


def _parts() -> st.SearchStrategy[Any]:
    leaves = st.one_of(
        st.sampled_from([True, False, {}, None, 7, "x", []]),
        st.builds(
            lambda kind: {"type": kind},
            st.sampled_from(["string", "number", "integer", "boolean", "null", "object", "array", "odd"]),
        ),
        st.builds(
            lambda kinds: {"type": kinds},
            st.lists(st.sampled_from(["string", "null", "object", "array", "integer"]), max_size=3),
        ),
        st.builds(lambda values: {"enum": values}, st.lists(_VALUES, max_size=4)),
        st.builds(lambda value: {"const": value}, _VALUES),
        st.builds(lambda to, null: {"$ref": to, **null}, _REFERENCES, st.sampled_from([{}, {"nullable": True}])),
    )
    return st.recursive(leaves, _containers, max_leaves=8)


def _containers(part: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(part, max_size=3)
    return st.one_of(
        st.builds(lambda items: {"type": "array", "items": items}, part),
        st.builds(lambda items, least, more: {"type": "array", "prefixItems": items, "minItems": least, **more}, several, st.integers(-1, 4), st.sampled_from([{}, {"items": False}, {"items": {"type": "string"}}])),
        st.builds(lambda values: {"type": "object", "additionalProperties": values}, part),
        st.builds(lambda values: {"patternProperties": {"^x": values}}, part),
        st.builds(
            lambda properties, required, text: {"type": "object", "properties": properties, "required": required, "description": text},
            st.dictionaries(_KEYS, part, max_size=3), st.lists(_KEYS, max_size=2), st.text(max_size=20),
        ),
        st.builds(lambda key, parts, base: {key: parts, **base}, st.sampled_from(["anyOf", "oneOf", "allOf"]), several, st.sampled_from([{}, {"type": "object", "properties": {"k": {}}}])),
    )  # fmt: skip
