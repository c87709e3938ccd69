"""Tools of other programs are taken over: what is in a text is shown, chosen, renamed and added."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from ptc_studio.ui.sources.actions import open_import

KEY = "ghp_abcdefghij0123456789ABCDEFGHIJabcdef"
FLAVOURS = {
    "claude": {"mcpServers": {"github": {"command": "npx", "args": ["-y", "x"], "env": {"GITHUB_TOKEN": KEY}}}},
    "vs code": {
        "inputs": [{"id": "key", "type": "promptString"}],
        "servers": {"github": {"type": "stdio", "command": "npx", "args": ["-y", "x"], "env": {"GITHUB_TOKEN": KEY}}},
    },
    "settings": {"mcp": {"servers": {"github": {"command": "npx -y x", "env": {"GITHUB_TOKEN": KEY}}}}},
}
WORKFLOW = """\
graph:
  nodes:
    - id: Analyst
      config:
        tooling:
          - type: function
            config:
              tools: [{name: "people:All"}]
          - type: mcp_remote
            config: {server: "https://example.com/mcp"}
"""


def file(studio: Any) -> str:
    return (studio.workspace / "studio.yaml").read_text()


async def imported(studio: Any, dialog: Any) -> Any:
    added = studio.signal(dialog.imported)
    loaded = studio.signal(studio.window.workbench.tools_loaded)
    assert dialog.accept_button.isEnabled()
    dialog.accept_button.click()
    await asyncio.wait_for(loaded, 30)
    return await asyncio.wait_for(added, 30)


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_servers_of_another_program_are_added_and_their_keys_become_secrets(studio: Any, flavour: str):
    dialog = open_import(studio.window.context)
    dialog.text.setPlainText(json.dumps(FLAVOURS[flavour], indent=2))
    await studio.until(lambda: dialog.list.chosen())
    assert dialog.accept_button.text() == "Add 1 source"
    assert "GITHUB_TOKEN" in dialog.note.text()
    assert KEY not in dialog.note.text()
    assert await imported(studio, dialog) == ["github"]
    assert KEY not in file(studio)
    assert '"${secret:GITHUB_TOKEN}"' in file(studio)
    assert "args: [" in file(studio)
    assert studio.window.workbench.studio.secrets.find("GITHUB_TOKEN") == KEY


async def test_only_what_is_ticked_is_added_under_the_name_that_it_is_given(studio: Any):
    dialog = open_import(studio.window.context)
    servers = {
        "one": {"url": "https://one.example/mcp"},
        "two": {"command": "two"},
        "off": {"command": "x", "disabled": True},
    }
    dialog.text.setPlainText(json.dumps({"mcpServers": servers}))
    dialog.refresh()
    first, second = (dialog.list.list.topLevelItem(row) for row in range(2))
    first.setCheckState(0, Qt.CheckState.Unchecked)
    second.setText(0, "better")
    assert "'off' is left out, for it is switched off" in dialog.list.said.text()
    await imported(studio, dialog)
    assert "name: better" in file(studio)
    assert "one.example" not in file(studio)


async def test_a_name_that_is_taken_has_to_be_changed_first(studio: Any):
    path = studio.workspace / "studio.yaml"
    path.write_text(path.read_text().replace("aliases:", "  - {kind: builtin, name: box}\naliases:"))
    await studio.window.workbench.studio.reread()
    dialog = open_import(studio.window.context)
    dialog.text.setPlainText('{"mcpServers": {"box": {"url": "https://box.example/mcp"}}}')
    dialog.refresh()
    assert dialog.list.chosen() == []
    item = dialog.list.list.topLevelItem(0)
    item.setCheckState(0, Qt.CheckState.Checked)
    assert "There is already a source 'box'" in item.text(1)
    assert not dialog.accept_button.isEnabled()
    item.setText(0, "crate")
    await imported(studio, dialog)
    assert "name: crate" in file(studio)


async def test_the_tools_of_a_workflow_become_sources_and_grants(studio: Any):
    dialog = open_import(studio.window.context)
    dialog.text.setPlainText(WORKFLOW)
    dialog.refresh()
    assert "ChatDev workflow" in dialog.list.title.text()
    await imported(studio, dialog)
    await studio.until(lambda: "Analyst" in file(studio))
    assert "path: functions/function_calling" in file(studio)
    assert "url: https://example.com/mcp" in file(studio)
    assert "Analyst: [people.*]" in file(studio).replace('"', "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"mcpServers": {', "Line 1 is no JSON"),
        ('{"name": "x"}', "There are no MCP servers in it"),
        ("just words", "There are no tools in it"),
        ("tooling:\n  - [", "The workflow cannot be read"),
    ],
)
async def test_a_text_without_tools_is_told_and_nothing_can_be_added(studio: Any, text: str, message: str):
    dialog = open_import(studio.window.context)
    dialog.text.setPlainText(text)
    dialog.refresh()
    assert message in dialog.list.said.text()
    assert dialog.list.said.text().startswith("✕")
    assert not dialog.accept_button.isEnabled()


async def test_a_file_is_read_and_one_that_is_no_text_is_told(studio: Any, tmp_path: Path):
    (tmp_path / "servers.json").write_text('{"servers": {"a": {"command": "x"}}}')
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\x00")
    dialog = open_import(studio.window.context)
    dialog.take_file(tmp_path / "servers.json")
    assert [entry["name"] for entry in dialog.list.chosen()] == ["a"]
    dialog.take_file(tmp_path / "picture.png")
    assert "is not UTF-8 text" in dialog.note.text()
