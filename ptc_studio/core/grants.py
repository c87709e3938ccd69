"""What a script may call."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

_WILD = frozenset("*?[")


def is_wild(pattern: str) -> bool:
    """Whether it may mean other names than itself."""
    return not _WILD.isdisjoint(pattern)


@dataclass(frozen=True, slots=True)
class Grant:
    """A set of names and patterns such as `shop.*`; None stands for everything that is loaded."""

    patterns: tuple[str, ...] | None = None
    _names: frozenset[str] = field(init=False, repr=False, compare=False)
    """Looked up rather than gone through: a grant of a thousand names is asked of a thousand tools."""
    _wild: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        patterns = self.patterns or ()
        object.__setattr__(self, "_names", frozenset(patterns))
        object.__setattr__(self, "_wild", tuple(filter(is_wild, patterns)))

    def allows(self, names: Iterable[str], in_source: str | None = None) -> bool:
        """True if the grant means a thing that goes by these names, or by `in_source`, as in `shop.*`."""
        if self.patterns is None:
            return True
        names = tuple(names)
        if not self._names.isdisjoint(names):
            return True
        # A pattern without a dot says nothing of sources: `f*` must not mean all that is in `functions`.
        if in_source and "." in in_source and in_source in self._names:
            return True
        return any(
            fnmatchcase(name, pattern)
            for pattern in self._wild
            for name in (*names, *((in_source,) if in_source and "." in pattern else ()))
        )


EVERYTHING = Grant()
