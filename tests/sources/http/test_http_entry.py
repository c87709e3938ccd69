"""What the workspace file may say of requests."""

import pytest
from pydantic import ValidationError

from ptc_studio.sources.http.entry import HttpEntry


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "needs either a `url` or `requests`"),
        ({"url": "http://x", "requests": [{"name": "a", "url": "http://x"}]}, "needs either a `url` or `requests`"),
        ({"url": "ftp://x"}, "'ftp://x' is no web address"),
        ({"url": "/x"}, "give a `base_url`"),
        ({"url": "http://x", "method": "FETCH"}, "Input should be 'GET'"),
        ({"url": "http://x", "expect": [700]}, "700 is no status"),
        ({"url": "http://x", "timeout": "10"}, "valid number"),
        ({"url": "http://x", "colour": 1}, "Extra inputs are not permitted"),
        ({"requests": [{"name": "a", "url": "http://x"}] * 2}, "two requests named 'a'"),
        ({"requests": [{"name": "a", "url": "http://x"}], "method": "POST"}, "move `method` into one of them"),
    ],
)
def test_a_wrong_entry_says_what_is_wrong(fields: dict, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        HttpEntry(name="api", **fields)


def test_an_entry_is_frozen_and_shows_references_only() -> None:
    entry = HttpEntry(name="api", url="https://x/${env:A}", headers={"K": "${secret:KEY}"})
    assert "${secret:KEY}" in repr(entry)
    with pytest.raises(ValidationError):
        entry.name = "other"  # type: ignore[misc]


def test_every_field_has_a_title_for_the_form() -> None:
    schema = HttpEntry.model_json_schema()
    assert all("title" in part for part in schema["properties"].values())
