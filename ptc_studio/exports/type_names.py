"""Names of types, each given once."""

import re
from collections.abc import Iterable

LIMIT = 60


class TypeNames:
    """Gives names; those that are taken from the start are never given."""

    def __init__(self, taken: Iterable[str] = (), prefix: str = "") -> None:
        self._taken = set(taken)
        self._prefix = prefix

    def claim(self, *words: str) -> str:
        """A name made of the words that nobody else has."""
        base = f"{self._prefix}{_pascal(words)[:LIMIT]}"
        name, number = base, 2
        while name in self._taken:
            name, number = f"{base}{number}", number + 1
        self._taken.add(name)
        return name


def _pascal(words: Iterable[str]) -> str:
    parts = [part for word in words for part in re.split(r"[^A-Za-z0-9]+", word) if part]
    name = "".join(part[0].upper() + part[1:] for part in parts)
    return name if name[:1].isalpha() else f"T{name}"
