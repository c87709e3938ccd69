"""Takes a part out of an answer by a JSONPath (RFC 9535)."""

from typing import Any


class UnfitPath(Exception):
    """The path is none; the message says why."""


class Extraction:
    """A path, compiled once. One that leads to one place gives what is there, or None; all others give a list."""

    def __init__(self, path: str) -> None:
        import jsonpath

        try:
            self._path = jsonpath.compile(path)
        except jsonpath.JSONPathError as error:
            raise UnfitPath(" ".join(str(error).split())) from None
        self._singular = isinstance(self._path, jsonpath.JSONPath) and self._path.singular_query()

    def of(self, value: Any) -> Any:
        """The part of the value."""
        found = self._path.findall(value if isinstance(value, dict | list) else [])
        if self._singular:
            return found[0] if found else None
        return found
