r"""Shapes that were encoded: in hex, as percent signs, as \\x or \\u00 escapes, in base64.

What a token begins with begins its encoded form, too: where that stands, the run around it is decoded, and the shapes
are looked for in what comes out. A run is decoded once, so all this is linear.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from typing import Any, cast

import re2  # pyright: ignore[reportMissingTypeStubs]

from ptc_studio.core.redaction.private_keys import block_spans
from ptc_studio.core.redaction.redacted import Span
from ptc_studio.core.redaction.shapes import SHAPES

Look = Callable[[str], Iterator[Span]]

_BEGIN_LENGTH = 4
"""So much of a trigger is looked for; what is found is tried in any case."""
_SHORTEST = 20
"""No shape is shorter in any encoding."""
_LEFT = 8
"""How many units before the trigger are decoded, to see that no word goes on there."""
UNIT_PREFIXES = ("", "%", "\\x", "\\u00")
_PREFIXES = ("\\\\u00", "\\\\x", "\\u00", "\\x", "%", "")
_BASE64_RUN = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_BASE64_GROUP = re.compile(r"[A-Za-z0-9+/_-]{4}")
"""Before the end there is no filling: the `=` of `key=` belongs to what stands before."""
_FROM_URL = str.maketrans("-_", "+/")


def _triggers() -> list[str]:
    found = [trigger for shape in SHAPES if shape.encoded and not shape.folded for trigger in shape.triggers]
    return list(dict.fromkeys(each[:_BEGIN_LENGTH] for each in [*found, "BEGIN"] if len(each) > 2))


def _core(trigger: str, shift: int) -> str:
    """What every base64 text has in which the trigger begins that many bytes after a group of three."""
    data = b"\0" * shift + trigger.encode("ascii")
    return base64.b64encode(data).decode("ascii")[-(-shift * 8 // 6) : len(data) * 8 // 6]


def _spelt(text: str, prefix: str) -> str:
    return "".join(f"{prefix}{byte:02x}" for byte in text.encode("ascii"))


TRIGGERS = _triggers()
_TO_URL = str.maketrans("+/", "-_")
_CORES: dict[str, int] = {
    core: shift
    for shift in (2, 1, 0)
    for trigger in TRIGGERS
    for core in (_core(trigger, shift), _core(trigger, shift).translate(_TO_URL))
}
_UNITS: dict[str, str] = {_spelt(trigger, prefix): prefix for prefix in UNIT_PREFIXES for trigger in TRIGGERS}


def _escape(text: str) -> str:
    return cast("str", cast("Any", re2).escape(text))


ENCODED_GATES = (
    *map(_escape, _CORES),
    *(f"(?i:{_escape(text)})" for text in _UNITS),
    # In JSON every backslash is two.
    *(f"(?i:{_escape(text.replace(chr(92), chr(92) * 2))})" for text, prefix in _UNITS.items() if "\\" in prefix),
)
"""One of these is in every text that has an encoded shape."""


def _finder() -> Any:
    options = cast("Any", re2).Options()
    options.log_errors = False
    options.max_mem = 32 << 20
    pattern = "|".join([*map(_escape, sorted(_CORES, key=len, reverse=True)), *ENCODED_GATES[len(_CORES) :]])
    return cast("Any", re2).compile(pattern, options)


_FINDER = _finder()
BEGINNINGS = frozenset(
    [core[:size] for core in _CORES for size in range(3, len(core) + 1)]
    + [text[:size] for text in _UNITS for size in range(4, len(text) + 1)]
)
"""What the end of a text may be that goes on as an encoded shape."""
LONGEST_BEGINNING = max(map(len, BEGINNINGS))


def may_be_encoded(text: str) -> bool:
    """Whether an encoded shape could be in the text."""
    return len(text) >= _SHORTEST and _FINDER.search(text.encode("ascii", "replace")) is not None


def encoded_places(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Where an encoded shape may begin, and what stands there."""
    # A byte a character, so that the places are the same.
    for match in _FINDER.finditer(text[start:].encode("ascii", "replace")):
        low, high = match.span()
        yield start + low, text[start + low : start + high]


def encoded_begun(text: str, start: int) -> int:
    """Where the text may end in the midst of an encoded shape; its length if nowhere."""
    for size in range(min(LONGEST_BEGINNING, len(text)), 2, -1):
        tail = text[-size:]
        if tail in BEGINNINGS or tail.lower() in BEGINNINGS:
            return max(start, len(text) - size)
    return len(text)


def encoded_spans(text: str, start: int, look: Look) -> Iterator[Span]:
    """What to hide; `look` finds the shapes of a text that was decoded."""
    done: dict[object, int] = {}
    for at, found in encoded_places(text, max(0, start - LONGEST_BEGINNING)):
        run = _base64_run(text, at, _CORES[found]) if found in _CORES else _unit_run(text, at, found.lower())
        if run is None or done.get(run.key, -1) >= at:
            continue
        done[run.key] = run.end
        yield from run.spans(start, look)
        other = _unit_run(text, at, found.lower()) if found in _CORES and found.lower() in _UNITS else None
        if other is not None:
            yield from other.spans(start, look)


class _Run:
    """A stretch of text that is all of one encoding."""

    def __init__(self, start: int, end: int, per_byte: float, decoded: str, key: object) -> None:
        self.start = start
        self.end = end
        self.key = key
        """Runs of one key are parts of the same."""
        self._per_byte = per_byte
        self._decoded = decoded

    def spans(self, start: int, look: Look) -> Iterator[Span]:
        for span in [*look(self._decoded), *block_spans(self._decoded)]:
            low = self.start + int(span.start * self._per_byte)
            high = min(self.start - int(-span.end * self._per_byte // 1), self.end)
            if span.end == len(self._decoded):
                high = self.end
            if high > start:
                yield Span(max(low, start), max(low, start), high, span.rule)


def _base64_run(text: str, at: int, shift: int) -> _Run | None:
    aligned = at - -(-shift * 8 // 6)
    if aligned < 0:
        return None
    start = aligned
    while start >= 4 and aligned - start < 4 * _LEFT and _BASE64_GROUP.fullmatch(text, start - 4, start):
        start -= 4
    match = _BASE64_RUN.match(text, at)
    end = match.end() if match else at
    body = text[start:end].rstrip("=").translate(_FROM_URL)
    body = body[: len(body) - 1] if len(body) % 4 == 1 else body
    try:
        decoded = binascii.a2b_base64(body + "=" * (-len(body) % 4))
    except (binascii.Error, ValueError):
        return None
    return _Run(start, end, 4 / 3, decoded.decode("latin-1"), ("base64", aligned % 4))


def _unit_run(text: str, at: int, found: str) -> _Run | None:
    prefix = next(each for each in _PREFIXES if found.startswith(each))
    unit = re.compile(re.escape(prefix) + "[0-9A-Fa-f]{2}")
    size = len(prefix) + 2
    start = at
    while start >= size and at - start < size * _LEFT and unit.fullmatch(text, start - size, start):
        start -= size
    run = re.compile(f"(?:{unit.pattern})*").match(text, at)
    end = run.end() if run else at
    digits = text[start:end].replace(prefix, "") if prefix else text[start:end]
    return _Run(start, end, size, bytes.fromhex(digits).decode("latin-1"), (prefix, at % size))
