"""What JSON makes of Python's values, and what is said of those it cannot carry."""

import datetime
import json
import math
import random
import threading
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, IntEnum
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pydantic import BaseModel

from ptc_studio.core import codec
from ptc_studio.core.errors import UnserialisableValue


class Colour(Enum):
    RED = "red"


class Size(IntEnum):
    LARGE = 3


@dataclass
class Point:
    x: int
    tag: Colour


class Order(BaseModel):
    sku: str
    price: Decimal
    on: datetime.date


EVERYDAY: dict[str, tuple[Any, bytes]] = {
    "a datetime": (datetime.datetime(2024, 1, 2, 3, 4, 5), b'"2024-01-02T03:04:05"'),
    "a datetime in UTC": (datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC), b'"2024-01-02T00:00:00Z"'),
    "a date": (datetime.date(2024, 1, 2), b'"2024-01-02"'),
    "a duration": (datetime.timedelta(days=1, seconds=90), b'"P1DT1M30S"'),
    "a decimal keeps its zeros": (Decimal("1.10"), b'"1.10"'),
    "a path": (Path("/a/b"), b'"/a/b"'),
    "a uuid": (UUID(int=5), b'"00000000-0000-0000-0000-000000000005"'),
    "bytes that are text": (b"abc", b'"YWJj"'),
    "bytes that are none": (b"\xff\x00", b'"/wA="'),
    "bytes within": ({"a": [bytearray(b"\xff"), (b"", 1)]}, b'{"a":["/w==",["",1]]}'),
    "an enum": (Colour.RED, b'"red"'),
    "an enum of numbers": (Size.LARGE, b"3"),
    "a dataclass": (Point(1, Colour.RED), b'{"x":1,"tag":"red"}'),
    "a model": (
        Order(sku="A", price=Decimal("1.5"), on=datetime.date(2024, 1, 2)),
        b'{"sku":"A","price":"1.5","on":"2024-01-02"}',
    ),
    "a set": ({7}, b"[7]"),
    "a tuple": ((1, "a"), b'[1,"a"]'),
    "nothing": (None, b"null"),
    "keys that are numbers": ({1: "a", 2.5: "b"}, b'{"1":"a","2.5":"b"}'),
    "a large integer": (2**100, str(2**100).encode()),
    "infinity": ([math.inf, -math.inf], b"[Infinity,-Infinity]"),
    "text beyond ASCII": ("héllo ✓ 🎉", '"héllo ✓ 🎉"'.encode()),
}


@pytest.mark.parametrize("case", EVERYDAY)
def test_an_everyday_value_has_its_json_form(case: str):
    value, text = EVERYDAY[case]
    assert codec.encode(value) == text
    assert codec.encode({"in": [value]}) == b'{"in":[' + text + b"]}"


def test_numbers_come_back_as_they_were():
    values = codec.decode(codec.encode([math.nan, math.inf, 2**100, -1, 0.1]))
    assert math.isnan(values[0])
    assert values[1:] == [math.inf, 2**100, -1, 0.1]


def circular() -> Any:
    value: dict[str, Any] = {}
    value["self"] = value
    return value


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_a_value_of_an_unknown_type_is_refused_by_its_name():
    with pytest.raises(UnserialisableValue, match=r"^a value of type '_thread.lock' cannot be turned into JSON"):
        codec.encode(threading.Lock())
    with pytest.raises(UnserialisableValue, match=r"type '_thread.lock' \(inside a dict\)"):
        codec.encode({"a": [threading.Lock()]})


@pytest.mark.parametrize("value", [circular(), nested(10_000)], ids=["circular", "deep"])
def test_a_value_without_end_is_refused_and_still_shown(value: Any):
    with pytest.raises(UnserialisableValue, match="contains itself, or is nested too deeply"):
        codec.encode(value)
    assert codec.encode(codec.displayable(value))


@pytest.mark.parametrize("depth", [190, 230, 250])
def test_what_can_be_encoded_can_be_decoded_also_where_the_quick_reader_gives_up(depth: int):
    assert codec.decode(codec.encode(nested(depth))) == nested(depth)
    assert codec.plain_copy(nested(depth)) == nested(depth)


def test_half_a_surrogate_pair_is_refused_and_shown_escaped_and_read():
    with pytest.raises(UnserialisableValue, match="a str cannot be turned into JSON"):
        codec.encode("a\ud800")
    assert codec.encode(codec.displayable({"key": ["a\ud800"]}))
    assert "ud800" in codec.displayable("a\ud800")
    assert codec.printable("ok ✓") == "ok ✓"
    assert codec.printable("a\ud800") == "a\\ud800"
    assert codec.decode(b'{"a": "\\ud800"}') == {"a": "\ud800"}


@pytest.mark.parametrize(
    "text", [b"", b"{", b"nonsense", b"[1,]", b"\xff\xfe", b'"\xff"', b"[" * 100_000, b'{"a": 1} x']
)
def test_what_is_no_json_is_a_value_error(text: bytes):
    with pytest.raises(ValueError, match=" at line "):
        codec.decode(text)


def test_a_value_that_cannot_even_be_looked_at_is_displayable():
    class Broken:
        def __repr__(self) -> str:
            raise ZeroDivisionError

    for value in (Broken(), [Broken()], {"a": Broken()}):
        assert "whose repr fails" in str(codec.displayable(value))


def test_what_is_displayable_keeps_its_shape_and_shows_the_rest():
    shown = codec.displayable({"a": [1, object], "b": b"\xff", 3: {1}})
    assert shown == {"a": [1, "<class 'object'>"], "b": "/w==", "3": [1]}


LONG = {
    "a list": list(range(5001)),
    "a tuple": tuple(range(2001)),
    "a list in a dict": {"rows": [{"n": number} for number in range(2500)], "total": 2500},
    "a dict": {number: str(number) for number in range(3000)},
    "deeper": {"a": {"b": {"c": list(range(4000))}}},
    "with dates": {"on": [datetime.date(2024, 1, 2)] * 2001},
}


@pytest.mark.parametrize("case", LONG)
def test_a_long_value_is_encoded_and_copied_piece_by_piece_to_the_same_end(case: str, monkeypatch: pytest.MonkeyPatch):
    value = LONG[case]
    encoded, copied = codec.encode(value), codec.plain_copy(value)
    monkeypatch.setattr(codec, "SLICE", 10**9)
    assert encoded == codec.encode(value)
    assert copied == codec.decode(encoded)


def test_a_copy_is_nobody_elses():
    value = {"rows": [[1]] * 2001}
    copied = codec.plain_copy(value)
    value["rows"][0].append(2)
    assert copied["rows"][0] == [1]


def _document(chance: random.Random, depth: int) -> Any:
    kind = chance.randrange(9 if depth else 6)
    if kind > 5:
        items = range(chance.choice((0, 1, 3, 40)))
        below = {f'k"{n}\n': _document(chance, depth - 1) for n in items}
        return below if kind > 7 else list(below.values())
    return (None, True, -12, 1.5e300, 'a "b", [c] {d}\\', "é\u2028,")[kind]


@pytest.mark.parametrize("indent", [None, 3])
def test_what_is_read_in_slices_is_what_is_read_at_one_go(indent: int | None):
    chance = random.Random(7)
    for _ in range(60):
        value = [_document(chance, 5), list(range(200)), _document(chance, 4)]
        text = json.dumps(value, indent=indent).encode()
        assert codec.decode_in_slices(text) == value == codec.decode(text)


def test_what_lies_deep_is_read_in_slices_too(monkeypatch: pytest.MonkeyPatch):
    value: Any = {"rows": [{"n": [[n]]} for n in range(20_000)], "text": "x" * 100_000}
    for level in range(9):
        value = {f"level {level}": value} if level % 2 else [value]
    text = json.dumps(value).encode()
    longest: list[int] = []
    scan = json.JSONDecoder().raw_decode

    def watched(text: str, at: int = 0) -> tuple[Any, int]:
        found = scan(text, at)
        longest.append(0 if isinstance(found[0], str) else found[1] - at)
        return found

    monkeypatch.setattr(codec, "_SCAN", watched)
    assert codec.decode_in_slices(text) == value
    assert 0 < max(longest) <= 20_000


@pytest.mark.parametrize(
    "text",
    [
        b"", b" ", b"[", b"[1", b"[1,", b"[1,]", b"[1 2]", b"{", b'{"a"', b'{"a":', b'{"a":1', b'{"a":1,', b'{"a":1,}',
        b"{1:2}", b"[] []", b'{"a" 1}', b"[" * 100_000, b'{"a":' * 100_000, b"\xff", b"[nope]",
        b"[" + b"1," * 300 + b"x," * 300 + b"1]",
    ],
)  # fmt: skip
def test_what_is_no_json_is_refused_in_slices_too(text: bytes):
    with pytest.raises(ValueError):  # noqa: PT011 - by whatever name
        codec.decode_in_slices(text)
