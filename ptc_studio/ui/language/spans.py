"""Comments and strings over several lines that pygments matches whole: a lexer by lines must know them itself."""

import re
from collections.abc import Callable
from dataclasses import dataclass


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
