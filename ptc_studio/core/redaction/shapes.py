r"""The built-in shapes of keys and tokens.

A pattern is only ever tried where one of its literal triggers stands, never searched for: `str.find` is fast, gives
other threads their turn between two tries, and makes the whole linear, because every pattern looks behind itself for
the characters of its own run. Thus a long run is read once, from its beginning, whatever stands in it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, cast

import re2  # pyright: ignore[reportMissingTypeStubs]

from ptc_studio.core.redaction.spans import Span


class _Search(Protocol):
    def __call__(self, text: bytes) -> object | None: ...


class SubstringFilter:
    """Opens for a text in which any of the patterns matches."""

    def __init__(self, patterns: Iterable[str]) -> None:
        options = cast("Any", re2).Options()
        options.log_errors = False
        options.never_capture = True
        self._search = cast("_Search", cast("Any", re2).compile("|".join(patterns), options).search)

    def opens(self, text: bytes) -> bool:
        """Whether anything is there; the text in UTF-8."""
        return self._search(text) is not None


def literal(text: str) -> str:
    """A pattern for exactly this text."""
    return cast("str", cast("Any", re2).escape(text))


def utf8(text: str) -> bytes:
    """The text for a gate; half a surrogate pair, which has no UTF-8, becomes something that matches nothing."""
    return text.encode("utf-8", "surrogatepass")


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


_SEPARATORS = re.compile(r"[^A-Za-z0-9]+")

_IDENTIFIER = re.compile(r"[_.]*+(?:[A-Z]?[a-z]{2,}+[_.]?+)++")


def mixed(token: str) -> bool:
    """Whether the token has a digit, or letters of both cases."""
    return any(map(str.isdigit, token)) or (token != token.lower() and token != token.upper())


def random_body(token: str) -> bool:
    """Whether what follows a telling prefix is more than hyphenated words."""
    parts = _SEPARATORS.split(token)
    if any(len(part) >= 20 or (len(part) >= 12 and mixed(part)) for part in parts):
        return True
    return len(token) >= 16 and _rich(token, digits=3)


def random_loose(token: str) -> bool:
    """The same after a prefix that ordinary words have too, such as `sk-`."""
    if any(len(part) >= 16 and mixed(part) for part in _SEPARATORS.split(token)):
        return True
    return len(token) >= 32 and _rich(token, digits=4)


def credential(token: str) -> bool:
    """Whether a word after `Bearer` or `Authorization:` is a credential and not prose."""
    parts = _SEPARATORS.split(token)
    if any(_credential_part(part) for part in parts):
        return True
    return len(token) >= 20 and sum(map(str.isdigit, token)) >= 4


def unnamed(token: str) -> bool:
    """The same where no known scheme stands before it: an identifier of code is none either."""
    return credential(token) and (token == token.lower() or not _IDENTIFIER.fullmatch(token))


def basic(token: str) -> bool:
    """Whether a word after `Basic` is base64 and not prose."""
    if len(token) < 6:
        return False
    return token.endswith("=") or any(map(str.isdigit, token)) or _turns(token) > 0


def _credential_part(part: str) -> bool:
    if len(part) >= 20:
        return True
    return (len(part) >= 8 and any(map(str.isdigit, part))) or (len(part) >= 12 and _turns(part) >= 2)


def _rich(token: str, digits: int) -> bool:
    return sum(map(str.isdigit, token)) >= digits and token != token.lower() and token != token.upper()


def _turns(token: str) -> int:
    return sum(one.islower() and other.isupper() for one, other in pairwise(token))


# A token begins not inside a word or base64 run, but it may right after an escape (%3D, \n, \u0022) or a colour code.
_COLOURS = "".join(rf"|(?<=\x1b\[[0-9;]{{{width}}}m)" for width in range(9))
_ESCAPES = r"(?<=%[0-9A-Fa-f]{2})|(?<=%25[0-9A-Fa-f]{2})|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4})" + _COLOURS
_AFTER_ESCAPE = rf"(?<=[0-9A-Fa-fmnrt])(?:{_ESCAPES})"
EDGE = rf"(?:(?<![A-Za-z0-9_-])|{_AFTER_ESCAPE})"
LOOSE_EDGE = rf"(?:(?<![A-Za-z0-9])|{_AFTER_ESCAPE})"
LEFT_CONTEXT = 16
"""How many characters before a position the edges may look at."""

_LOOK = 4096  # enough to tell, and never a long loop in C
_CREDENTIAL = r"[A-Za-z0-9_~+/-]+(?:\.[A-Za-z0-9_~+/-]+)*={0,2}"
_HEADER = LOOSE_EDGE + r"""(?i:authorization)[\\"'\]]{0,4}[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}[\\"'(]{0,3}"""
_PAIR = r"""[A-Za-z_]{1,40}=(?:\\?"[^"\\\r\n]{0,2000}\\?"|[^\s,"'\\]{1,2000})"""


@dataclass(frozen=True, slots=True)
class SecretShape:
    """One rule for one kind of key."""

    name: str
    triggers: tuple[str, ...]
    """Literals, one of which is in every match; lower-case ones if `folded`."""
    pattern: re.Pattern[str]
    group: int = 0
    """The part to hide; what stands before it is kept."""
    accept: Callable[[str], bool] | None = None
    """A last look at the random part, which is group 1 where there is one."""
    folded: bool = False
    """Whether the triggers stand for any mix of cases."""
    gate: str | None = None
    """An RE2 pattern that is in every match and in fewer other texts than the triggers."""
    lead: str = ""
    """Characters of which up to ten may stand in a match before its trigger."""

    def match_at(self, text: str, index: int, start: int) -> re.Match[str] | None:
        """The match around the trigger at `index` that does not begin before `start`."""
        if self.lead:
            before = text[max(start, index - 10) : index]
            index -= len(before) - len(before.rstrip(self.lead))
        match = self.pattern.match(text, index)
        if match and self.accept and not self.accept(match[1 if self.pattern.groups else 0][:_LOOK]):
            return None
        return match


def _any_of(shape: SecretShape) -> str:
    pattern = "|".join(map(literal, shape.triggers))
    return f"(?i:{pattern})" if shape.folded else pattern


def _shape(
    name: str, triggers: str, pattern: str, accept: Callable[[str], bool] | None = None, gate: str | None = None
) -> SecretShape:
    return SecretShape(name, tuple(triggers.split()), re.compile(EDGE + pattern), accept=accept, gate=gate)


def _header(name: str, trigger: str, pattern: str, accept: Callable[[str], bool]) -> SecretShape:
    return SecretShape(name, (trigger,), re.compile(pattern), 1, accept, folded=True)


# The telling ones stand before the general ones: of two that hide the same stretch, the first gives the name.
SHAPES: tuple[SecretShape, ...] = (
    _shape("anthropic_key", "sk-ant-", r"sk-ant-([A-Za-z0-9_-]{16,})", random_body),
    _shape("openrouter_key", "sk-or-", r"sk-or-(?:v[0-9]{1,3}-)?([A-Za-z0-9_-]{16,})", random_body),
    _shape(
        "openai_key",
        "sk-proj- sk-svcacct- sk-admin- sk-None-",
        r"sk-[A-Za-z]+-([A-Za-z0-9_-]{16,})",
        random_body,
    ),
    _shape("openai_key", "sk-", r"sk-(?!ant-|or-)([A-Za-z0-9_-]{20,})", random_loose, r"sk-[A-Za-z0-9_-]{20}"),
    _shape("groq_key", "gsk_", r"gsk_[A-Za-z0-9]{20,}", mixed),
    _shape("aws_access_key", "AKIA ASIA", r"A[KS]IA[A-Za-z0-9]{16}(?![A-Za-z0-9])"),
    _shape("google_api_key", "AIza", r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    _shape("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,}"),
    _shape("github_token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,}", random_body),
    _shape("stripe_key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[sr]k_(?:live|test)_([A-Za-z0-9]{16,})", mixed),
    _shape("slack_token", "xox", r"xox[abeoprs]-([A-Za-z0-9-]{10,})", mixed, r"xox[a-z]-"),
    _shape("twilio_key", "SK", r"SK[0-9a-fA-F]{32}(?![A-Za-z0-9])", gate=r"SK[0-9a-fA-F]{32}"),
    _shape("sendgrid_key", "SG.", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    SecretShape(
        "telegram_token",
        tuple(f"{digit}:" for digit in range(10)),
        re.compile(rf"(?:{LOOSE_EDGE}|(?<=bot))\d{{8,10}}:[A-Za-z0-9_-]{{35}}(?![A-Za-z0-9_-])", re.ASCII),
        gate=r"[0-9]:[A-Za-z0-9_-]{35}",
        lead="0123456789",
    ),
    _shape(
        "jwt",
        "eyJ",
        r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,}){0,2}",
        gate=r"eyJ[A-Za-z0-9_-]{8}",
    ),
    _header("bearer_token", "bearer", rf"{LOOSE_EDGE}(?i:bearer)(?:[ \t]{{1,4}}|%20)({_CREDENTIAL})", credential),
    _header(
        "authorization_header",
        "authorization",
        rf"{_HEADER}(?i:basic)(?:[ \t]{{1,4}}|%20)({_CREDENTIAL})",
        basic,
    ),
    _header("authorization_header", "authorization", rf"{_HEADER}({_CREDENTIAL})", unnamed),
    _header(
        "authorization_header",
        "authorization",
        rf"{_HEADER}[A-Za-z][A-Za-z0-9-]{{1,20}}(?:[ \t]{{1,4}}|%20)({_CREDENTIAL})",
        unnamed,
    ),
    _header(
        "authorization_header",
        "authorization",
        rf"{_HEADER}[A-Za-z][A-Za-z0-9-]{{1,20}}[ \t]{{1,4}}({_PAIR}(?:,[ \t]{{0,4}}{_PAIR}){{0,30}})",
        mixed,
    ),
)

SHAPE_NAMES = frozenset(shape.name for shape in SHAPES)
SHORTEST = 16
"""No shape matches a text shorter than this."""


GATE_PATTERNS = tuple(dict.fromkeys([*(shape.gate or _any_of(shape) for shape in SHAPES), "PRIVATE KEY"]))
"""One of these is in every text that has a shape or a private key."""
_GATE = SubstringFilter(GATE_PATTERNS)


def triggered(text: str) -> bool:
    """Whether any shape, or a private key, could be in the text: the cheap question before all others."""
    return _GATE.opens(utf8(text))
