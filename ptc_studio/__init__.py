"""PTC Studio: a playground for programmatic tool calling."""

__version__ = "0.1.0"
