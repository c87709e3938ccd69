"""What a script may call."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Grant:
    """A set of names and patterns such as `shop.*`; None stands for everything that is loaded."""

    patterns: tuple[str, ...] | None = None

    def allows(self, names: Iterable[str], in_source: str | None = None) -> bool:
        """True if the grant means a thing that goes by these names, or by `in_source`, as in `shop.*`."""
        if self.patterns is None:
            return True
        names = tuple(names)
        # A pattern without a dot says nothing of sources: `f*` must not mean all that is in `functions`.
        return any(
            name == pattern or fnmatchcase(name, pattern)
            for pattern in self.patterns
            for name in (*names, *((in_source,) if in_source and "." in pattern else ()))
        )


EVERYTHING = Grant()
