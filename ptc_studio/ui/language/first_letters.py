"""Tells with which letters a match of a regular expression can begin, so that most rules of a lexer need no try.

For one bracket pygments tries up to forty rules, one after the other, and a key in a long line waits for all of them.
"""

import re
from functools import lru_cache
from importlib import import_module
from typing import Any

ASCII = frozenset(map(chr, range(128)))
try:
    # How Python itself reads an expression; not meant for others, so its absence is no failure.
    _parser: Any = import_module("re._parser")
    _names: Any = import_module("re._constants")
except ImportError:
    _parser = _names = None


_CATEGORIES: dict[Any, re.Pattern[str]] = {}
if _names is not None:
    _CATEGORIES = {
        _names.CATEGORY_DIGIT: re.compile(r"\d"),
        _names.CATEGORY_NOT_DIGIT: re.compile(r"\D"),
        _names.CATEGORY_SPACE: re.compile(r"\s"),
        _names.CATEGORY_NOT_SPACE: re.compile(r"\S"),
        _names.CATEGORY_WORD: re.compile(r"\w"),
        _names.CATEGORY_NOT_WORD: re.compile(r"\W"),
    }
_ALSO_BEYOND_ASCII = frozenset("iIkKsS")
"""Letters that have another form beyond ASCII, where capitals do not count."""

Start = tuple[frozenset[str] | None, bool]
"""With what it can begin, None where that cannot be told; and whether it may match nothing."""


@lru_cache(maxsize=4_096)
def first_letters(pattern: "re.Pattern[str]") -> frozenset[str]:
    """The letters of ASCII with which a match can begin; all of them where that cannot be told."""
    if _parser is None:
        return ASCII
    letters, may_be_empty = _of_sequence(_parser.parse(pattern.pattern, pattern.flags))
    if letters is None or may_be_empty:
        return ASCII
    if pattern.flags & re.IGNORECASE:
        return _ALSO_BEYOND_ASCII.union(*((each.lower(), each.upper()) for each in letters))
    return letters


def _of_sequence(tree: Any) -> Start:
    letters: frozenset[str] = frozenset()
    for operator, operand in tree:
        if operator in (_names.AT, _names.ASSERT, _names.ASSERT_NOT):
            # Takes no letter, and only forbids some.
            continue
        more, may_be_empty = _of_item(operator, operand)
        if more is None:
            return None, True
        letters |= more
        if not may_be_empty:
            return letters, False
    return letters, True


def _of_item(operator: Any, operand: Any) -> Start:
    if operator is _names.LITERAL:
        return frozenset(chr(operand)) & ASCII, False
    if operator is _names.IN:
        return _of_set(operand), False
    if operator is _names.SUBPATTERN:
        _group, flags_on, flags_off, inner = operand
        return (None, True) if flags_on or flags_off else _of_sequence(inner)
    if operator is _names.BRANCH:
        return _of_any(operand[1])
    if operator in (_names.MAX_REPEAT, _names.MIN_REPEAT):
        least, _most, inner = operand
        letters, may_be_empty = _of_sequence(inner)
        return letters, may_be_empty or least == 0
    return None, True


def _of_any(parts: Any) -> Start:
    starts = [_of_sequence(part) for part in parts]
    known = [letters for letters, _empty in starts if letters is not None]
    whole = frozenset[str]().union(*known) if len(known) == len(starts) else None
    return whole, any(may_be_empty for _letters, may_be_empty in starts)


def _of_set(members: Any) -> frozenset[str] | None:
    letters: set[str] = set()
    negated = False
    for operator, operand in members:
        if operator is _names.NEGATE:
            negated = True
        elif operator is _names.LITERAL:
            letters.add(chr(operand))
        elif operator is _names.RANGE:
            letters.update(map(chr, range(operand[0], min(operand[1], 127) + 1)))
        elif operator is _names.CATEGORY and operand in _CATEGORIES:
            letters.update(filter(_CATEGORIES[operand].fullmatch, ASCII))
        else:
            return None
    return ASCII - letters if negated else ASCII & letters
