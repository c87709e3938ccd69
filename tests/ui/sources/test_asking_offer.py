"""Whoever adds a server is offered to be asked before its destructive tools."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.ui.sources.entry_form import destructive_tools
from ptc_studio.ui.sources.import_dialog import ImportDialog
from tests.ui.targets.test_targets_in_the_window import drop

from .conftest import with_source
from .test_import_dialog import imported

SERVER = """
from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations

server = MCPServer("own")

@server.tool(annotations=ToolAnnotations(destructive_hint=True))
def wipe() -> str:
    return "gone"

@server.tool(annotations=ToolAnnotations(destructive_hint=True, read_only_hint=True))
def look() -> str:
    return "seen"

@server.tool()
def plain() -> str:
    return "plain"

server.run()
"""


@pytest.fixture
def server(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "server.py").write_text(SERVER)
    return {"command": sys.executable, "args": [str(tmp_path / "server.py")]}


async def accepted(studio: Any, forms: Any) -> None:
    """The offer is made for the one tool, and taken."""
    messages = studio.window.context.messages
    await studio.until(lambda: messages.isVisible() and messages.button.text() == "Ask before it", 30)
    assert messages.message == "own.wipe may destroy something, its server says."
    source = next(each for each in studio.window.workbench.studio.source_set.loaded_sources if each.name == "own")
    assert destructive_tools(source) == ["own.wipe"]
    forms.press(messages.button)
    registry = studio.window.workbench.studio.registry
    await studio.until(lambda: registry.resolve("own.wipe").spec.permission == "ask", 30)
    assert "own.wipe: ask" in forms.file
    assert registry.resolve("own.look").spec.permission == registry.resolve("own.plain").spec.permission == "allow"


async def test_to_be_asked_is_offered_once_for_what_its_server_calls_destructive(
    studio: Any, forms: Any, server: dict[str, Any]
):
    await with_source(studio, forms, "mcp", name="own", command=server["command"], args=server["args"][0])
    await accepted(studio, forms)


async def test_it_is_offered_for_servers_of_another_programs_file_that_is_dropped(
    studio: Any, forms: Any, server: dict[str, Any], tmp_path: Path
):
    file = tmp_path / "claude_desktop_config.json"
    file.write_text(json.dumps({"mcpServers": {"own": server}}))
    drop(studio, file)
    await studio.until(lambda: studio.window.findChildren(ImportDialog))
    [dialog] = studio.window.findChildren(ImportDialog)
    assert await imported(studio, dialog) == ["own"]
    await accepted(studio, forms)
