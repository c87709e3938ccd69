"""What of an unfinished text could still become a secret, and so must wait for more of it."""

import re

from ptc_studio.core.redaction.markers import MARKER_START
from ptc_studio.core.redaction.pem import open_block
from ptc_studio.core.redaction.shapes import LOOSE_EDGE, SHAPES
from ptc_studio.core.redaction.text import REACH, TextRules

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


def _openings() -> re.Pattern[str]:
    plain = [_begun(trigger) for shape in SHAPES if not shape.folded and not shape.lead for trigger in shape.triggers]
    folded = [_begun(trigger) for shape in SHAPES if shape.folded for trigger in shape.triggers]
    digits = r"[0-9]{1,10}(?:\Z|:)"
    heads = "|".join([*plain, digits, f"(?i:{'|'.join(folded)})"])
    return re.compile(rf"{LOOSE_EDGE}(?:{heads})|(?<=bot){digits}|{_begun(MARKER_START)}")


_OPENINGS = _openings()


def held_from(rules: TextRules, text: str, start: int) -> int:
    """The place from which on the text must be held back; its length if all of it can go."""
    needles = rules.secrets.needles()
    held = min(open_block(text, start), needles.begun_with_spaces(text, start))
    if text.endswith("\n"):
        return held
    line = max(start, text.rfind("\n") + 1)
    held = min(held, _open_header(text, line))
    if any(not pattern.wordlike for pattern in rules.patterns):
        return min(held, line)
    word = _last_word(text, line)
    if rules.patterns and word < len(text):
        return min(held, word)
    word = max(word, len(text) - REACH)
    opening = _OPENINGS.search(text, word)
    held = min(held, opening.start() if opening else len(text))
    return min(held, needles.begun(text, word))


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
