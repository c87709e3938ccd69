"""Tools that are scripts: a file of the workspace, in any runtime, whose own calls nest under its call."""
