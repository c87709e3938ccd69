"""The studio's tools for others on this machine: over HTTP, and as an MCP server."""
