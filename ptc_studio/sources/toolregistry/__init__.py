"""Tools of a `ToolRegistry` object that a Python module makes."""
