"""Servers from the files of other programs."""

import pytest

from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.importing import LenientJsonError, import_servers

GITHUB_KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_claude_desktop_servers_and_their_keys_as_secrets() -> None:
    found = import_servers(
        f"""
        {{"mcpServers": {{
            "files": {{"command": "npx", "args": ["-y", "@x/server-files", "/home/me"]}},
            "github": {{"command": "npx", "args": ["-y", "gh"], "env": {{"GITHUB_TOKEN": "{GITHUB_KEY}", "PORT": 80}}}}
        }}, "globalShortcut": "Ctrl+X"}}
        """
    )
    assert found.entries == (
        McpEntry(name="files", command="npx", args=("-y", "@x/server-files", "/home/me")),
        McpEntry(
            name="github",
            command="npx",
            args=("-y", "gh"),
            env={"GITHUB_TOKEN": "${secret:GITHUB_TOKEN}", "PORT": "80"},
        ),
    )
    assert found.secrets == {"GITHUB_TOKEN": GITHUB_KEY}
    assert not found.notes
    assert GITHUB_KEY not in repr(found)


def test_vs_code_servers_with_inputs_comments_and_trailing_commas() -> None:
    found = import_servers(
        """
        {
          // Asked for when the server starts.
          "inputs": [{"type": "promptString", "id": "api-key", "password": true},],
          "servers": {
            "local": {"type": "stdio", "command": "node", "args": ["${workspaceFolder}/server.js", "a//b, }"], /* here */
                      "env": {"KEY": "${input:api-key}", "HOME_DIR": "${userHome}/x"}, "envFile": ".env",},
            "web": {"type": "http", "url": "https://example.org/mcp", "headers": {"Authorization": "Bearer ${input:api-key}"}},
          },
        }
        """
    )
    local, web = found.entries
    assert local.args == ("./server.js", "a//b, }")
    assert local.env == {"KEY": "${secret:api-key}", "HOME_DIR": "${env:HOME}/x"}
    assert web.headers == {"Authorization": "Bearer ${secret:api-key}"}
    assert found.missing == ("api-key",)
    assert found.notes == ("The server 'local' loses 'envFile', which the studio does not know.",)


def test_cursor_servers_with_variables_and_a_remote_one() -> None:
    found = import_servers(
        """{"mcpServers": {
            "a": {"command": "uvx mcp-server-git --repository .", "env": {"X": "${env:X}", "Y": "${Y:-z}"}},
            "b": {"url": "https://example.org/sse", "type": "sse", "headers": {"X-Api-Key": "abcdefgh12345678"}},
            "c": {"command": "x", "disabled": true},
            "d": {"args": []},
            "e": 5
        }}"""
    )
    a, b = found.entries
    assert (a.command, a.args) == ("uvx", ("mcp-server-git", "--repository", "."))
    assert a.env == {"X": "${env:X}", "Y": "${env:Y}"}
    assert b.headers == {"X-Api-Key": "${secret:B_X_API_KEY}"}
    assert found.secrets == {"B_X_API_KEY": "abcdefgh12345678"}
    notes = "\n".join(found.notes)
    for words in (
        "'z' is not taken over",
        "older SSE",
        "'c' is left out, for it is switched off",
        "neither a `command`",
    ):
        assert words in notes
    assert "'e' is left out, for its settings are no object" in notes


def test_placeholders_become_secrets_that_are_still_to_be_given() -> None:
    found = import_servers('{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": "<YOUR_API_KEY>"}}}}')
    assert found.entries[0].env == {"API_KEY": "${secret:API_KEY}"}
    assert (found.secrets, found.missing) == ({}, ("API_KEY",))


def test_two_keys_of_one_name_stay_two() -> None:
    found = import_servers(
        """{"mcpServers": {"a": {"command": "x", "env": {"API_KEY": "one-secret-1"}},
            "b": {"command": "x", "env": {"API_KEY": "two-secret-2"}}}}"""
    )
    assert found.secrets == {"API_KEY": "one-secret-1", "B_API_KEY": "two-secret-2"}
    assert found.entries[1].env == {"API_KEY": "${secret:B_API_KEY}"}


def test_keys_in_arguments_are_found() -> None:
    args = f'["--token={GITHUB_KEY}", "{GITHUB_KEY}", "--level=3"]'
    found = import_servers(f'{{"mcpServers": {{"a": {{"command": "x", "args": {args}}}}}}}')
    assert found.entries[0].args == ("--token=${secret:A_TOKEN}", "${secret:A_KEY}", "--level=3")
    assert set(found.secrets.values()) == {GITHUB_KEY}


@pytest.mark.parametrize(
    "text",
    [
        '{"weather": {"command": "x"}}',
        '"weather": {"command": "x"},',
        '{"mcp": {"servers": {"weather": {"command": "x"}}}}',
        '\ufeff{"servers": {"weather": {"command": ["x"]}}}',
    ],
)
def test_pieces_and_settings_files_are_understood(text: str) -> None:
    assert import_servers(text).entries == (McpEntry(name="weather", command="x"),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{\n"mcpServers": {\n"a" 5}}', "Line 3 is no JSON"),
        ("", "Line 1 is no JSON"),
        ('{"a": 1}', "There are no MCP servers in it"),
        ("[]", "There are no MCP servers in it"),
        ("[" * 100_000, "."),
    ],
)
def test_what_holds_no_servers_is_one_clear_error(text: str, words: str) -> None:
    with pytest.raises(LenientJsonError, match=words):
        import_servers(text)
