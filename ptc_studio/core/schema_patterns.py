"""Regular expressions of schemas, which anyone may have written: matched in linear time by RE2, or not at all.

Schemas speak JavaScript's dialect, and some of them Python's; what RE2 writes otherwise is translated. What it cannot
do in linear time (looking around, referring back) is not matched, and the reason can be shown.
"""

import re
from functools import lru_cache
from typing import Any, cast

import re2  # pyright: ignore[reportMissingTypeStubs]

LONGEST = 20_000
"""Characters; a longer pattern is not matched."""
MOST_REPEATS = 1_000
"""What RE2 counts to in one repetition; a longer one is written as several."""
MOST_REPEATED = 10_000
MOST_WORK = 1_000_000_000
"""Characters times the size of the pattern's program: about two seconds, where RE2 must try everything at once."""
_SPACE = r"\s\v\p{Z}\x{feff}"
_ANY, _NONE = r"(?s:.)", r"[^\x00-\x{10ffff}]"
_REPEAT = re.compile(r"\{(\d{1,9})(?:(,)(\d{0,9}))?\}(\??)")
_UNICODE = re.compile(r"u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})")
_LOW_HALF = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_PROPERTY = re.compile(r"([pP])\{(?:(?:Script|sc|Script_Extensions|scx|General_Category|gc)=)?(\^?\w+)\}")
_CONTROL = re.compile(r"c([A-Za-z])")
_CATEGORIES = {
    "Letter": "L",
    "Uppercase_Letter": "Lu",
    "Lowercase_Letter": "Ll",
    "Mark": "M",
    "Number": "N",
    "Symbol": "S",
    "Decimal_Number": "Nd",
    "Punctuation": "P",
    "Separator": "Z",
    "Space_Separator": "Zs",
    "Other": "C",
}
_ERROR = cast("type[Exception]", cast("Any", re2).error)
_BEYOND = (
    (re.compile(r"\(\?<?[=!]"), "it looks around"),
    (re.compile(r"\\[1-9]|\\k<|\(\?P="), "it refers back to what it matched"),
    (re.compile(r"\(\?>|[*+?}]\+"), "it does not go back"),
    (re.compile(r"\(\?\("), "it has a condition"),
)


def is_match(pattern: Any, text: str) -> bool | None:
    """Whether the pattern is found in the text; None where that cannot be told in linear time."""
    compiled = _compiled(pattern)[0] if isinstance(pattern, str) else None
    if compiled is None:
        return None
    try:
        size: int = compiled._regexp.ProgramSize()  # noqa: SLF001 - it has no other way to ask
        return compiled.search(text) is not None if size * len(text) <= MOST_WORK else None
    except (UnicodeError, _ERROR):
        return None


def unmatched_because(pattern: str) -> str:
    """Why the pattern cannot be matched; empty if it can."""
    return _compiled(pattern)[1]


def is_broken(pattern: str) -> bool:
    """Whether the pattern is no regular expression in any dialect that is known here."""
    if not unmatched_because(pattern):
        return False
    try:
        re.compile(pattern[:LONGEST])
    except (re.error, RecursionError, OverflowError):
        return len(pattern) <= LONGEST
    return False


@lru_cache(maxsize=2_048)
def _compiled(pattern: str) -> tuple[Any, str]:
    if len(pattern) > LONGEST:
        return None, f"it has more than {LONGEST:,} characters"
    options = cast("Any", re2).Options()
    options.log_errors = False
    try:
        return cast("Any", re2).compile(_Translation(pattern).whole(), options), ""
    except (_ERROR, UnicodeError, ValueError) as error:
        reasons = [reason for beyond, reason in _BEYOND if beyond.search(pattern)]
        return None, reasons[0] if reasons else f"it is not understood ({_said(error)})"


def _said(error: Exception) -> str:
    text = error.args[0] if error.args else ""
    return text.decode(errors="replace") if isinstance(text, bytes) else str(text) or type(error).__name__


class _Translation:
    """Reads a pattern once from left to right, and writes it in RE2's dialect."""

    def __init__(self, pattern: str) -> None:
        self._pattern, self._at = pattern, 0
        self._written: list[str] = []
        self._groups: list[int] = []
        self._atom = 0
        """Where in what is written the thing begins that a repetition would repeat."""

    def whole(self) -> str:
        """Raises ValueError where a bracket is not closed, or too much is repeated."""
        while self._at < len(self._pattern):
            self._piece(self._pattern[self._at])
        return "".join(self._written)

    def _piece(self, sign: str) -> None:
        if sign == "{" and (repeat := _REPEAT.match(self._pattern, self._at)):
            self._at = repeat.end()
            self._repeat(repeat)
        elif sign == "(":
            self._groups.append(len(self._written))
            self._write(sign, 1)
        elif sign == ")":
            self._write(sign, 1)
            self._atom = self._groups.pop() if self._groups else self._atom
        elif sign in "*+?|":
            self._written.append(sign)
            self._at += 1
        elif sign == "[":
            self._write(*self._class())
        elif sign == "\\":
            self._write(*self._escape(self._at + 1, inside=False))
        else:
            self._write(sign, 1)

    def _write(self, text: str, taken: int) -> None:
        self._atom = len(self._written)
        self._written.append(text)
        self._at += taken

    def _repeat(self, repeat: "re.Match[str]") -> None:
        least, most = int(repeat[1]), repeat[3]
        highest = int(most) if most else least
        if highest <= MOST_REPEATS:
            self._written.append(repeat[0])
            return
        atom = "".join(self._written[self._atom :])
        if highest > MOST_REPEATED or least > highest:
            raise ValueError("it repeats too often")
        must = _counted(atom, least, "{%d}")
        may = f"{atom}*" if repeat[2] and not most else _counted(atom, highest - least, "{0,%d}")
        self._written[self._atom :] = [f"(?:{must}{may})"]

    def _class(self) -> tuple[str, int]:
        """What stands in square brackets, and how long it is."""
        begin = at = self._at + 1
        if self._pattern.startswith("^", at):
            begin = at = at + 1
        negated = begin - self._at == 2
        written = ["[^" if negated else "["]
        while at < len(self._pattern):
            sign = self._pattern[at]
            if sign == "]":
                if at == begin:
                    return (_ANY if negated else _NONE), at + 1 - self._at
                return "".join(written) + "]", at + 1 - self._at
            text, taken = self._escape(at + 1, inside=True) if sign == "\\" else (_SIGNS.get(sign, sign), 1)
            written.append(text)
            at += taken
        raise ValueError("a square bracket is not closed")

    def _escape(self, at: int, *, inside: bool) -> tuple[str, int]:
        """What a backslash and what follows it mean, and how much of the pattern that is."""
        sign = self._pattern[at : at + 1]
        if found := _UNICODE.match(self._pattern, at):
            return self._code_point(found)
        if found := _PROPERTY.match(self._pattern, at):
            return f"\\{found[1]}{{{_CATEGORIES.get(found[2], found[2])}}}", 1 + len(found[0])
        if found := _CONTROL.match(self._pattern, at):
            return f"\\x{{{ord(found[1]) % 32:x}}}", 3
        if sign == "s":
            return (_SPACE if inside else f"[{_SPACE}]"), 2
        if sign == "S" and not inside:
            return f"[^{_SPACE}]", 2
        return (_ESCAPES_INSIDE if inside else _ESCAPES).get(sign, f"\\{sign}"), 2

    def _code_point(self, found: "re.Match[str]") -> tuple[str, int]:
        code, taken = int(found[1] or found[2], 16), 1 + len(found[0])
        low = _LOW_HALF.match(self._pattern, found.end()) if 0xD800 <= code < 0xDC00 else None
        if low:
            code, taken = 0x10000 + ((code - 0xD800) << 10) + int(low[1], 16) - 0xDC00, taken + len(low[0])
        return f"\\x{{{code:x}}}", taken


_ESCAPES = {"0": r"\x00", "Z": r"\z", **{sign: sign for sign in "\"'<>=!&%@#~,;:` _-/"}}
_ESCAPES_INSIDE = {**_ESCAPES, "b": r"\x08", "-": r"\-"}
_SIGNS = {"[": r"\["}
"""What stands for itself in square brackets in JavaScript."""


def _counted(atom: str, count: int, repeat: str) -> str:
    """The atom so often, in steps that RE2 takes."""
    whole, rest = divmod(count, MOST_REPEATS)
    steps = [repeat % MOST_REPEATS] * whole + ([repeat % rest] if rest else [])
    return "".join(atom + step for step in steps)
