"""Reads Python texts, in any thread: CPython 3.11 takes two readings at once for an error of its own now and then."""

import ast
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Read = TypeVar("Read")
MISTAKE = "recursion depth mismatch"
"""It counts how deep the tree is in one place for all threads, and compares afterwards."""
ATTEMPTS = 20


def read_steadily(read: Callable[Given, Read], *args: Given.args, **kwargs: Given.kwargs) -> Read:
    """What `read` gives, which makes syntax trees; it is asked again if another thread came between."""
    for _ in range(ATTEMPTS):
        try:
            return read(*args, **kwargs)
        except SystemError as error:
            if MISTAKE not in str(error):
                raise
    return read(*args, **kwargs)


def parsed(code: str | bytes, filename: str = "<unknown>") -> ast.Module:
    """Its syntax tree; raises what `ast.parse` does."""
    tree: Any = read_steadily(ast.parse, code, filename)
    return tree
