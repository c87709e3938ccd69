"""What a script may call."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Grant:
    """A set of names and patterns such as `shop.*`; None stands for everything that is loaded."""

    patterns: tuple[str, ...] | None = None

    def allows(self, names: Iterable[str]) -> bool:
        """True if the grant means a thing that goes by these names."""
        if self.patterns is None:
            return True
        return any(name == pattern or fnmatchcase(name, pattern) for name in names for pattern in self.patterns)


EVERYTHING = Grant()
