"""The text that stands where a secret stood, and how it is recognised again."""

import re
from collections.abc import Callable

MARKER_START = "[REDACTED:"
_MARKER = re.compile(r"\[REDACTED:([^\[\]\s]{1,120})\]")
_UNFIT = re.compile(r"[^\w.:-]+")


def rule_name(name: str) -> str:
    """The name as it can stand in a marker: without brackets and white space."""
    return _UNFIT.sub("_", name)[:100] or "_"


def marker(rule: str) -> str:
    """What is shown instead of a secret."""
    return f"{MARKER_START}{rule}]"


def is_marker(text: str, known: Callable[[str], bool]) -> bool:
    """Whether the whole text is a marker of a known rule."""
    match = _MARKER.fullmatch(text) if text.startswith(MARKER_START) else None
    return match is not None and known(match[1])


def marker_spans(text: str, start: int, known: Callable[[str], bool]) -> list[tuple[int, int]]:
    """Where markers of known rules stand; others are no shelter, else `[REDACTED:<secret>]` would pass."""
    if MARKER_START not in text:
        return []
    return [match.span() for match in _MARKER.finditer(text, start) if known(match[1])]
