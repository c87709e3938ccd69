"""The files of the workspace."""
