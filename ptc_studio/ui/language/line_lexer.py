"""Lexes code line by line: pygments' rules, with its stack of states handed from one line to the next."""

from functools import lru_cache
from typing import Any

from pygments.lexer import ExtendedRegexLexer, RegexLexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType
from pygments.util import ClassNotFound

from ptc_studio.ui.language.first_letters import ASCII, first_letters
from ptc_studio.ui.language.names import PLAIN
from ptc_studio.ui.language.spans import INSIDE, RULES, OpenSpan, SpanRule

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
        self._states: dict[str, Any] = getattr(self._lexer, "_tokens", {})
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
        """One rule of pygments."""
        state, letter = states[-1], text[position]
        rules = self._possible.get((state, letter))
        if rules is None:
            rules = self._possible[state, letter] = self._rules_for(state, letter)
        for matches, action, new_state in rules:
            match = matches(text, position)
            if match:
                if action is not None:
                    self._emit(match, action, pieces)
                if new_state is not None:
                    _change(states, new_state)
                return match.end()
        if letter == "\n":
            states[:] = ROOT
        return position + 1

    def _rules_for(self, state: str, letter: str) -> list[Any]:
        rules = self._states[state]
        if letter not in ASCII:
            return rules
        # Pygments keeps of each expression but its bound method.
        return [rule for rule in rules if letter in first_letters(rule[0].__self__)]

    def _emit(self, match: Any, action: Any, pieces: list[Piece]) -> None:
        if type(action) is _TokenType:
            _add(pieces, match.start(), match.end(), action)
            return
        for start, token, value in action(self._lexer, match):
            _add(pieces, start, start + len(value), token)

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
