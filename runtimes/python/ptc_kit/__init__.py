"""The guest side of the Python runtimes: standard library only, light to import."""
