"""Loads the MCP library, which takes half a second: off the loops' threads, when the first server is needed."""

import importlib

_PARTS = ("mcp.client.client", "mcp.client.streamable_http", "mcp_types.methods", "httpx2")


def load_library() -> None:
    """Imports what connections use; at once the second time."""
    for part in _PARTS:
        importlib.import_module(part)
