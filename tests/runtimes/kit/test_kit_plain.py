"""What a script's values become on their way to a tool, and how its last value is shown."""

import datetime
import json
import math
from collections import deque
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import Any
from uuid import UUID

import pytest
from ptc_kit import plain
from pydantic import BaseModel

from ptc_studio.core import codec


class Colour(Enum):
    RED = "red"


@dataclass
class Point:
    x: int
    on: datetime.date


class Order(BaseModel):
    sku: str
    on: datetime.date


SAME_AS_THE_HOSTS: dict[str, Any] = {
    "numbers": [1, -1.5, True, None, 2**100],
    "text": "héllo ✓ 🎉",
    "a datetime": datetime.datetime(2024, 1, 2, 3, 4, 5),
    "a date": datetime.date(2024, 1, 2),
    "a time": datetime.time(1, 2, 3),
    "a decimal": Decimal("1.10"),
    "a uuid": UUID(int=5),
    "a path": Path("/a"),
    "an enum": Colour.RED,
    "a dataclass": Point(1, datetime.date(2024, 1, 2)),
    "a model": Order(sku="A", on=datetime.date(2024, 1, 2)),
    "a set": {7},
    "a frozenset": frozenset("a"),
    "a deque": deque([1, 2]),
    "keys that are numbers": {1: "a", 2.5: "b"},
}


@pytest.mark.parametrize("value", [b"abc", bytearray(b"\xff\x00\xfb"), [{"a": memoryview(b"x")}]])
def test_bytes_are_bytes_for_the_host_and_base64_where_they_are_shown(value: Any):
    assert codec.encode(codec.unmarked(json.loads(plain.encode(value)))) == codec.encode(value)
    assert plain.encode_shown(value).encode() == codec.encode(value)


def test_bytes_from_the_host_stand_where_it_says():
    assert plain.with_bytes({"a": ["/w==", "/w=="]}, [["a", 1]]) == {"a": ["/w==", b"\xff"]}
    assert plain.with_bytes("/w==", [[]]) == b"\xff"
    assert plain.with_bytes("<hidden>", [[]]) == "<hidden>"


@pytest.mark.parametrize("case", SAME_AS_THE_HOSTS)
def test_a_value_has_the_form_in_which_the_host_would_send_it(case: str):
    value = SAME_AS_THE_HOSTS[case]
    assert json.loads(plain.encode(value)) == json.loads(codec.encode(value))


@pytest.mark.parametrize(
    "duration",
    [
        datetime.timedelta(0),
        datetime.timedelta(days=30),
        datetime.timedelta(seconds=-1.5),
        datetime.timedelta(days=400, microseconds=1),
    ],
)
def test_a_duration_is_read_by_the_host_as_what_it_is(duration: datetime.timedelta):
    class Wait(BaseModel):
        time: datetime.timedelta

    assert Wait.model_validate_json(plain.encode({"time": duration})).time == duration


def test_a_pure_path_is_a_path():
    assert plain.encode(PurePosixPath("/a")) == '"/a"'


def test_numbers_that_json_has_not_come_through():
    value = plain.decode(plain.encode([math.nan, math.inf, -math.inf]))
    assert math.isnan(value[0])
    assert value[1:] == [math.inf, -math.inf]


def test_a_value_without_a_json_form_is_a_type_error_that_names_its_type():
    with pytest.raises(TypeError, match="a value of type 'object' has no JSON form"):
        plain.encode({"a": [object()]})


def test_a_circle_is_a_value_error():
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(ValueError, match="Circular"):
        plain.encode(circle)
    assert plain.encode_shown(circle) == '"[[...]]"'


class Broken:
    def __repr__(self) -> str:
        raise ZeroDivisionError


@dataclass
class Unset:
    x: int = field(init=False)


SHOWN: dict[str, tuple[Any, Any]] = {
    "a class": (int, "<class 'int'>"),
    "something inside": ({"a": [int]}, {"a": ["<class 'int'>"]}),
    "a broken repr": (Broken(), "<Broken whose repr fails>"),
    "a dataclass with a field unset": ([Unset()], ["<Unset whose repr fails>"]),
    "keys that are tuples": ({(1, 2): 3}, "{(1, 2): 3}"),
    "half a surrogate pair": (["a\ud800b"], ["a?b"]),
    "a whole one": ("🎉", "🎉"),
}


@pytest.mark.parametrize("case", SHOWN)
def test_a_value_that_is_only_looked_at_is_always_shown(case: str):
    value, shown = SHOWN[case]
    text = plain.encode_shown(value)
    assert codec.decode(text.encode()) == shown


def test_a_value_too_deep_for_json_is_shown_somehow():
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    assert codec.decode(plain.encode_shown(value))
    while isinstance(value, list):
        value = value.pop()
