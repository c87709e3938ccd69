"""Where tools come from: one module a kind of source."""
