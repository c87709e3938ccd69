"""Makes texts that fit a schema: by format, by pattern, by length, and by the name of what they are for."""

import random
import re
import string
from collections.abc import Callable, Mapping
from typing import Any

MORE = 4
"""So many times more than it must is what repeats without a bound repeated."""
_CLASSES = {
    "d": string.digits,
    "w": string.ascii_lowercase + string.digits,
    "s": " ",
    "D": string.ascii_lowercase,
    "W": "-",
    "S": string.ascii_lowercase,
}
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_BOUNDS = re.compile(r"\{(\d*)(?:(,)(\d*))?\}")
_PRINTABLE = [chr(code) for code in range(32, 127)]


def text_matching(pattern: str, chance: random.Random, least: int = 0) -> str | None:
    """A text that the pattern finds itself in, longer where it may be and must; None for what is beyond this."""
    try:
        text = _Writer(pattern, chance, least).whole()
        return text if re.search(pattern, text) else None
    except (ValueError, IndexError, re.error, RecursionError):
        return None


class _Writer:
    """Reads the pattern once from left to right, and writes on the way."""

    def __init__(self, pattern: str, chance: random.Random, least: int) -> None:
        self._pattern, self._chance, self._least = pattern, chance, least
        self._at = 0

    def whole(self) -> str:
        text = self._alternatives()
        if self._at < len(self._pattern):
            raise ValueError("a bracket too many")
        return text

    def _alternatives(self) -> str:
        texts = [self._sequence()]
        while self._next() == "|":
            self._at += 1
            texts.append(self._sequence())
        return self._chance.choice(texts)

    def _sequence(self) -> str:
        text = ""
        while self._next() not in ("", "|", ")"):
            begin = self._at
            piece = self._piece()
            end = self._at
            least, most = self._bounds()
            after, text = self._at, text + (piece if least else "")
            count = self._chance.randint(least, most)
            if most - least == MORE:
                count = max(count, min(self._least - len(text), 1_000))
            for _ in range(max(count - min(least, 1), 0)):
                # Written anew each time, so that letters differ.
                self._at = begin
                text += self._piece()
                assert self._at == end
            self._at = after
        return text

    def _piece(self) -> str:
        sign = self._take()
        match sign:
            case "(":
                return self._group()
            case "[":
                return self._chance.choice(self._class())
            case "\\":
                return self._escaped()
            case ".":
                return self._chance.choice(string.ascii_lowercase)
            case "^" | "$":
                return ""
            case "*" | "+" | "?":
                raise ValueError("nothing to repeat")
            case _:
                return sign

    def _group(self) -> str:
        if self._next() == "?":
            self._at += 1
            kind = self._take()
            if kind == "P" or (kind == "<" and self._next() not in "=!"):
                self._at = self._pattern.index(">", self._at) + 1
            elif kind != ":":
                raise ValueError("looks around")
        text = self._alternatives()
        if self._take() != ")":
            raise ValueError("a bracket too few")
        return text

    def _escaped(self) -> str:
        sign = self._take()
        if sign in _CLASSES:
            return self._chance.choice(_CLASSES[sign])
        if sign in "bBAZ":
            return ""
        if sign in "xu":
            return self._coded(2 if sign == "x" else 4)
        if sign.isdigit() or sign in "pP":
            raise ValueError("refers to a group or a property")
        return _SIGNS.get(sign, sign)

    def _coded(self, digits: int) -> str:
        code = self._pattern[self._at : self._at + digits]
        self._at += digits
        return chr(int(code, 16))

    def _class(self) -> list[str]:
        """The letters to choose from."""
        negated = self._next() == "^"
        self._at += negated
        letters: list[str] = []
        while self._next() != "]" or not letters:
            options = self._option()
            if len(options) == 1 and self._next() == "-" and self._pattern[self._at + 1] != "]":
                self._at += 1
                last = self._option()[0]
                options = [chr(code) for code in range(ord(options[0]), min(ord(last), ord(options[0]) + 500) + 1)]
            letters += options
        self._at += 1
        return [letter for letter in _PRINTABLE if letter not in letters] if negated else letters

    def _option(self) -> list[str]:
        sign = self._take()
        if sign != "\\":
            return [sign]
        if self._next() in _CLASSES:
            return list(_CLASSES[self._take()])
        return [self._escaped()]

    def _bounds(self) -> tuple[int, int]:
        """How often the piece before is to stand there."""
        sign = self._next()
        bounds = _BOUNDS.match(self._pattern, self._at)
        if sign in ("*", "+", "?") and sign:
            self._at += 1
            found = {"*": (0, MORE), "+": (1, 1 + MORE), "?": (0, 1)}[sign]
        elif bounds and (bounds[1] or bounds[3]):
            self._at = bounds.end()
            least = int(bounds[1] or 0)
            found = (least, least if not bounds[2] else int(bounds[3]) if bounds[3] else least + MORE)
        else:
            return 1, 1
        if self._next() in ("?", "+") and self._next():
            self._at += 1
        if found[1] > 10_000 or found[0] > found[1]:
            raise ValueError("too often")
        return found

    def _next(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _take(self) -> str:
        sign = self._pattern[self._at]
        self._at += 1
        return sign


WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbour", "island", "juniper")
TRIES = 20
_Make = Callable[[random.Random], str]


def _date(chance: random.Random) -> str:
    return f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"


def _time(chance: random.Random) -> str:
    return f"{chance.randint(8, 18):02}:{chance.randint(0, 59):02}:00Z"


def _hex(chance: random.Random, digits: int) -> str:
    return "".join(chance.choice("0123456789abcdef") for _ in range(digits))


def _uuid(chance: random.Random) -> str:
    return f"{_hex(chance, 8)}-{_hex(chance, 4)}-4{_hex(chance, 3)}-a{_hex(chance, 3)}-{_hex(chance, 12)}"


FORMATS: dict[str, _Make] = {
    "date-time": lambda chance: f"{_date(chance)}T{_time(chance)}",
    "date": _date,
    "time": _time,
    "duration": lambda chance: f"PT{chance.randint(1, 59)}M",
    "email": lambda chance: f"{chance.choice(WORDS)}@example.com",
    "idn-email": lambda chance: f"{chance.choice(WORDS)}@example.com",
    "hostname": lambda chance: f"{chance.choice(WORDS)}.example.com",
    "idn-hostname": lambda chance: f"{chance.choice(WORDS)}.example.com",
    "ipv4": lambda chance: f"192.0.2.{chance.randint(1, 254)}",
    "ipv6": lambda chance: f"2001:db8::{chance.randint(1, 9999)}",
    "uri": lambda chance: f"https://example.com/{chance.choice(WORDS)}",
    "url": lambda chance: f"https://example.com/{chance.choice(WORDS)}",
    "iri": lambda chance: f"https://example.com/{chance.choice(WORDS)}",
    "uri-reference": lambda chance: f"/{chance.choice(WORDS)}",
    "iri-reference": lambda chance: f"/{chance.choice(WORDS)}",
    "uri-template": lambda chance: f"/{chance.choice(WORDS)}/{{id}}",
    "json-pointer": lambda chance: f"/{chance.choice(WORDS)}",
    "relative-json-pointer": lambda chance: f"0/{chance.choice(WORDS)}",
    "uuid": _uuid,
    "regex": lambda chance: f"^{chance.choice(WORDS)}$",
    "byte": lambda _chance: "YW1iZXI=",
    "binary": lambda _chance: "amber",
    "password": lambda _chance: "not-a-real-one",
}


def text_for(schema: Mapping[str, Any], name: str, chance: random.Random) -> str:
    """A text; where nothing fits all that is asked for, one that fits most of it."""
    least, most = int(schema.get("minLength") or 0), schema.get("maxLength")
    pattern: Any = schema.get("pattern")
    if isinstance(pattern, str):
        return _patterned(pattern, least, most, chance)
    make = FORMATS.get(str(schema.get("format", "")))
    if make is not None:
        text = make(chance)
        if least <= len(text) and (most is None or len(text) <= most):
            return text
    return _fitted(_word(name, chance), least, most, chance)


def _word(name: str, chance: random.Random) -> str:
    """One that tells what it is for."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+", " ", name).strip().lower()
    if words.endswith("id") and (words == "id" or words.endswith(" id")):
        return f"{words.removesuffix('id').strip()[:3] or 'id'}-{chance.randint(1000, 9999)}"
    return f"{words} {chance.choice(WORDS)}".strip()


def _fitted(text: str, least: int, most: int | None, chance: random.Random) -> str:
    while len(text) < least:
        text += f" {chance.choice(WORDS)}"
    if most is None or len(text) <= most:
        return text
    cut = text[: max(int(most), 0)]
    # A cut in a gap would leave a text that ends with nothing; but it may not be shorter than it must.
    return cut.strip().ljust(min(least, len(cut)), "x")


def _patterned(pattern: str, least: int, most: int | None, chance: random.Random) -> str:
    """The first of several that has the right length, too."""
    text = ""
    for _ in range(TRIES):
        made = text_matching(pattern, chance, least)
        if made is None:
            break
        text = made
        if least <= len(text) and (most is None or len(text) <= most):
            return text
    return text or _fitted(chance.choice(WORDS), least, most, chance)
