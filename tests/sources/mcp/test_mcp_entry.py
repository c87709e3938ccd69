"""The entry of the workspace file."""

from typing import Any

import pytest
from pydantic import ValidationError

from ptc_studio.sources.mcp.entry import McpEntry


def test_the_transport_follows_from_command_or_address() -> None:
    assert McpEntry(name="a", command="node").transport == "stdio"
    assert McpEntry(name="a", url="https://example.org/mcp").transport == "http"
    assert McpEntry(name="a", command="node").start_timeout == 20


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "has neither a `command` nor a `url`: give one of them"),
        ({"command": "a", "url": "http://b"}, "has both a `command` and a `url`: keep one of them"),
        ({"command": "a", "headers": {"b": "c"}}, "has a `command`, where `headers` means nothing"),
        ({"url": "http://b", "args": ["c"]}, "has a `url`, where `args` means nothing"),
        ({"url": "ftp://b"}, "'ftp://b' is no web address"),
        ({"command": "a", "start_timeout": 0}, "greater than 0"),
        ({"command": "a", "commmand": "b"}, "Extra inputs are not permitted"),
        ({"command": "a", "permission": "maybe"}, "'allow', 'ask' or 'deny'"),
    ],
)
def test_what_cannot_be_meant_is_an_error(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        McpEntry.model_validate({"name": "x", **fields})
    assert words in str(caught.value)


def test_every_field_has_a_title_and_a_description_for_the_form() -> None:
    for name, field in McpEntry.model_fields.items():
        assert name == "kind" or (field.title and field.description), name
