"""Bytes in JSON, there and back."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from ptc_studio.core import codec
from tests.support import Engine

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@dataclass
class Picture:
    name: str
    data: bytes


class Mail(BaseModel):
    subject: str
    attachment: bytes


@given(VALUES)
def test_a_value_with_bytes_is_the_same_after_its_way_through_json(value: Any):
    _, places = codec.as_texts(value)
    assert codec.with_bytes(codec.decode(codec.encode(value)), codec.decode(codec.encode(places))) == value


@pytest.mark.parametrize(
    "value", [Picture("a", b"\xff"), Mail(subject="a", attachment=b"hi"), {1: frozenset((b"x",))}, (memoryview(b"x"),)]
)
def test_bytes_in_objects_are_base64_too(value: Any):
    text = codec.encode(value).decode()
    assert ("/w==" in text) or ("aGk=" in text) or ("eA==" in text)
    assert codec.as_texts(value)[1]


def test_a_value_without_bytes_is_left_as_it_is_also_one_that_contains_itself():
    value = {"a": [1, {"b": "c"}]}
    assert codec.as_texts(value)[0] is value
    endless: list[Any] = [1]
    endless += [endless, endless, (endless,)]
    assert not codec.holds_bytes(endless)


def test_what_was_hidden_in_a_text_leaves_a_text():
    assert codec.with_bytes({"a": "<hidden: key>"}, [["a"], ["nowhere", 3]]) == {"a": "<hidden: key>"}


def test_a_tool_gets_the_bytes_and_the_record_has_base64(engine: Engine):
    got: list[Any] = []
    engine.add(lambda data: got.append(data) or {"back": data}, name="keep")
    assert engine.call("keep", data=b"\xff\xfe") == {"back": b"\xff\xfe"}
    assert got == [b"\xff\xfe"]
    record = engine.records()[-1]
    assert (record["arguments"], record["result"]) == ({"data": "//4="}, {"back": "//4="})
