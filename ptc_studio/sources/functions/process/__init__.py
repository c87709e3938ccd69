"""Functions in processes of their own: a crash costs one call, and a stuck one is really ended."""
