"""Tools of MCP servers: programs that are started, and addresses that are called."""

from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.errors import McpProtocolError, McpServerDown, McpToolError
from ptc_studio.sources.mcp.source import McpSource

__all__ = ["McpEntry", "McpProtocolError", "McpServerDown", "McpSource", "McpToolError"]
