"""Lines that are pasted into forms and taken apart."""

from typing import Any

import pytest

from ptc_studio.sources.command.entry import CommandEntry
from ptc_studio.sources.http.entry import HttpEntry
from ptc_studio.ui.sources.pasted_lines import taken_apart

REQUESTS: list[tuple[str, dict[str, Any]]] = [
    (
        "curl https://api.example.com/users?page=2&page_size=5",
        {"url": "https://api.example.com/users", "query": {"page": "2", "page_size": "5"}},
    ),
    (
        """curl -X PUT 'https://x.example/a' \\\n  -H 'Accept: text/plain' -H "X-Key: a b" --max-time 4""",
        {
            "url": "https://x.example/a",
            "method": "PUT",
            "headers": {"Accept": "text/plain", "X-Key": "a b"},
            "timeout": 4.0,
        },
    ),
    (
        """curl x.example/items -d '{"name": "lamp", "n": 2}'""",
        {
            "url": "https://x.example/items",
            "method": "POST",
            "body": {"name": "lamp", "n": 2},
            "body_as": "json",
        },
    ),
    (
        "curl -s --url http://x.example -d a=1 -d b=2",
        {"url": "http://x.example", "method": "POST", "body": {"a": "1", "b": "2"}, "body_as": "form"},
    ),
    ("curl -G x.example -d q=tea", {"url": "https://x.example", "query": {"q": "tea"}}),
    ("curl -I x.example", {"url": "https://x.example", "method": "HEAD"}),
    (
        "curl -u ada:secret x.example",
        {"url": "https://x.example", "headers": {"Authorization": "Basic YWRhOnNlY3JldA=="}},
    ),
]


@pytest.mark.parametrize(("line", "expected"), REQUESTS)
def test_a_curl_line_is_a_request(line: str, expected: dict[str, Any]) -> None:
    found = taken_apart("http", "url", line)
    assert found == expected
    HttpEntry.model_validate({"kind": "http", "name": "x", **found})


def test_a_command_line_is_a_server_with_its_arguments_and_environment() -> None:
    assert taken_apart("mcp", "command", "TOKEN=a npx -y '@scope/server' --root /tmp") == {
        "command": "npx",
        "args": ["-y", "@scope/server", "--root", "/tmp"],
        "env": {"TOKEN": "a"},
    }


@pytest.mark.parametrize("prompt", ["", "$ "])
def test_a_command_line_is_a_tool_with_its_folder_and_environment(prompt: str) -> None:
    found = taken_apart("command", "argv", f"{prompt}cd repo && LC_ALL=C git log -n {{count}} '--author={{who}}'")
    assert found == {
        "argv": ["git", "log", "-n", "{count}", "--author={who}"],
        "env": {"LC_ALL": "C"},
        "cwd": "repo",
    }
    CommandEntry.model_validate({"kind": "command", "name": "x", **found})
    assert taken_apart("http", "url", "$ curl https://x.example/a") == {"url": "https://x.example/a"}


@pytest.mark.parametrize(
    ("kind", "field", "text"),
    [
        ("http", "url", "https://x.example/curl now"),
        ("http", "url", "curl 'https://x.example"),
        ("http", "url", "curl -X GET"),
        ("mcp", "command", "npx"),
        ("mcp", "command", "'npx -y"),
        ("command", "argv", "curl https://x.example"),
    ],
)
def test_everything_else_is_the_fields_own_text(kind: str, field: str, text: str) -> None:
    assert taken_apart(kind, field, text) is None
