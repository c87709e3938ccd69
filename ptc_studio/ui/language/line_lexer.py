"""Lexes code line by line: pygments' rules, with its stack of states handed from one line to the next."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

from pygments.lexer import ExtendedRegexLexer, RegexLexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound

from ptc_studio.ui.language.names import PLAIN

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


@dataclass(frozen=True, slots=True)
class OpenSpan:
    """Something that has begun on a line above and lasts until its end is found."""

    kind: str
    end: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class SpanRule:
    """How such a span begins, and what will end it."""

    kind: str
    begin: re.Pattern[str]
    end: Callable[[re.Match[str]], re.Pattern[str]]
    next_line: bool = False
    """A heredoc: the rest of its first line is still code."""


def _rule(kind: str, begin: str, end: str) -> SpanRule:
    pattern = re.compile(end)
    return SpanRule(kind, re.compile(begin), lambda _: pattern)


def _raw_string_end(begin: re.Match[str]) -> re.Pattern[str]:
    return re.compile('"' + begin[1])


def _heredoc_end(begin: re.Match[str]) -> re.Pattern[str]:
    return re.compile(rf"^\s*{re.escape(begin[1])}$", re.MULTILINE)


_BLOCK_COMMENT = _rule("comment", r"/\*", r"\*/")
_GO = (_BLOCK_COMMENT, _rule("string", "`", "`"))
_CSHARP = (
    _BLOCK_COMMENT,
    _rule("string", r'\$*"""', '"""'),
    _rule("string", r'(?:@\$?|\$@)"', r'(?<!")(?:"")*"(?!")'),
)
_RUST = (SpanRule("string", re.compile(r'\bb?r(#*)"'), _raw_string_end),)
_BASH = (
    SpanRule("string", re.compile(r"<<-?[ \t]*\\?['\"]?(\w+)['\"]?"), _heredoc_end, next_line=True),
    _rule("string", r"(?<![\\\w])\$?'", "'"),
)
RULES: dict[str, tuple[SpanRule, ...]] = {
    "javascript": (_BLOCK_COMMENT,),
    "typescript": (_BLOCK_COMMENT,),
    "go": _GO,
    "csharp": _CSHARP,
    "rust": _RUST,
    "bash": _BASH,
}
INSIDE = {"string", "comment", "multiline-comments", "bytestring", "interp", "docstring", "nesting_comment"}
"""States of pygments in which nothing of this begins."""


Stack = tuple[str | OpenSpan, ...]
Piece = tuple[int, int, str]
"""Where it begins, how long it is, and what: comment, keyword, string, number or name."""
ROOT: Stack = ("root",)
LONGEST_LINE = 2_000
"""What lies further right stays plain, or one minified line would hold up every key."""
KINDS: tuple[tuple[Any, str], ...] = (
    (Comment, "comment"),
    (Keyword, "keyword"),
    (Operator.Word, "keyword"),
    (String.Interpol, ""),
    (String, "string"),
    (Number, "number"),
    (Name, "name"),
)


class LineLexer:
    """The pieces of a line, given the stack at its start; keeps nothing of the text between calls."""

    def __init__(self, language: str) -> None:
        self._lexer: Any = None if language == PLAIN else _lexer_for(language)
        self.states: dict[str, Any] = getattr(self._lexer, "_tokens", {})
        self._rules = RULES.get(language, ())
        self._possible: dict[tuple[str, str], list[Any]] = {}
        """The rules of a state that can match where the text goes on with a letter."""

    def lex(self, line: str, stack: Stack = ROOT) -> tuple[list[Piece], Stack]:
        """The pieces of the line that are not plain, and the stack at its end."""
        if self._lexer is None:
            return [], ROOT
        pieces: list[Piece] = []
        text = line[:LONGEST_LINE] + "\n"
        position, states = _leave_span(text, list(stack), pieces)
        return pieces, self._walk(text, position, states, pieces)

    def _walk(self, text: str, position: int, states: list[Any], pieces: list[Piece]) -> Stack:
        waiting: list[OpenSpan] = []
        end = len(text) if not isinstance(states[-1], OpenSpan) else 0
        while position < end:
            if self._rules and states[-1] not in INSIDE:
                skipped = self._enter_span(text, position, states, pieces, waiting)
                if skipped:
                    position = skipped
                    continue
            position = self._step(text, position, states, pieces)
        return (*states, *reversed(waiting))

    def _step(self, text: str, position: int, states: list[Any], pieces: list[Piece]) -> int:
        """One rule of pygments. In one piece, for it is done twenty times for every key."""
        state, letter = states[-1], text[position]
        rules = self._possible.get((state, letter))
        if rules is None:
            rules = self._possible[state, letter] = self.rules_for(state, letter)
        for matches, action, new_state in rules:
            match = matches(text, position)
            if match:
                end = match.end()
                if type(action) is _TokenType:
                    kind = _kind(action)
                    if kind and end > position:
                        pieces.append((position, end - position, kind))
                elif action is not None:
                    for start, token, value in action(self._lexer, match):
                        _add(pieces, start, start + len(value), token)
                if new_state is not None:
                    _change(states, new_state)
                return end
        if letter == "\n":
            states[:] = ROOT
        return position + 1

    def rules_for(self, state: str, letter: str) -> list[Any]:
        rules = self.states[state]
        if letter not in ASCII:
            return rules
        # Pygments keeps of each expression but its bound method.
        return [rule for rule in rules if letter in first_letters(rule[0].__self__)]

    def _enter_span(
        self, text: str, position: int, states: list[Any], pieces: list[Piece], waiting: list[OpenSpan]
    ) -> int:
        """Where to go on if a span begins here, else 0."""
        for rule in self._rules:
            match = rule.begin.match(text, position)
            if match:
                return _begun(rule, match, text, states, pieces, waiting)
        return 0


def _lexer_for(language: str) -> RegexLexer | None:
    """None for what pygments does not know, or does not lex by rules alone: such a text stays plain."""
    try:
        found = get_lexer_by_name(language)
    except ClassNotFound:
        return None
    return found if isinstance(found, RegexLexer) and not isinstance(found, ExtendedRegexLexer) else None


def _begun(
    rule: SpanRule, match: Any, text: str, states: list[Any], pieces: list[Piece], waiting: list[OpenSpan]
) -> int:
    start, ending = match.start(), rule.end(match)
    if rule.next_line:
        waiting.append(OpenSpan(rule.kind, ending))
        pieces.append((start, match.end() - start, rule.kind))
        return match.end()
    closing = ending.search(text, match.end())
    stop = closing.end() if closing else len(text)
    if not closing:
        states.append(OpenSpan(rule.kind, ending))
    pieces.append((start, stop - start, rule.kind))
    return stop


def _leave_span(text: str, states: list[Any], pieces: list[Piece]) -> tuple[int, list[Any]]:
    """Where code begins on this line, after the spans that lasted until here."""
    span = states[-1]
    if not isinstance(span, OpenSpan):
        return 0, states
    closing = span.end.search(text)
    stop = closing.end() if closing else len(text)
    pieces.append((0, stop, span.kind))
    if not closing:
        return stop, states
    states.pop()
    return (len(text), states) if isinstance(states[-1], OpenSpan) else (stop, states)


def _add(pieces: list[Piece], start: int, end: int, token: Any) -> None:
    kind = _kind(token)
    if kind and end > start:
        pieces.append((start, end - start, kind))


@lru_cache(maxsize=256)
def _kind(token: Any) -> str:
    return next((kind for family, kind in KINDS if token in family), "")


def _change(states: list[str], new_state: Any) -> None:
    """Pops and pushes as a rule says; the last state always stays."""
    if isinstance(new_state, int):
        del states[max(1, len(states) + new_state) if new_state < 0 else 1 :]
        return
    for state in (new_state,) if isinstance(new_state, str) else new_state:
        if state == "#pop":
            del states[max(1, len(states) - 1) :]
        else:
            states.append(states[-1] if state == "#push" else state)
