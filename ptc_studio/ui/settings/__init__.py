"""The settings of the user and of the workspace, in one dialog."""
