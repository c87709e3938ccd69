"""Whatever the schema, a value goes in and comes out exactly as it was."""

import datetime
import decimal
import enum
import pathlib
import uuid
from typing import Annotated, Any, Literal, NamedTuple, Optional

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, SecretStr, TypeAdapter
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from ptc_studio.core.json_schema import root_part
from ptc_studio.ui.forms import ABSENT, SchemaForm, read_json, same, write_json
from ptc_studio.ui.forms.row import FormRow
from ptc_studio.ui.forms.schema.shaping import shape_of
from tests.ui.forms.schema_strategies import json_values, nonsense, pairs

QUIET = settings(
    max_examples=100,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)


def open_all(row: FormRow) -> None:
    """Opens every group that holds something, so that every value is in a field of its own."""
    if row.value() is not ABSENT:
        row.set_open(True)
        for child in list(row.field.rows().values()) if row.field else ():
            open_all(child)


def assert_survives(schema: Any, value: Any) -> None:
    """Through the form, closed and open, and through the JSON side."""
    form = SchemaForm(schema)
    form.set_value(value)
    assert same(form.value(), value), (form.value(), value)
    open_all(form.root)
    assert same(form.value(), value), (form.value(), value)
    form.show_json(True)
    assert same(form.value(), value)
    form.json.text.insertPlainText(" ")
    assert same(form.value(), value)
    form.show_json(False)
    assert same(form.value(), value)
    # Now, not when the loop comes to it: there is none, and thousands of widgets would be waiting.
    delete(form)


@QUIET
@given(data=st.data())
def test_a_valid_value_of_a_random_schema_comes_back_exactly(dressed: QApplication, data: st.DataObject) -> None:
    schema, values = data.draw(pairs)
    assert_survives(schema, data.draw(values))


@QUIET
@given(data=st.data())
def test_any_value_at_all_comes_back_exactly_and_no_form_is_empty(dressed: QApplication, data: st.DataObject) -> None:
    assert_survives(data.draw(pairs)[0], data.draw(json_values))


@QUIET
@given(schema=nonsense, value=json_values)
def test_schemas_without_sense_draw_something_and_lose_nothing(dressed: QApplication, schema: Any, value: Any) -> None:
    assert_survives(schema, value)


@QUIET
@given(value=json_values)
def test_json_text_reads_back_exactly(value: Any) -> None:
    assert same(read_json(write_json(value)), value)


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    lives: int = Field(9, ge=0, le=9)


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Point(NamedTuple):
    x: float
    y: float = 0.0


class Node(BaseModel):
    """A tree."""

    value: int
    left: Optional["Node"] = None
    children: list["Node"] = []


class Rich(BaseModel):
    model_config = ConfigDict(extra="allow")
    text: str
    maybe: str | None = None
    number: int = Field(5, ge=1, le=10)
    exact: decimal.Decimal = decimal.Decimal("1.10")
    ratio: float | None = None
    colour: Colour = Colour.RED
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]
    plain_union: int | str | list[int] = 3
    pair: tuple[int, str] = (1, "a")
    point: Point = Point(1.0)
    several: set[Literal["a", "b"]] = set()
    table: dict[str, list[int]] = {}
    tree: Node | None = None
    when: datetime.datetime | None = None
    day: datetime.date | None = None
    at: datetime.time | None = None
    span: datetime.timedelta | None = None
    where: pathlib.Path | None = None
    secret: SecretStr | None = None
    key: uuid.UUID | None = None
    blob: bytes = b""
    anything: Any = None


VALUES: list[dict[str, Any]] = [
    {"text": "x", "pet": {"kind": "dog", "name": "Rex"}},
    {"text": "two\nlines", "pet": {"kind": "cat"}, "exact": "1.100", "maybe": None, "ratio": 1.0},
    {"text": "", "pet": {"kind": "cat", "lives": 3}, "exact": 1.10, "plain_union": [1, 2], "pair": [1, "b"]},
    {
        "text": "t",
        "pet": {"kind": "dog", "name": "\r\n\u2028", "unknown": [1]},
        "tree": {"value": 1, "left": {"value": 2, "left": None, "children": [{"value": 3}]}},
        "several": ["a"],
        "table": {"": [1], "two words": []},
        "colour": "blue",
        "when": "2026-03-31T10:00:00+02:00",
        "secret": "s",
        "where": "/tmp/x",
        "more": {"of": "it"},
        "anything": [None, {"x": 1e300}],
        "number": 10**30,
    },
]


@pytest.mark.parametrize("mode", ["validation", "serialization"])
@pytest.mark.parametrize("value", VALUES)
def test_schemas_of_pydantic_hold_their_values(dressed: QApplication, value: dict[str, Any], mode: Any) -> None:
    assert_survives(Rich.model_json_schema(mode=mode), value)


@pytest.mark.parametrize("value", VALUES[:3])
def test_what_pydantic_takes_has_no_fault(dressed: QApplication, value: dict[str, Any]) -> None:
    assert SchemaForm(Rich.model_json_schema(), value).is_valid()


@pytest.mark.parametrize(
    "of", [int | None, list[Cat | Dog], dict[str, Node], tuple[int, ...], Literal[1, "1"] | None, Point, Colour, bytes]
)
def test_types_at_the_root_are_drawn(dressed: QApplication, of: Any) -> None:
    schema = TypeAdapter(of).json_schema()
    assert shape_of(root_part(schema)).kind != "json"
    assert SchemaForm(schema).root.field is not None


@pytest.mark.parametrize("value", [1, 1.0, True, False, 0, -0.0, 10**40, "1", None, [], {}, ""])
def test_kinds_that_are_equal_in_python_stay_apart(dressed: QApplication, value: Any) -> None:
    for schema in ({"type": "number"}, {"enum": [0, 1, 1.0, True, False]}, {}, {"type": "object"}, {"type": "string"}):
        assert_survives(schema, value)
        assert_survives({"type": "object", "properties": {"x": schema}}, {"x": value})
