"""Whatever a function's types are, a value that fits them reaches it unchanged and fits its schema."""

import types
from typing import Any, Literal, Optional, Union

import jsonschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ptc_studio.sources.functions.definitions import plan_of
from ptc_studio.sources.functions.schema import shape_of

Typed = tuple[Any, st.SearchStrategy[Any]]
"""An annotation and the JSON values that fit it."""

TEXT = st.text(st.characters(codec="utf-8"), max_size=8)
LITERALS = st.lists(
    st.one_of(st.integers(-5, 5), st.sampled_from(["a", "b", "c"])), min_size=1, max_size=4, unique=True
)


def leaves() -> st.SearchStrategy[Typed]:
    return st.one_of(
        st.sampled_from(
            [
                (int, st.integers()),
                (float, st.floats(allow_nan=False, allow_infinity=False)),
                (str, TEXT),
                (bool, st.booleans()),
                (None, st.none()),
            ]
        ),
        LITERALS.map(lambda values: (Literal[tuple(values)], st.sampled_from(values))),
    )


def grown(inner: st.SearchStrategy[Typed]) -> st.SearchStrategy[Typed]:
    return st.one_of(
        inner.map(lambda typed: (list[typed[0]], st.lists(typed[1], max_size=3))),
        inner.map(lambda typed: (dict[str, typed[0]], st.dictionaries(TEXT, typed[1], max_size=3))),
        inner.map(lambda typed: (Optional[typed[0]], st.none() | typed[1])),  # noqa: UP045
        st.lists(inner, min_size=1, max_size=3).map(a_tuple),
        st.lists(inner, min_size=2, max_size=3).map(a_union),
    )


def a_tuple(members: list[Typed]) -> Typed:
    return tuple[tuple(typed[0] for typed in members)], st.tuples(*(typed[1] for typed in members)).map(list)


def a_union(members: list[Typed]) -> Typed:
    return Union[tuple(typed[0] for typed in members)], st.one_of(*(typed[1] for typed in members))  # noqa: UP007


def as_json(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    return {key: as_json(item) for key, item in value.items()} if isinstance(value, dict) else value


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(typed=st.recursive(leaves(), grown, max_leaves=5), data=st.data(), optional=st.booleans())
def test_a_fitting_value_reaches_the_function_and_fits_its_schema(typed: Typed, data: st.DataObject, optional: bool):
    def function(value):
        return value

    function.__annotations__ = {"value": typed[0]}
    function.__defaults__ = (types,) if optional else None
    value = data.draw(typed[1])
    shape = shape_of(function)

    jsonschema.Draft202012Validator(dict(shape.parameters)).validate({"value": value})
    assert as_json(plan_of(function).call(shape.bind("it", {"value": value}))) == value
