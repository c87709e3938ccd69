r"""What a rule for one kind of key or token is, and how it tells a secret from an ordinary word.

A pattern is only ever tried where one of its literal triggers stands, never searched for: `str.find` is fast, gives
other threads their turn between two tries, and makes the whole linear, because every pattern looks behind itself for
the characters of its own run. Thus a long run is read once, from its beginning, whatever stands in it (or a few
times, where a token may stand behind a name: `my_key_ghp_...`).
"""

import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol, cast

import re2  # pyright: ignore[reportMissingTypeStubs]


class _Search(Protocol):
    def __call__(self, text: bytes) -> object | None: ...


_PROBE = "\0probe\0"
"""What every filter opens for; no JSON has it."""


class SubstringFilter:
    """Opens for a text in which any of the patterns matches."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._search = _search_for("|".join((*patterns, _PROBE)))

    def opens(self, text: bytes) -> bool:
        """Whether anything is there; the text in UTF-8."""
        return self._search(text) is not None


@functools.lru_cache(maxsize=64)
def _search_for(pattern: str) -> _Search:
    """Kept, for most redactors look for the same, and to make one takes milliseconds."""
    options = cast("Any", re2).Options()
    options.log_errors = False
    options.never_capture = True
    return _search_of_set(pattern, options) or cast("Any", re2).compile(pattern, options).search


def _search_of_set(pattern: str, options: Any) -> Any:
    """That of a set of one, which tells only whether there is a match, in half the time; None if it is too long."""
    try:
        whole = cast("Any", re2).Set.SearchSet(options)
        whole.Add(pattern)
        whole.Compile()
    except cast("Any", re2).error:
        return None
    # One that has not enough memory to search does not say so, and finds nothing.
    return whole.Match if whole.Match(_PROBE.encode()) else None


def literal(text: str) -> str:
    """A pattern for exactly this text."""
    return cast("str", cast("Any", re2).escape(text))


def utf8(text: str) -> bytes:
    """The text for a gate; half a surrogate pair, which has no UTF-8, becomes something that matches nothing."""
    return text.encode("utf-8", "surrogatepass")


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
    return len(token) >= 16 and rich(token, digits=3)


def random_loose(token: str) -> bool:
    """The same after a prefix that ordinary words have too, such as `sk-`."""
    if any(len(part) >= 16 and mixed(part) for part in _SEPARATORS.split(token)):
        return True
    return len(token) >= 32 and rich(token, digits=4)


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
    return token.endswith("=") or any(map(str.isdigit, token)) or turns(token) > 0


def _credential_part(part: str) -> bool:
    if len(part) >= 20:
        return True
    return (len(part) >= 8 and any(map(str.isdigit, part))) or (len(part) >= 12 and turns(part) >= 2)


def rich(token: str, digits: int = 1) -> bool:
    """Whether the token has letters of both cases and digits."""
    return sum(map(str.isdigit, token)) >= digits and token != token.lower() and token != token.upper()


def turns(token: str) -> int:
    """How often a capital follows a small letter."""
    return sum(one.islower() and other.isupper() for one, other in pairwise(token))


# A token begins not inside a word or base64 run, but it may right after an escape (%3D, \n, \u0022) or a colour code.
# Of a colour code the first character may be escaped in turn, in any number of ways.
_COLOURS = "".join(rf"|(?<=\[[0-9;]{{{width}}}m)" for width in range(9))
_ESCAPES = r"(?<=%[0-9A-Fa-f]{2})|(?<=%25[0-9A-Fa-f]{2})|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4})" + _COLOURS
_AFTER_ESCAPE = rf"(?<=[0-9A-Fa-fmnrt])(?:{_ESCAPES})"
LOOSE_EDGE = rf"(?:(?<![A-Za-z0-9])|{_AFTER_ESCAPE})"
LEFT_CONTEXT = 64
"""How many characters before a position the edges may look at."""
_NAME = 48
_NAME_BEFORE = re.compile(r"(?:\A|[^A-Za-z0-9_-])(?:(?:[A-Za-z]{1,20}|[0-9]{1,6})?[_-]++)++\Z")
"""What ends like a name, in the last characters before a token: `my_key_`, and not the midst of a run of base64."""

_LOOK = 4096  # enough to tell, and never a long loop in C
CREDENTIAL = r"[A-Za-z0-9_~+/-]+(?:\.[A-Za-z0-9_~+/-]+)*={0,2}"
HEADER_NAME = LOOSE_EDGE + r"""(?i:authorization)[\\"'\]]{0,4}[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}[\\"'(]{0,3}"""
PAIR = r"""[A-Za-z_]{1,40}=(?:\\?"[^"\\\r\n]{0,2000}\\?"|[^\s,"'\\]{1,2000})"""


_compiled = functools.cache(re.compile)


@dataclass(frozen=True, slots=True)
class SecretShape:
    """One rule for one kind of key."""

    name: str
    triggers: tuple[str, ...]
    """Literals, one of which is in every match; lower-case ones if `folded`."""
    expression: str
    """What it looks like; compiled at its first trigger: most kinds never stand in what a script says."""
    group: int | str = 0
    """The part to hide; what stands before it is kept."""
    accept: Callable[[str], bool] | None = None
    """A last look at the random part, which is group 1 where there is one."""
    folded: bool = False
    """Whether the triggers stand for any mix of cases."""
    gate: str | None = None
    """An RE2 pattern that is in every match and in fewer other texts than the triggers."""
    lead: str = ""
    """Characters that may stand in a match before its trigger."""
    reach: int = 10
    """How many of those there may be."""
    check: Callable[[re.Match[str]], bool] | None = None
    """A last look at all of the match, where its surroundings count."""
    json_gate: str | None = None
    """The same for the JSON of a value, where it can be told more narrowly."""
    encoded: bool = True
    """Whether it is looked for in hex, base64 and percent signs as well."""

    def match_at(self, text: str, index: int, start: int) -> re.Match[str] | None:
        """The match around the trigger at `index` that does not begin before `start`."""
        if self.lead:
            before = text[max(start, index - self.reach) : index]
            index -= len(before) - len(before.rstrip(self.lead))
        if not (self.folded or _begins(text, index)):
            return None
        pattern = _compiled(self.expression)
        match = pattern.match(text, index)
        if match is None or (self.accept and not self.accept(match[1 if pattern.groups else 0][:_LOOK])):
            return None
        return match if self.check is None or self.check(match) else None


def _begins(text: str, at: int) -> bool:
    """Whether a token may begin here: after anything but a word, or after a name that ends with a separator."""
    if at == 0 or text[at - 1] not in "_-":
        return True
    return _NAME_BEFORE.search(text, max(0, at - _NAME), at) is not None


def any_trigger(shape: SecretShape) -> str:
    """A pattern that is in every match of the shape."""
    pattern = "|".join(map(literal, shape.triggers))
    return f"(?i:{pattern})" if shape.folded else pattern


def plain(
    name: str, triggers: str, pattern: str, accept: Callable[[str], bool] | None = None, gate: str | None = None
) -> SecretShape:
    """A token that is told by how it begins."""
    return SecretShape(name, tuple(triggers.split()), LOOSE_EDGE + pattern, accept=accept, gate=gate)


def led(name: str, trigger: str, lead: tuple[str, int], pattern: str, gate: str) -> SecretShape:
    """A token whose telling part comes after its beginning."""
    return SecretShape(name, (trigger,), LOOSE_EDGE + pattern, gate=gate, lead=lead[0], reach=lead[1], encoded=False)


def behind(
    name: str, trigger: str, pattern: str, gate: str, check: Callable[[re.Match[str]], bool] | None = None
) -> SecretShape:
    """The secret part of a token that begins with what is none, such as the number of an account."""
    return SecretShape(name, (trigger,), pattern, 1, gate=gate, check=check, encoded=False)


def header(name: str, trigger: str, pattern: str, accept: Callable[[str], bool]) -> SecretShape:
    """A credential behind the name of what carries it, in any mix of cases; the name is kept."""
    return SecretShape(name, (trigger,), pattern, 1, accept, folded=True, encoded=False)
