"""Definitions that many tools share: declared once in stubs, and bounded where each tool must have its own."""

import json
from typing import Any

import pytest

from ptc_studio.exports.vendors import INPUT_LIMIT, OUTPUT_LIMIT
from tests.exports.conftest import Shelf

FIELDS = 40
NODES: dict[str, Any] = {
    f"Node{number}": {
        "type": "object",
        "properties": {
            "next": {"$ref": f"#/$defs/Node{(number + 1) % 200}"},
            **{f"field_{each}": {"type": "string", "description": "A text."} for each in range(FIELDS)},
        },
    }
    for number in range(200)
}
"""As of a large document: each leads to the next, and the last to the first."""


@pytest.fixture
def large(shelf: Shelf) -> Shelf:
    schema = {"type": "object", "properties": {"node": {"$ref": "#/$defs/Node0"}}, "$defs": NODES}
    for number in range(20):
        shelf.add(f"api.tool_{number}", schema, output={"$ref": f"#/$defs/Node{number}", "$defs": NODES})
    return shelf


def test_stubs_declare_what_tools_share_once(large: Shelf) -> None:
    stub = large.export("pyi")
    assert stub.count("class _ApiNode7(") == 1
    assert stub.count("(TypedDict):") == len(NODES)
    declarations = large.export("dts")
    assert declarations.count("interface ApiNode7 {") == 1


def test_type_checkers_read_them(shelf: Shelf, check_python: Any) -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}, "text": {"type": "string"}}}
    schema = {"type": "object", "properties": {"node": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}}
    shelf.add("api.one", schema).add("api.two", schema)
    script = "api.one(node={'text': 'a', 'next': {'text': 'b'}})\napi.two(node={'text': 5})\n"
    found = check_python(__builtins__=shelf.export("pyi"), script=script)
    assert [line.partition(": ")[0] for line in found] == ["script.py:2"]


@pytest.mark.parametrize("form", ["openai", "anthropic", "mcp", "schema"])
def test_what_each_tool_has_for_itself_is_bounded(large: Shelf, form: str) -> None:
    text = json.dumps(large.export(form))
    assert len(text) < 20 * 1.3 * (INPUT_LIMIT + OUTPUT_LIMIT)
    assert '#/$defs/Node1"' in text or form == "anthropic", "what is near the top is there"
    whole = json.dumps(NODES)
    assert len(text) < 20 * len(whole) / 2


def test_a_small_schema_is_as_it_was(shelf: Shelf) -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}}
    (made,) = shelf.add("x", schema).export("schema")
    assert made["parameters"] == schema
