"""Makes texts that fit a schema: by format, by pattern, by length, and by the name of what they are for."""

import random
import re
from collections.abc import Callable, Mapping
from typing import Any

from ptc_studio.core.answering.examples.pattern_texts import text_matching

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
