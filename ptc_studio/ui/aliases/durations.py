"""Time limits as people write them. Knows no Qt."""

import re

_DURATION = re.compile(
    r"(?P<number>\d+(?:[.,]\d+)?|[.,]\d+)\s*(?P<unit>ms|s|sec|seconds?|min|minutes?|m)?", re.IGNORECASE
)
_SECONDS = {"ms": 0.001, "m": 60, "min": 60, "minute": 60, "minutes": 60}


def seconds_of(text: str) -> float | int | None:
    """`10`, `10 s`, `1.5 min`; None for what is no time at all. A whole number of seconds is an integer."""
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        return None
    seconds = float(found["number"].replace(",", ".")) * _SECONDS.get((found["unit"] or "s").lower(), 1)
    seconds = round(seconds, 6)
    return int(seconds) if seconds == int(seconds) else seconds


def duration(seconds: float) -> str:
    """`10 s`."""
    return f"{seconds:g} s"
