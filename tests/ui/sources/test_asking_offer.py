"""Whoever adds a server is offered to be asked before its destructive tools."""

import sys
from pathlib import Path
from typing import Any

from ptc_studio.ui.sources.asking_offer import destructive_tools

from .conftest import with_source

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


async def test_to_be_asked_is_offered_once_for_what_its_server_calls_destructive(
    studio: Any, forms: Any, tmp_path: Path
):
    (tmp_path / "server.py").write_text(SERVER)
    await with_source(studio, forms, "mcp", name="own", command=sys.executable, args=str(tmp_path / "server.py"))
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
