r"""The user's own patterns, run by RE2: linear in the text whatever the pattern.

A pattern is matched against one line at a time, so that a streamed text and a whole one give the same; `^` and `$`
are the ends of a line.
"""

import re
from collections.abc import Iterator
from typing import Any, Protocol, cast

import re2  # pyright: ignore[reportMissingTypeStubs]

from ptc_studio.core.redaction.redacted import Span, rule_name

WINDOW = 65_536
OVERLAP = 4096
"""A longer line is read in windows; within them a match of this length is found wherever it begins."""

_SURROGATES = re.compile("[\ud800-\udfff]")
# What cannot match white space: a pattern of other things may reach across words.
_WORDLIKE = re.compile(r"(?:[A-Za-z0-9_:;,@#%&=<>/~!'\"`(){}|*+?\]-]|\[(?![\^:])|\\[dwbBS.\-/+*?(){}\[\]|\\$^])*")
_ERROR = cast("type[Exception]", cast("Any", re2).error)
_SAMPLES = ("", "a", "0", " ", "a b", "-")


class PatternError(ValueError):
    """A pattern that cannot be used; the message says which and why."""


class _Match(Protocol):
    def span(self) -> tuple[int, int]: ...


class _Regexp(Protocol):
    def search(self, text: str) -> _Match | None: ...
    def finditer(self, text: str, pos: int = 0) -> Iterator[_Match]: ...


class UserPattern:
    """One pattern of the user's, with the name under which it is reported."""

    def __init__(self, name: str, pattern: str) -> None:
        self.name = name
        self.pattern = pattern
        self.rule = rule_name(name)
        self.wordlike = _WORDLIKE.fullmatch(pattern) is not None
        """Whether a match lies within one word, wherever in its line that stands."""
        self._regexp = _compile(name, pattern)
        for sample in _SAMPLES:
            match = self._regexp.search(sample)
            if match and match.span()[0] == match.span()[1]:
                raise PatternError(
                    f"Pattern {name!r} matches the empty text, so it would redact between all characters."
                )

    def spans(self, text: str, start: int) -> Iterator[Span]:
        """Where the pattern matches, line by line, from `start` on."""
        line = text.rfind("\n", 0, start) + 1
        while line < len(text):
            end = text.find("\n", line)
            end = len(text) if end < 0 else end
            for low, high in self._line_spans(text[line:end], max(0, start - line)):
                yield Span(line + low, line + low, line + high, self.rule)
            line = end + 1

    def _line_spans(self, line: str, start: int) -> Iterator[tuple[int, int]]:
        if not line.isascii():
            line = _SURROGATES.sub("?", line)
        if len(line) <= WINDOW + OVERLAP:
            yield from self._window_spans(line, start)
            return
        base = 0
        while base < len(line):
            # One character before the window, so that `^` and `\b` see that it is no line's beginning.
            left = min(base, 1)
            window = line[base - left : base + WINDOW + OVERLAP]
            last = base + len(window) - left >= len(line)
            reached = base + WINDOW
            for low, high in self._window_spans(window, max(left, start - base + left)):
                if low - left >= WINDOW and not last:
                    break
                yield base + low - left, base + high - left
                reached = max(reached, base + high - left)
            base = len(line) if last else reached

    def _window_spans(self, text: str, start: int) -> Iterator[tuple[int, int]]:
        for match in self._regexp.finditer(text, start):
            low, high = match.span()
            if low < high:
                yield low, high


def _compile(name: str, pattern: str) -> _Regexp:
    options = cast("Any", re2).Options()
    options.log_errors = False
    try:
        return cast("_Regexp", cast("Any", re2).compile(pattern, options))
    except (_ERROR, UnicodeEncodeError) as error:
        raise PatternError(f"Pattern {name!r} cannot be used: {_reason(error)}.") from None


def _reason(error: Exception) -> str:
    text = error.args[0] if error.args else ""
    text = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(error)
    if re.search(r"\(\?<?[=!]", text):
        return f"look-ahead and look-behind are not supported ({text})"
    if re.search(r"invalid escape sequence: \\[1-9]|\(\?P=", text):
        return f"back-references are not supported ({text})"
    return text
