"""Redacting one text by shapes, known secrets and the user's patterns, also where it comes in pieces."""

import functools
import re
from collections.abc import Iterable, Iterator
from string import ascii_letters, digits

from ptc_studio.core.redaction.encoded import encoded_begun, encoded_places, encoded_spans, may_be_encoded
from ptc_studio.core.redaction.keys import NONE, Exceptions, SecretKeys
from ptc_studio.core.redaction.patterns import UserPattern
from ptc_studio.core.redaction.private_keys import (
    HEADER,
    LONGEST,
    PRIVATE_KEY,
    block_spans,
    grows,
    open_block,
    resumed,
)
from ptc_studio.core.redaction.redacted import (
    MARKER_START,
    SEAL,
    Redacted,
    Redaction,
    Span,
    is_marker,
    marker,
    marker_spans,
    merge,
    subtract,
)
from ptc_studio.core.redaction.secrets import KnownSecrets
from ptc_studio.core.redaction.shape import LEFT_CONTEXT, LOOSE_EDGE, SecretShape
from ptc_studio.core.redaction.shapes import SHAPE_NAMES, SHAPES, SHORTEST, triggered

REACH = 16_384
"""A secret without white space is assumed to be no longer than this where a text is cut or streamed."""

_FOLD_AT_ONCE = 262_144
LEARNED = "secret:"
_TRIGGERS = [(shape, trigger, shape.folded) for shape in SHAPES for trigger in shape.triggers]


class TextRules:
    """All the rules for texts; holds no text itself, so any thread may use it."""

    def __init__(
        self,
        keys: SecretKeys,
        patterns: tuple[UserPattern, ...],
        secrets: KnownSecrets,
        exceptions: Exceptions = NONE,
    ) -> None:
        self._keys = keys
        self.exceptions = exceptions
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
            found += shape_spans(text, start)
            found += block_spans(text, start)
        if may_be_encoded(text):
            found += encoded_spans(text, start, lambda decoded: shape_spans(decoded, 0))
        for pattern in self.patterns:
            found += pattern.spans(text, start)
        if found and self.exceptions:
            found = [span for span in found if not self._is_excepted(text, span)]
        if not found:
            return found
        return subtract(merge(found), marker_spans(text, start, self._knows))

    def _is_excepted(self, text: str, span: Span) -> bool:
        if self.secrets.is_given(span.rule):
            return False
        if span.rule in self.exceptions.rules or self.exceptions.has_value(text[span.start : span.end]):
            return True
        # What was learned under the key before somebody said that it is none.
        return span.rule.startswith(LEARNED) and self.exceptions.has_key(span.rule.removeprefix(LEARNED))

    def is_marker(self, text: str) -> bool:
        """Whether the text is nothing but the trace of an earlier redaction."""
        return is_marker(text, self._knows)

    def _suspect(self, text: str) -> bool:
        if self.patterns or (len(text) >= SHORTEST and (triggered(text) or may_be_encoded(text))):
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


def shape_spans(text: str, start: int) -> Iterator[Span]:
    """What the shapes hide from `start` on."""
    folded = _folded(text)
    for shape, trigger, is_folded in _TRIGGERS:
        haystack = folded if is_folded else text
        # Nearly none of them is there.
        if trigger in haystack:
            yield from _triggered_spans(shape, trigger, haystack, text, start)


def _triggered_spans(shape: SecretShape, trigger: str, haystack: str, text: str, start: int) -> Iterator[Span]:
    # What is kept before a secret may have gone out already.
    at = haystack.find(trigger, max(0, start - LEFT_CONTEXT) if shape.group else start)
    while at >= 0:
        match = shape.match_at(text, at, start)
        if match and match.start(shape.group) >= start:
            yield Span(max(match.start(), start), *match.span(shape.group), shape.name)
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


_WORDS = 5
"""A header with its scheme and credential has no more words: `["Authorization"] = "Token abc`."""
_LISTS = ("digest", "aws4-hmac", "oauth", "hawk", "signature", "=")
"""What tells that a header's credential is a list, which ends only with its line."""


def _begun(literal: str) -> str:
    """A pattern for the literal, or as much of it as stands at the end of the text."""
    pattern = re.escape(literal[-1])
    for character in reversed(literal[:-1]):
        pattern = rf"{re.escape(character)}(?:\Z|{pattern})"
    return pattern


@functools.cache
def _openings() -> re.Pattern[str]:
    plain = [_begun(trigger) for shape in SHAPES if not shape.folded and not shape.lead for trigger in shape.triggers]
    folded = [_begun(trigger) for shape in SHAPES if shape.folded for trigger in shape.triggers]
    # These stand in the midst of a word; see `behind` and `address`.
    inside = {_begun(trigger) for trigger in (".", "Q~", "://", ".atlasv1.")}
    plain, folded = [each for each in dict.fromkeys(plain) if each not in inside], list(dict.fromkeys(folded))
    digits = r"[0-9]{1,10}(?:\Z|:)"
    heads = "|".join([*plain, digits, f"(?i:{'|'.join(folded)})"])
    address = r":(?:\Z|/(?:\Z|/))"
    led = r"[0-9a-f]{1,32}(?:\Z|-(?:\Z|u(?:\Z|s)))"
    behind = (
        r"(?<=[0-9])Q(?:\Z|~)|(?<=[A-Za-z0-9_-]{24})\.(?:\Z|[A-Za-z0-9_-]{1,6}(?:\Z|\.))"
        rf"|(?<=[A-Za-z0-9]{{14}}){_begun('.atlasv1.')}"
    )
    return re.compile(rf"{LOOSE_EDGE}(?:{heads}|{led})|{behind}|{address}|(?<=bot){digits}|{_begun(MARKER_START)}")


def partial_secret_start(rules: TextRules, text: str, start: int) -> int:
    """The place from which on the text must be held back; its length if all of it can go."""
    needles = rules.secrets.needles()
    held = min(open_block(text, start), needles.begun_with_spaces(text, start))
    if text.endswith("\n"):
        return held
    line = max(start, text.rfind("\n") + 1)
    held = min(held, _open_header(text, line), _open_name(text, line))
    if any(not pattern.wordlike for pattern in rules.patterns):
        return min(held, line)
    word = _last_word(text, line)
    if rules.patterns and word < len(text):
        return min(held, word)
    word = max(word, len(text) - REACH)
    opening = _openings().search(text, word)
    held = min(held, opening.start() if opening else len(text), _open_encoding(text, word))
    return min(held, needles.begun(text, word))


def _open_encoding(text: str, word: int) -> int:
    """Where an encoded shape may begin in the last word."""
    # The first characters may have gone out, before they were enough to tell.
    start = max(_last_word(text, text.rfind("\n") + 1), word - LEFT_CONTEXT)
    places = encoded_places(text, start) if may_be_encoded(text[start:]) else iter(())
    first = next((at for at, _ in places), len(text))
    return min(max(first, word), encoded_begun(text, word))


_NAMED = re.compile(
    r"""(?i)(?:password|passwd|passphrase|pwd|token|secret|api[_-]?key|access[_-]?key|fastly-key)"""
    r"""["'\\\]]{0,4}(?:[ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}|[ ])?["'\\`]{0,3}[^\s"'`\\,;&<>()\[\]{}]*\Z"""
)
"""A name at the end of the text, with as much of its value as is there."""
_COOKIES = re.compile(r"""(?i)(?:set-)?cookie["'\\\]]{0,4}[ \t]{0,4}(?:=>|[:=,])""")


def _open_name(text: str, line: int) -> int:
    """Where a name begins whose value may still be to come, or be going on."""
    begin = max(0, line - LEFT_CONTEXT)
    named = _NAMED.search(text, max(begin, len(text) - 600))
    cookies = _COOKIES.search(text, max(begin, len(text) - REACH))
    held = min(named.start() if named else len(text), cookies.start() if cookies else len(text))
    return max(line, held)


def _last_word(text: str, line: int) -> int:
    return max((text.rfind(space, line) + 1 for space in " \t\r\f"), default=line) or line


def _open_header(text: str, line: int) -> int:
    """Where a header begins whose credential may still be to come."""
    folded = text[line:].lower()
    if len(folded) != len(text) - line:
        folded = text[line:].replace("İ", "i").lower()
    at = folded.find("authorization")
    while at >= 0:
        if any(mark in folded[at + 13 : at + 110] for mark in _LISTS):
            return line + at
        at = folded.find("authorization", at + 1)
    words = folded.rsplit(None, _WORDS)
    tail = len(words[0]) if len(words) > _WORDS else 0
    places = [at for at in (folded.find("authorization", tail), folded.find("bearer", tail)) if at >= 0]
    return line + min(places) if places else len(text)


_TOKEN = ascii_letters + digits + "._~+/=-"


class StreamRedactor:
    """Gives out what is safe to show as soon as it is; joined, the same as the whole text redacted at once.

    A secret may come in many pieces. Held back is only what could be the beginning of one: at most 16 KiB of a line,
    or 64 KiB of an unfinished private key. For one thread at a time.
    """

    def __init__(self, rules: TextRules, where: str) -> None:
        self._rules = rules
        self._where = where
        self._text = ""
        """What is held back, after some characters that went out already and serve as context."""
        self._start = 0
        """Where the context ends."""
        self._swallowing = False
        """Whether a token too long to hold was reported, and its rest is to be dropped."""
        self._muted = False
        """Whether the text begins with the stand-in for a private key that was reported."""

    @property
    def held(self) -> int:
        """How many characters are in memory: what is held back, and its context."""
        return len(self._text)

    def feed(self, text: str) -> Redacted:
        """What can be shown now, perhaps nothing."""
        self._text += self._without_rest(text)
        cut = partial_secret_start(self._rules, self._text, self._start)
        return self._release(cut)

    def flush(self) -> Redacted:
        """All that was held back; the stream is then as new."""
        out, rules = self._rendered(len(self._text), self._rules.spans(self._text, self._start))
        self._text, self._start, self._swallowing, self._muted = "", 0, False, False
        return self._sealed(out, rules)

    def _release(self, cut: int) -> Redacted:
        size = len(self._text)
        in_block = open_block(self._text, self._start) < size
        cut = max(cut, size - (LONGEST if in_block else REACH))
        if cut <= self._start:
            return self._sealed("", ())
        spans = self._rules.spans(self._text, self._start)
        cut = self._moved(cut, spans)
        if cut <= self._start:
            return self._sealed("", ())
        out, rules = self._rendered(cut, spans)
        if spans and self._grows(spans[-1]) and cut >= spans[-1].end:
            self._let_go(spans[-1])
        else:
            self._drop(cut)
        return self._sealed(out, rules)

    def _moved(self, cut: int, spans: list[Span]) -> int:
        """The cut, moved out of the span that it would divide or that more text could lengthen."""
        size = len(self._text)
        for span in reversed(spans):
            if span.opens >= cut or (span.end <= cut and not self._grows(span)):
                continue
            if size - span.opens > LONGEST:
                return span.end if self._grows(span) else max(cut, span.end)
            cut = span.opens
        return cut

    def _rendered(self, cut: int, spans: list[Span]) -> tuple[str, tuple[str, ...]]:
        if not self._muted:
            return render(self._text, self._start, cut, spans)
        self._muted = False
        goes_on = bool(spans) and spans[0].start == 0
        start = spans[0].end if goes_on else len(HEADER)
        return render(self._text, start, cut, spans[goes_on:])

    def _drop(self, cut: int) -> None:
        context = max(0, cut - LEFT_CONTEXT)
        self._text, self._start = self._text[context:], cut - context

    def _grows(self, span: Span) -> bool:
        return span.end == len(self._text) or grows(self._text, span)

    def _let_go(self, span: Span) -> None:
        """Have the rest dropped of a secret that was reported because it is too long to hold."""
        if span.rule == PRIVATE_KEY:
            self._text, self._start, self._muted = resumed(self._text, span), 0, True
        else:
            self._drop(len(self._text))
            self._swallowing = True

    def _without_rest(self, text: str) -> str:
        if not self._swallowing:
            return text
        rest = text.lstrip(_TOKEN)
        self._swallowing = not rest
        return rest

    def _sealed(self, text: str, rules: tuple[str, ...]) -> Redacted:
        return Redacted(SEAL, text, tuple(Redaction(rule, self._where, "$") for rule in rules))
