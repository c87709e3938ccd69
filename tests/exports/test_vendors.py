"""Definitions for models and for MCP."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema.validators import Draft202012Validator

from ptc_studio.core.names import fitting_names
from ptc_studio.exports import FORMATS
from ptc_studio.exports.vendors import CODE_EXECUTION

PRICE = {
    "type": "object",
    "properties": {"item": {"type": "string", "description": "What."}, "qty": {"type": "integer", "default": 1}},
    "required": ["item"],
    "additionalProperties": False,
}


def test_anthropic(shelf: Any) -> None:
    shelf.add("shop.price", PRICE, description="The price.", output={"type": "number"})
    assert shelf.export("anthropic") == [
        {
            "name": "shop_price",
            "description": 'The price.\n\nReturns JSON of this schema: {"type": "number"}',
            "input_schema": PRICE,
            "allowed_callers": ["code_execution_20260120"],
        }
    ]


def test_openai(shelf: Any) -> None:
    shelf.add("shop.price", PRICE, description="The price.", output={"type": "number"})
    assert shelf.export("openai") == [
        {
            "type": "function",
            "name": "shop_price",
            "description": "The price.",
            "parameters": PRICE,
            "strict": False,
            "allowed_callers": ["direct", "programmatic"],
            "output_schema": {"type": "number"},
        }
    ]


def test_mcp_wraps_a_result_that_is_no_object(shelf: Any) -> None:
    output = {
        "type": "array",
        "items": {"$ref": "#/$defs/N"},
        "$defs": {"N": {"type": "array", "items": {"$ref": "#/$defs/N"}}},
    }
    shelf.add("shop.price", PRICE, description="The price.", output=output).add("b", output={"type": "object"})
    plain, wrapped = shelf.export("mcp")
    assert plain["outputSchema"] == {"type": "object"}
    assert wrapped["name"] == "shop.price"
    assert wrapped["inputSchema"] == PRICE
    assert wrapped["annotations"] == {"title": "shop.price"}
    validator = Draft202012Validator(wrapped["outputSchema"])
    assert validator.is_valid({"result": [[[]]]})
    assert not validator.is_valid({"result": [1]})


def test_plain_schemas_have_the_tools_own_names(shelf: Any) -> None:
    shelf.add("a-b.c", PRICE)
    assert shelf.export("schema") == [{"name": "a-b.c", "description": "", "parameters": PRICE}]


def test_names_fit_every_system(shelf: Any) -> None:
    for name in ("a.b", "a_b", "ü" * 70, "x" * 200, "code_execution", "sp ace", "a/b", "1"):
        shelf.add(name)
    for form, rule in (
        ("anthropic", r"[a-zA-Z0-9_-]{1,64}"),
        ("openai", r"[a-zA-Z0-9_-]{1,64}"),
        ("mcp", r"[A-Za-z0-9_.-]{1,128}"),
    ):
        names = [item["name"] for item in shelf.export(form)]
        assert len(set(names)) == 8
        assert all(re.fullmatch(rule, name) for name in names), names
    assert "code_execution" not in [item["name"] for item in shelf.export("anthropic")]


def test_names_that_would_be_alike_get_a_stable_ending() -> None:
    first = fitting_names(["a.b", "a_b", "a b"])
    assert first["a_b"] == "a_b"
    assert re.fullmatch(r"a_b_[0-9a-f]{6}", first["a.b"])
    assert fitting_names(["a b", "a_b", "a.b"]) == first
    assert fitting_names(["a.b"]) == {"a.b": "a_b"}


@given(st.lists(st.text(max_size=100), unique=True, max_size=20))
def test_any_names_fit_and_differ(names: list[str]) -> None:
    made = fitting_names(names)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in made.values())
    assert len(set(made.values())) == len(names)


def test_alternatives_at_the_top_are_made_one_object(shelf: Any) -> None:
    shelf.add(
        "find",
        {
            "type": "object",
            "properties": {"a": {}},
            "oneOf": [
                {"properties": {"id": {"type": "integer"}, "x": {}}, "required": ["id", "x"]},
                {"$ref": "#/$defs/ByName"},
            ],
            "allOf": [{"properties": {"z": {}}, "required": ["z"]}],
            "$defs": {"ByName": {"properties": {"name": {"type": "string"}, "x": {}}, "required": ["x"]}, "Unused": {}},
        },
    )
    for form, key in (("anthropic", "input_schema"), ("openai", "parameters")):
        schema = shelf.export(form)[0][key]
        assert not {"oneOf", "anyOf", "allOf", "$defs"} & schema.keys()
        assert set(schema["properties"]) == {"a", "id", "name", "x", "z"}
        assert set(schema["required"]) == {"x", "z"}


SECRET = {
    "type": "object",
    "properties": {
        "open": {"type": "string"},
        "hidden_region": {"$ref": "#/$defs/HiddenType"},
        "other": {"$ref": "#/$defs/Shared"},
    },
    "required": ["open", "hidden_region"],
    "anyOf": [{"required": ["hidden_region"]}, {"$ref": "#/$defs/HiddenBranch"}],
    "if": {"properties": {"hidden_region": {"const": "hidden_value"}}},
    "then": {"required": ["open"]},
    "dependentRequired": {"hidden_region": ["open"], "open": ["hidden_region"]},
    "examples": [{"hidden_region": "hidden_value"}],
    "default": {"hidden_region": "hidden_value"},
    "$defs": {
        "HiddenType": {"enum": ["hidden_value"], "description": "hidden_words"},
        "HiddenBranch": {"properties": {"hidden_region": {}}},
        "Shared": {"type": "array", "items": {"$ref": "#/$defs/Deep"}},
        "Deep": {"type": "string"},
    },
}


@pytest.mark.parametrize("form", FORMATS)
def test_presets_appear_in_no_export(shelf: Any, form: Any) -> None:
    shelf.add("tool", SECRET, description="A tool.", doc="A tool.\n\nhidden_region: where")
    shelf.add("by_reference", {"$ref": "#/$defs/Args", "$defs": {**SECRET["$defs"], "Args": SECRET}})
    shelf.alias("mine", "tool", preset={"hidden_region": "hidden_value"}, defaults={"open": "said"})
    shelf.alias("other", "by_reference", preset={"hidden_region": "hidden_value"})
    targets = [target for target in shelf.targets if target.alias]
    assert len(targets) == 2
    from ptc_studio.exports import definitions

    made = definitions(targets, form)
    text = made if isinstance(made, str) else json.dumps(made)
    assert "hidden" not in text.lower()
    assert "open" in text
    if form == "schema":
        assert isinstance(made, list)
        schema = made[0]["parameters"]
        assert schema["properties"]["open"]["default"] == "said"
        assert "Deep" in schema["$defs"]
        Draft202012Validator.check_schema(schema)


def test_definitions_that_nothing_refers_to_are_left_out(shelf: Any) -> None:
    shelf.add("t", {"type": "object", "properties": {"a": {"$ref": "#/$defs/A~1b"}}, "$defs": {"A/b": {}, "C": {}}})
    assert list(shelf.export("schema")[0]["parameters"]["$defs"]) == ["A/b"]


def test_a_schema_that_is_none_is_an_empty_object(shelf: Any) -> None:
    shelf.add("t", {"properties": None, "required": "x", "anyOf": 3, "$defs": []}, signature=())
    for form in FORMATS:
        assert shelf.export(form)
    assert shelf.export("anthropic")[0]["input_schema"]["properties"] == {}
    assert shelf.export("anthropic")[0]["allowed_callers"] == [CODE_EXECUTION]
