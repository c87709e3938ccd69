"""Redacting one text by shapes, known secrets and the user's patterns."""

from collections.abc import Iterable, Iterator

from ptc_studio.core.redaction.keys import SecretKeys
from ptc_studio.core.redaction.patterns import UserPattern
from ptc_studio.core.redaction.redacted import is_marker, marker, marker_spans
from ptc_studio.core.redaction.secrets import KnownSecrets
from ptc_studio.core.redaction.shapes import (
    PRIVATE_KEY,
    SHAPE_NAMES,
    SHAPES,
    SHORTEST,
    SecretShape,
    block_spans,
    triggered,
)
from ptc_studio.core.redaction.spans import Span, merge, subtract

REACH = 16_384
"""A secret without white space is assumed to be no longer than this where a text is cut or streamed."""

_FOLD_AT_ONCE = 262_144


class TextRules:
    """All the rules for texts; holds no text itself, so any thread may use it."""

    def __init__(self, keys: SecretKeys, patterns: tuple[UserPattern, ...], secrets: KnownSecrets) -> None:
        self._keys = keys
        self.patterns = patterns
        self.secrets = secrets
        self._names = SHAPE_NAMES | {PRIVATE_KEY} | {pattern.rule for pattern in patterns}

    def redact(self, text: str) -> tuple[str, tuple[str, ...]]:
        """The text without its secrets, and the rules that fired, each once."""
        if not self._suspect(text):
            return text, ()
        return render(text, 0, len(text), self.spans(text))

    def redact_head(self, text: str, size: int) -> tuple[str, tuple[str, ...]]:
        """The same for the first `size` characters; a secret that reaches over their end is hidden whole."""
        head = text[: size + REACH]
        return render(head, 0, size, self.spans(head))

    def spans(self, text: str, start: int = 0) -> list[Span]:
        """What to hide from `start` on; what stands before is only looked at as context."""
        found = list(self.secrets.needles().spans(text, start))
        if triggered(text):
            found += _shape_spans(text, start)
            found += block_spans(text, start)
        for pattern in self.patterns:
            found += pattern.spans(text, start)
        if not found:
            return found
        return subtract(merge(found), marker_spans(text, start, self._knows))

    def is_marker(self, text: str) -> bool:
        """Whether the text is nothing but the trace of an earlier redaction."""
        return is_marker(text, self._knows)

    def _suspect(self, text: str) -> bool:
        if self.patterns or (len(text) >= SHORTEST and triggered(text)):
            return True
        return self.secrets.needles().touch(text)

    def _knows(self, rule: str) -> bool:
        if rule in self._names or self._keys.knows(rule) or rule in self.secrets.needles().rules:
            return True
        # The words before the ending of a key may be anything, and so a secret.
        return self._keys.rule(rule) is not None and not triggered(rule) and not self.secrets.needles().touch(rule)


def render(text: str, start: int, end: int, spans: Iterable[Span]) -> tuple[str, tuple[str, ...]]:
    """The text from `start` to `end` with markers for the spans that begin there, and the rules of those."""
    pieces: list[str] = []
    rules: dict[str, None] = {}
    at = start
    for span in spans:
        if span.start >= end:
            break
        pieces += (text[at : span.start], marker(span.rule))
        rules[span.rule] = None
        at = span.end
    pieces.append(text[at:end])
    return "".join(pieces), tuple(rules)


def _shape_spans(text: str, start: int) -> Iterator[Span]:
    folded = _folded(text)
    for shape in SHAPES:
        haystack = folded if shape.folded else text
        for trigger in shape.triggers:
            yield from _triggered_spans(shape, trigger, haystack, text, start)


def _triggered_spans(shape: SecretShape, trigger: str, haystack: str, text: str, start: int) -> Iterator[Span]:
    at = haystack.find(trigger, start)
    while at >= 0:
        match = shape.match_at(text, at, start)
        if match:
            yield Span(match.start(), *match.span(shape.group), shape.name)
        at = haystack.find(trigger, max(at + 1, match.end() if match else 0))


def _folded(text: str) -> str:
    """The text in lower case, each character in its old place; in pieces, since lowering holds the GIL."""
    if len(text) <= _FOLD_AT_ONCE or text.isascii():
        return _lower(text)
    return "".join(_lower(text[at : at + _FOLD_AT_ONCE]) for at in range(0, len(text), _FOLD_AT_ONCE))


def _lower(text: str) -> str:
    lowered = text.lower()
    # Only İ becomes two characters.
    return lowered if len(lowered) == len(text) else text.replace("İ", "i").lower()
