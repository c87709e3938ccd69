"""What is kept on disk: the workspace file."""
