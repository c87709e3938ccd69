"""What functions' parameters become: schema, signature, and arguments that fit."""

import dataclasses
import datetime
import enum
import typing
import uuid
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, Optional, TypedDict, Union

import jsonschema
import pydantic
import pytest

from ptc_studio.core.errors import UnfitArguments, UnfitValues
from ptc_studio.sources.functions import ParamMeta
from ptc_studio.sources.functions.annotations import UnfitFunctionError
from ptc_studio.sources.functions.definitions import plan_of
from ptc_studio.sources.functions.schema import shape_of


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Line(TypedDict):
    sku: str
    qty: NotRequired[int]


class Tree(TypedDict):
    name: str
    children: "list[Tree]"


@dataclasses.dataclass
class Basket:
    lines: list[Line]


class Address(pydantic.BaseModel):
    street: str
    point: Point


class ForeignMeta:
    """As another catalogue's `ParamMeta`."""

    def __init__(self, description: str, enum: list[str]) -> None:
        self.description = description
        self.enum = enum


ForeignMeta.__name__ = "ParamMeta"


def taking(annotation: Any, default: Any = dataclasses.MISSING) -> Callable[..., Any]:
    """A function of one parameter `a`."""
    if default is dataclasses.MISSING:

        def function(a):
            return a
    else:

        def function(a=default):
            return a

    function.__annotations__ = {"a": annotation}
    return function


def bound(function: Callable[..., Any], **arguments: Any) -> dict[str, Any]:
    return shape_of(function).bind("it", arguments)


CASES = [
    (int | None, None, None),
    (int | None, 3, 3),
    (Optional[int], None, None),  # noqa: UP045
    (Union[int, str], "5", "5"),  # noqa: UP007
    (Literal["a", 1], "a", "a"),
    (Colour, "red", Colour.RED),
    (tuple[int, str], [1, "x"], (1, "x")),
    (tuple[int, ...], [1, 2], (1, 2)),
    (set[int], [1, 2], {1, 2}),
    (frozenset[str], ["a"], frozenset({"a"})),
    (datetime.datetime, "2024-05-06T07:08:09", datetime.datetime(2024, 5, 6, 7, 8, 9)),
    (datetime.date, "2024-05-06", datetime.date(2024, 5, 6)),
    (Decimal, "1.10", Decimal("1.10")),
    (uuid.UUID, "12345678-1234-5678-1234-567812345678", uuid.UUID("12345678-1234-5678-1234-567812345678")),
    (Path, "a/b", Path("a/b")),
    (Point, {"x": 1}, Point(1)),
    (Line, {"sku": "a"}, {"sku": "a"}),
    (list[Line], [{"sku": "a", "qty": 2}], [{"sku": "a", "qty": 2}]),
    (Tree, {"name": "a", "children": [{"name": "b", "children": []}]}, None),
    (Basket, {"lines": [{"sku": "a"}]}, Basket([{"sku": "a"}])),
    (Address, {"street": "s", "point": {"x": 1, "y": 2}}, Address(street="s", point=Point(1, 2))),
    (dict[str, list[int]], {"a": [1]}, {"a": [1]}),
    (Any, [1, {"a": None}], [1, {"a": None}]),
    (None, None, None),
]


@pytest.mark.parametrize(("annotation", "given", "expected"), CASES, ids=lambda value: str(value)[:40])
def test_json_becomes_what_the_annotation_says_and_fits_the_schema(annotation, given, expected):
    shape = shape_of(taking(annotation))
    jsonschema.validate({"a": given}, shape.parameters)
    value = shape.bind("it", {"a": given})["a"]
    assert value == (given if expected is None else expected)
    assert type(value) is type(given if expected is None else expected)


def test_the_schema_is_a_closed_object_without_made_up_titles():
    def function(a: int, b: str = "x"): ...

    assert shape_of(function).parameters == {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string", "default": "x"}},
        "required": ["a"],
        "additionalProperties": False,
    }


def test_a_parameter_without_annotation_takes_anything():
    def function(a, b=None): ...

    shape = shape_of(function)
    assert shape.parameters["properties"] == {"a": {}, "b": {"default": None}}
    assert shape.bind("it", {"a": [1]}) == {"a": [1]}


def test_the_signature_has_order_defaults_and_written_types():
    def function(a: int, b: Colour | None = None, *, c: Annotated[str, ParamMeta("x")] = "y", _hidden=1): ...

    signature = shape_of(function).signature
    assert [(p.name, p.required, p.default, p.keyword_only) for p in signature] == [
        ("a", True, None, False),
        ("b", False, None, False),
        ("c", False, "y", True),
    ]
    assert signature[0].annotation == "int"
    assert signature[1].annotation == "Colour | None"
    assert signature[2].annotation == "str"


def test_hidden_parameters_and_collectors_are_not_seen_and_not_taken():
    def function(a: int, _secret: int = 1, *args: int, _context: Any = None, **kwargs: int): ...

    shape = shape_of(function)
    assert list(shape.parameters["properties"]) == ["a"]
    for name in ("_secret", "_context", "args", "kwargs", "other"):
        with pytest.raises(UnfitArguments, match=f"unexpected '{name}' \\(takes a\\)"):
            shape.bind("it", {"a": 1, name: 1})


def test_a_hidden_parameter_that_nobody_can_fill_makes_the_function_unfit():
    def function(_secret): ...

    with pytest.raises(UnfitFunctionError, match="'_secret' is hidden from scripts, so it needs a default"):
        shape_of(function)


@pytest.mark.parametrize(
    "name", ["model_config", "schema", "copy", "json", "class_", "self", "cls", "model_fields", "dict", "validate"]
)
def test_any_name_is_good_for_a_parameter(name):
    space: dict[str, Any] = {}
    exec(f"def function({name}: int, other: int = 2): return {name}", space)
    assert shape_of(space["function"]).bind("it", {name: "4"}) == {name: 4}


@pytest.mark.parametrize(
    ("default", "in_schema"),
    [
        (Path("x/y"), "x/y"),
        (Colour.RED, "red"),
        (Point(1), {"x": 1, "y": 0}),
        ((1, 2), [1, 2]),
        (object(), ...),
        (float("inf"), ...),
        (lambda: 1, ...),
    ],
)
def test_any_default_keeps_the_parameter_optional_and_stays_the_functions_own(default, in_schema):
    function = taking(Any, default)
    shape = shape_of(function)
    assert "required" not in shape.parameters
    assert shape.parameters["properties"]["a"].get("default", ...) == in_schema
    assert shape.bind("it", {}) == {}
    assert plan_of(function).call({}) is default


def test_param_meta_describes_and_limits_a_parameter():
    def function(
        unit: Annotated[str, ParamMeta(description="The unit.", enum=["km", "mi"])],
        maybe: Annotated[str | None, ParamMeta(enum=["a"])] = None,
        some: Annotated[list[str], ParamMeta(enum=["a", "b"])] = [],  # noqa: B006
        nested: Optional[Annotated[int, ParamMeta(enum=[1])]] = None,  # noqa: UP045
    ): ...

    shape = shape_of(function)
    properties = shape.parameters["properties"]
    assert properties["unit"] == {"type": "string", "description": "The unit.", "enum": ["km", "mi"]}
    assert properties["maybe"]["enum"] == ["a", None]
    assert properties["some"]["items"] == {"type": "string", "enum": ["a", "b"]}
    assert shape.bind("it", {"unit": "km", "maybe": None, "some": ["b"]})["unit"] == "km"
    with pytest.raises(UnfitValues, match="'unit' should be 'km' or 'mi', got 'm'"):
        shape.bind("it", {"unit": "m"})
    with pytest.raises(UnfitValues, match="'some' should be 'a' or 'b'"):
        shape.bind("it", {"unit": "km", "some": ["c"]})
    with pytest.raises(UnfitValues, match="'nested' should be 1, got 2"):
        shape.bind("it", {"unit": "km", "nested": 2})


def test_another_catalogues_param_meta_is_read_too():
    shape = shape_of(taking(Annotated[str, ForeignMeta("Which.", ["x"])]))
    assert shape.parameters["properties"]["a"] == {"type": "string", "description": "Which.", "enum": ["x"]}


def test_string_annotations_are_resolved_with_the_modules_names():
    shape = shape_of(taking("list[Point]"))
    assert shape.bind("it", {"a": [{"x": 1}]}) == {"a": [Point(1)]}


def test_a_name_that_cannot_be_resolved_is_named():
    with pytest.raises(UnfitFunctionError, match=r"parameter 'a' names 'Missing'"):
        shape_of(taking("list[Missing]"))


@pytest.mark.parametrize("annotation", ["what it is", "1 +"])
def test_an_annotation_that_is_no_type_is_an_error_of_that_function(annotation):
    with pytest.raises(UnfitFunctionError, match="'a'"):
        shape_of(taking(annotation))


def test_a_class_without_json_form_leaves_the_schema_open():
    class Socket: ...

    assert shape_of(taking(Socket)).parameters["properties"]["a"] == {}


def two(a: int, b: int) -> int:
    return a + b


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"a": 1}, "missing 'b'"),
        ({}, "missing 'a'; missing 'b'"),
        ({"a": 1, "b": 2, "c": 3}, "unexpected 'c' (takes a, b)"),
        ({"a": "x", "c": 3}, "missing 'b'; unexpected 'c' (takes a, b)"),
    ],
)
def test_missing_and_unexpected_arguments_are_type_errors(arguments, reason):
    with pytest.raises(UnfitArguments) as caught:
        bound(two, **arguments)
    assert type(caught.value) is UnfitArguments
    assert str(caught.value) == f"Invalid parameters for tool 'it': {reason}"


@pytest.mark.parametrize(
    ("annotation", "given", "reason"),
    [
        (int, "x", "'a' should be a valid integer, got 'x'"),
        (str, 5, "'a' should be a valid string, got 5"),
        (int | str, [], "'a' should be a valid integer or a valid string, got []"),
        (list[int], [1, "y"], "'a[1]' should be a valid integer, got 'y'"),
        (Point, {}, "'a.x' is missing"),
        (list[Line], [{"sku": "s", "z": 1}], "'a[0].z' is unexpected"),
        (tuple[int, int], [1], "'a[1]' is missing"),
        (Annotated[str, pydantic.Field(min_length=2)], "s", "'a' should have at least 2 characters, got 's'"),
        (Literal["a", "b"], "c", "'a' should be 'a' or 'b', got 'c'"),
        (int, "y" * 500, "'a' should be a valid integer, got '" + "y" * 78 + "…"),
    ],
)
def test_wrong_values_are_value_errors_that_name_the_place(annotation, given, reason):
    with pytest.raises(UnfitValues) as caught:
        bound(taking(annotation), a=given)
    assert str(caught.value).removeprefix("Invalid parameters for tool 'it': ") == reason


def test_a_users_validator_gives_the_reason():
    def even(value: int) -> int:
        if value % 2:
            raise ValueError("must\nbe even")
        return value

    with pytest.raises(UnfitValues, match="'a': must be even, got 3"):
        bound(taking(Annotated[int, pydantic.AfterValidator(even)]), a=3)


def test_a_function_without_parameters_says_so():
    with pytest.raises(UnfitArguments, match=r"unexpected 'a' \(takes no arguments\)"):
        bound(lambda: None, a=1)


def test_positional_only_parameters_are_filled_by_name():
    def function(a, b=2, c=3, /, d=4):
        return a, b, c, d

    call = plan_of(function).call
    assert call({"a": 1}) == (1, 2, 3, 4)
    assert call({"a": 1, "c": 9, "d": 8}) == (1, 2, 9, 8)


def test_required_keys_written_as_text_are_honoured():
    space: dict[str, Any] = {"__name__": __name__, "typing": typing}
    exec(
        "from __future__ import annotations\n"
        "class Order(typing.TypedDict, total=False):\n"
        "    number: typing.Required[int]\n"
        "    note: str\n"
        "def function(a: Order): ...\n",
        space,
    )
    with pytest.raises(UnfitValues, match=r"'a.number' is missing"):
        bound(space["function"], a={"note": "x"})
