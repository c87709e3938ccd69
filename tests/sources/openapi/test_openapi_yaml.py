"""The quick reader of YAML."""

import re
import time
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ptc_studio.sources.openapi.documents import BadYaml, quick_yaml
from ptc_studio.sources.openapi.entry import OpenApiEntry

TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufeff\x85\u2028\u2029")
).filter(lambda text: not re.match(r"[-+.0-9]", text))
"""None that may be a number: the other library writes as YAML 1.1 has them, in which `1e100` is a text."""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=20,
)


@given(VALUES)
def test_what_another_library_writes_is_read_as_it_was(value: Any) -> None:
    assert quick_yaml(yaml.safe_dump(value, allow_unicode=True)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[yes, no, on, off, y, n]", ["yes", "no", "on", "off", "y", "n"]),
        ("[true, False, NULL, ~, null, ]", [True, False, None, None, None]),
        (
            "[1, -2, +3, 0x1F, 0o17, 1_000, 017, 1.5, .5, 1e3, -1.5E-2]",
            [1, -2, 3, 31, 15, "1_000", 17, 1.5, 0.5, 1000.0, -0.015],
        ),
        ("[2024-01-01, 12:30, 1.2.3, '1', \"2\", !!str 3]", ["2024-01-01", "12:30", "1.2.3", "1", "2", "3"]),
        ("{200: a, true: b, 1.0: c, null: d}", {"200": "a", "true": "b", "1.0": "c", "null": "d"}),
        ("a: |\n  x\n  y\nb: >-\n  x\n  y\n", {"a": "x\ny\n", "b": "x y"}),
        (
            "a: &x {k: 1, l: 2}\nb: {<<: *x, l: 3}\nc: {<<: [*x, {m: 4}]}\nd: *x",
            {"a": {"k": 1, "l": 2}, "b": {"l": 3, "k": 1}, "c": {"k": 1, "l": 2, "m": 4}, "d": {"k": 1, "l": 2}},
        ),
        ("---\na: 1\n---\nb: 2\n", {"a": 1}),
        ("", None),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_scalars_are_those_of_yaml_1_2(text: str, value: Any) -> None:
    found = quick_yaml(text)
    assert found == value
    assert repr(found) == repr(value)


def test_what_is_nested_too_deeply_is_refused_soon() -> None:
    before = time.thread_time()
    with pytest.raises(BadYaml, match="nested too deeply"):
        quick_yaml("[" * 1_000_000)
    assert time.thread_time() - before < 30


def test_some_megabytes_take_no_minute() -> None:
    item = "- {name: limit, in: query, description: 'Some words, as documents have them.', schema: {type: integer}}\n"
    text = "parameters:\n" + item * 20_000
    assert len(text) > 2_000_000
    before = time.thread_time()
    assert len(quick_yaml(text)["parameters"]) == 20_000
    assert time.thread_time() - before < 30


def test_every_field_of_the_entry_has_a_title_for_the_form() -> None:
    schema = OpenApiEntry.model_json_schema()
    assert all("title" in part for part in schema["properties"].values())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &Größe 1\nb: *Größe\n", {"a": 1, "b": 1}),
        ("a: &x.y {z: no}\nb: *x.y\n", {"a": {"z": "no"}, "b": {"z": "no"}}),
        ('a: "\\ud83d\\ude00"\n', {"a": "😀"}),
        ("a:\tb\nc: {\n\td: 1,\n}\n", {"a": "b", "c": {"d": 1}}),
        ("a: 1\na: 2\n", {"a": 2}),
        ("a: !custom {x: 1}\n---\nb: 2\n", {"a": {"x": 1}}),
    ],
)
def test_what_other_readers_take_is_taken(text: str, value: Any) -> None:
    assert quick_yaml(text) == value
