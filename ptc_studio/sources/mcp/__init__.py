"""Tools of MCP servers: programs that are started, and addresses that are called."""
