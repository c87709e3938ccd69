"""Private keys in a text: whole blocks, such as were cut off, and such as are still being written."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ptc_studio.core.redaction.redacted import Span

PRIVATE_KEY = "private_key"
LONGEST = 65_536
"""How far after its beginning the end of a block is looked for."""
HEADER = "-----BEGIN PRIVATE KEY-----\n"
"""Stands for the beginning of a block that has already been reported."""

_LONGEST_LINE = 1000
_LABEL = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
_BEGIN = re.compile("BEGIN " + _LABEL)
_END = re.compile("END " + _LABEL)
_DASHES = re.compile(r"-{4,5} ?\Z")
_UNFINISHED = re.compile(r"(?:-{1,5}|-{4,5} ?(?:B|BE|BEG|BEGI|BEGIN|BEGIN [A-Z0-9 ]{0,60}-{0,5}))\Z")

_GAP = r"""(?:\\+[nrt]|[\s"',>|#*])*+"""
_BREAK = re.compile(r"""[ \t"',]{0,4}(?:\r|\n|\\+[nr])""")
_FIELD = re.compile(
    _GAP + r"(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|Subject|X-[\w-]{1,30}): [^\r\n\\]{1,200}(?=\r|\n|\\|\Z)"
)
_LINE = re.compile(_GAP + r"[A-Za-z0-9+/=]{40,}+")
_LAST = re.compile(_GAP + r"""(?!-|[A-Z]?[a-z]+(?![A-Za-z0-9+/=]))[A-Za-z0-9+/=]++(?=[ \t,]{0,4}(?:["'\r\n\\]|\Z))""")
_CLOSE = re.compile(_GAP + "-{4,5} ?" + _END.pattern)
_SHORT_RUN = re.compile(r"[A-Za-z0-9+/]{6}")
_LONG_RUN = re.compile(r"[A-Za-z0-9+/]{16}")


class _Line(NamedTuple):
    """The first or last line of a block."""

    start: int
    end: int


def block_spans(text: str, start: int = 0) -> Iterator[Span]:
    """Every private key block from `start` on."""
    begin = _find(_BEGIN, text, start, len(text))
    while begin:
        following = _find(_BEGIN, text, begin.end, len(text))
        stop = following.start if following else len(text)
        end = _block_end(text, begin.start, begin.end, stop)
        if end > begin.end:
            yield Span(begin.start, begin.start, end, PRIVATE_KEY)
        begin = following


def open_block(text: str, start: int) -> int:
    """Where a block begins that more text could still complete; the length of the text if there is none."""
    begin = _last_begin(text, start)
    if begin and len(text) - begin.start <= LONGEST and not _find(_END, text, begin.end, len(text)):
        return begin.start
    tail = _UNFINISHED.search(text, max(start, len(text) - 80))
    return tail.start() if tail else len(text)


def grows(text: str, span: Span) -> bool:
    """Whether a block has no end yet and more of its inside could follow."""
    return span.rule == PRIVATE_KEY and not text.endswith("----", 0, span.end) and not text[span.end :].strip()


def resumed(text: str, span: Span) -> str:
    """What stands for a block of which all but the last line is done with, so that more can be added."""
    line = max(text.rfind("\n", span.start, span.end) + 1, text.rfind("\\n", span.start, span.end) + 2)
    return HEADER + text[line if len(text) - line < _LONGEST_LINE else span.end :]


def _last_begin(text: str, start: int) -> _Line | None:
    at = text.rfind("BEGIN ", start)
    while at >= 0:
        line = _line_at(_BEGIN, text, at, start, len(text))
        if line:
            return line
        at = text.rfind("BEGIN ", start, at)
    return None


def _find(pattern: re.Pattern[str], text: str, start: int, stop: int) -> _Line | None:
    """The first such line; looks only around its word, so that rows of hyphens cost nothing."""
    word = "BEGIN " if pattern is _BEGIN else "END "
    at = text.find(word, start, stop)
    while at >= 0:
        line = _line_at(pattern, text, at, start, stop)
        if line:
            return line
        at = text.find(word, at + 1, stop)
    return None


def _line_at(pattern: re.Pattern[str], text: str, at: int, start: int, stop: int) -> _Line | None:
    match = pattern.match(text, at, stop)
    dashes = _DASHES.search(text, max(start, at - 6), at) if match else None
    return _Line(dashes.start(), match.end()) if match and dashes else None


def _block_end(text: str, begin: int, body: int, stop: int) -> int:
    end = _find(_END, text, body, min(stop, begin + LONGEST))
    if end:
        run = _SHORT_RUN if _BREAK.match(text, body) else _LONG_RUN
        return end.end if run.search(text, body, end.start) else body
    return _cut_block_end(text, body, stop)


def _cut_block_end(text: str, body: int, stop: int) -> int:
    """The end of what looks like the inside of a block."""
    at = body
    while step := (_LINE.match(text, at, stop) or _FIELD.match(text, at, stop)):
        at = step.end()
    if at > body or _BREAK.match(text, body):
        last = _LAST.match(text, at, stop)
        at = last.end() if last else at
    end = _CLOSE.match(text, at, stop) if at > body else None
    return end.end() if end else at
