"""What a cassette may be called."""

from collections.abc import Iterable
from pathlib import PurePath

LONGEST = 80
_FORBIDDEN = '/\\:*?"<>|'


def suggested(script: str, taken: Iterable[str]) -> str:
    """A name that is free, after the script."""
    base = "".join("-" if letter in _FORBIDDEN else letter for letter in PurePath(script).stem).strip(". ")
    base = base[:LONGEST] or "run"
    names = {name.casefold() for name in taken}
    free = (name for number in range(1, len(names) + 2) if (name := _numbered(base, number)).casefold() not in names)
    return next(free)


def fault_of(name: str) -> str:
    """Why a cassette cannot be called that; empty if it can."""
    if not name.strip():
        return "Give it a name."
    if any(letter in _FORBIDDEN or not letter.isprintable() for letter in name):
        return f"The name is that of a file: leave out {' '.join(_FORBIDDEN)}"
    if name.startswith((".", " ")) or name.endswith((".", " ")):
        return "The name must not begin or end with a dot or a space."
    return f"The name is too long: at most {LONGEST} characters." if len(name) > LONGEST else ""


def _numbered(base: str, number: int) -> str:
    return base if number == 1 else f"{base}-{number}"
