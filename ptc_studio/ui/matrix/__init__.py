"""One script in every runtime for it, side by side."""
