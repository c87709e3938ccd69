"""Whatever pattern a schema has, checking by it ends."""

import ast
from pathlib import Path
from typing import Any

import pytest

import ptc_studio
from ptc_studio.core.errors import UnfitValues
from ptc_studio.core.python_text import parsed
from ptc_studio.core.responders.example_texts import text_matching
from ptc_studio.core.schema_patterns import is_match, unmatched_because
from ptc_studio.core.schema_validation import pattern_notes, schema_error, validator_of
from ptc_studio.core.tools import ToolSpec
from ptc_studio.sources.schema_tool import SchemaTool
from ptc_studio.ui.forms.schema.checking import Checker

EVIL = "^(([a-z])+.)+[A-Z]([a-z])+$"
"""Python's engine takes two to the power of the text's length for it."""
LONG = "a" * 5_000
_DRAFTS = (
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
)
_META = _DRAFTS[-1]
HOSTILE: dict[str, tuple[dict[str, Any], Any]] = {
    "pattern": ({"pattern": EVIL}, LONG),
    "names": ({"patternProperties": {EVIL: False}}, {LONG: 1}),
    "additional names": ({"patternProperties": {EVIL: True}, "additionalProperties": False}, {LONG: 1}),
    "unevaluated names": ({"patternProperties": {EVIL: True}, "unevaluatedProperties": False}, {LONG: 1}),
    "unevaluated names of a part": (
        {"allOf": [{"patternProperties": {EVIL: True}}], "unevaluatedProperties": False},
        {LONG: 1},
    ),
    "names of names": ({"propertyNames": {"pattern": EVIL}}, {LONG: 1}),
    "a part with a dialect of its own": ({"items": {"$schema": _META, "pattern": EVIL}}, [LONG]),
    "a reference to the whole": (
        {"$schema": _META, "properties": {"x": {"$ref": "#"}}, "pattern": EVIL},
        {"x": LONG},
    ),
    "a part that the schema of schemas comes back to": (
        {"$id": "urn:x", "$dynamicAnchor": "meta", "$ref": _META, "properties": {"title": {"pattern": EVIL}}}
        | {"pattern": EVIL},
        {"properties": {"x": {"title": LONG}}, "title": LONG},
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("draft", [None, *_DRAFTS])
def test_checking_by_a_hostile_pattern_ends(kind: str, draft: str | None) -> None:
    schema, value = HOSTILE[kind]
    if draft is not None:
        schema = {"$schema": draft, **schema}
    list(validator_of(schema).iter_errors(value))
    Checker(schema).faults(value)


def test_arguments_and_forms_refuse_what_a_hostile_pattern_does_not_match() -> None:
    schema = {"type": "object", "properties": {"x": {"type": "string", "pattern": EVIL}}}
    tool = SchemaTool(ToolSpec("t", "", schema, "s"), lambda *_: None)
    with pytest.raises(UnfitValues, match="does not match|a{9}"):
        tool.bind({"x": LONG})
    assert [fault.path for fault in Checker(schema).faults({"x": LONG})] == [("x",)]


def test_an_example_for_a_hostile_pattern_is_looked_for_no_longer() -> None:
    import random

    assert text_matching("^(a+)+(b|a)*x?$", random.Random(1), 200) is not None


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        (r"^\d{1,2000}$", "1" * 1_500, True),
        (r"^\d{1,2000}$", "1" * 2_001, False),
        (r"^(?:ab){1500,}$", "ab" * 1_500, True),
        (r"^(?:ab){1500,}$", "ab" * 1_499, False),
        (r"^[\s\S]{1,5000}$", "é" * 5_000, True),
        (r"^\p{Letter}+$", "é", True),
        (r"^\p{Script=Greek}$", "α", True),
        (r"^\ud83d\ude00\u{1F600}$", "😀😀", True),
        (r"[^]", "\n", True),
        (r"[]", "a", False),
        (r"^[\w\-.+]+@x\.y$", "a-b@x.y", True),
        (r"^\/a\-b\_c$", "/a-b_c", True),
        (r"(?<name>a)", "a", True),
        (r"^[^[\]]+$", "ab", True),
        (r"^\s\cJ$", "\u00a0\n", True),
        ("^a$", "a\n", False),
        (r"^a\Z", "a", True),
    ],
)
def test_patterns_of_both_dialects_are_matched(pattern: str, text: str, fits: bool) -> None:
    assert is_match(pattern, text) is fits
    assert not unmatched_because(pattern)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("^(?!x)a", "it looks around"),
        ("(?<=x)a", "it looks around"),
        (r"(a)\1", "it refers back to what it matched"),
        ("x" * 30_000, "it has more than 20,000 characters"),
        ("((a{1000}){1000}){1000}", "it is not understood"),
    ],
)
def test_a_pattern_that_takes_more_than_linear_time_is_marked_and_lets_everything_through(
    pattern: str, why: str
) -> None:
    schema = {"properties": {"x": {"pattern": pattern}}, "patternProperties": {pattern: True}}
    assert not schema_error(schema)
    assert validator_of({**schema, "additionalProperties": False}).is_valid({"x": "anything", "else": 1})
    (note,) = pattern_notes(schema)
    assert why in note


def test_a_long_text_and_a_large_pattern_are_not_multiplied() -> None:
    assert is_match("^(a?){1000}(a?){1000}(a?){1000}a$", "a" * 1_000_000 + "b") is None


def test_what_is_no_pattern_at_all_breaks_the_schema() -> None:
    assert "'(' is not a 'regex'" in schema_error({"properties": {"x": {"pattern": "("}}})
    assert not schema_error({"properties": {"pattern": {"enum": [{"pattern": "("}]}}})


@pytest.mark.parametrize(
    "wrong",
    [
        *({"type": kind} for kind in ("text", [], ["string", "string"], ["text"], 3)),
        *({"required": names} for names in ("x", [1], ["a", "a"])),
        *(
            {keyword: "x"}
            for keyword in ("minLength", "minimum", "properties", "allOf", "items", "enum", "uniqueItems")
        ),
        *({keyword: 3} for keyword in ("title", "description", "pattern", "format", "$ref", "additionalProperties")),
        {"maxLength": -1},
        {"anyOf": []},
        {"$ref": "#/$defs/x", "$defs": {"x": {"type": "text"}}},
        {"properties": {"a": {"items": {"type": "text"}}}},
        {"not": {"anyOf": [{}, {"type": "text"}]}},
        {"if": {"then": {"type": "text"}}},
    ],
)
def test_a_broken_schema_is_seen_though_usual_ones_are_not_looked_at_closely(wrong: dict[str, Any]) -> None:
    assert schema_error({"type": "object", "properties": {"x": wrong}})


def test_a_schema_without_end_is_refused_rather_than_gone_through() -> None:
    unusual = {"$anchor": "a", "properties": {f"p{number}": {"uniqueItems": True} for number in range(20_000)}}
    assert "more than 10,000 parts" in schema_error(unusual)
    deep: dict[str, Any] = {"uniqueItems": True}
    for _ in range(5_000):
        deep = {"properties": {"x": deep}}
    assert "nested too deep" in schema_error(deep)
    round_about: dict[str, Any] = {}
    round_about["properties"] = {"x": round_about}
    assert "nested too deep" in schema_error(round_about)


def test_what_the_parts_of_a_schema_speak_of_is_evaluated() -> None:
    schema = {
        "$defs": {"d": {"properties": {"d": True}}},
        "$ref": "#/$defs/d",
        "properties": {"a": True},
        "patternProperties": {"^p": True},
        "anyOf": [{"properties": {"b": {"type": "string"}}}, {"properties": {"c": True}, "required": ["c"]}],
        "if": {"properties": {"e": {"const": 1}}, "required": ["e"]},
        "then": {"properties": {"f": True}},
        "else": {"properties": {"g": True}},
        "dependentSchemas": {"a": {"properties": {"h": True}}},
        "unevaluatedProperties": {"type": "null"},
    }
    check = validator_of(schema)
    assert check.is_valid({"a": 1, "b": "x", "c": 1, "d": 1, "e": 1, "f": 1, "h": 1, "pp": 1, "z": None})
    for wrong in ({"z": 1}, {"b": 1, "c": 1, "x": 1}, {"f": 1}, {"e": 1, "g": 1}, {"h": 1}):
        assert not check.is_valid(wrong), wrong


def test_nothing_else_makes_what_checks_values() -> None:
    """So that no pattern of a stranger can reach Python's engine by another way."""
    root = Path(ptc_studio.__file__).parent
    makers = [
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        for node in ast.walk(parsed(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        and (node.module == "jsonschema.validators" or (node.module == "jsonschema" and node.names))
    ]
    assert makers == ["core/schema_validation.py"]
