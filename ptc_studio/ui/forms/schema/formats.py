"""The formats of text: what fits each, and an example of it."""

import ipaddress
import re
import uuid
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, NamedTuple

_TIME = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([zZ]|[+-][0-9]{2}:[0-9]{2})?")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")


def looks_right(form: str, text: str) -> bool:
    """Whether the text has the format; of unknown ones everything does."""
    try:
        return form not in FORMATS or bool(FORMATS[form].check(text))
    except ValueError:
        return False


def now_as(form: str, moment: datetime) -> str:
    """The moment in one of the formats of dates and times."""
    if form == "date":
        return moment.date().isoformat()
    whole = moment.replace(microsecond=0)
    return whole.timetz().isoformat() if form == "time" else whole.isoformat()


def _is_date(text: str) -> bool:
    date.fromisoformat(text)
    return len(text) == len("2026-03-31")


def _is_time(text: str) -> bool:
    # A leap second is a time, too.
    time.fromisoformat(text[:8].replace(":60", ":59"))
    return _TIME.fullmatch(text) is not None


def _is_moment(text: str) -> bool:
    day, clock = text[:10], text[11:]
    return _is_date(day) and text[10:11] in ("T", "t", " ") and _is_time(clock)


class TextFormat(NamedTuple):
    """One format, for people and for the check, which may raise ValueError."""

    name: str
    example: str
    check: Callable[[str], object]


_ADDRESS = TextFormat("an address", "https://example.org/", _URI.fullmatch)
FORMATS = {
    "date": TextFormat("a date", "2026-03-31", _is_date),
    "time": TextFormat("a time", "14:30:00Z", _is_time),
    "date-time": TextFormat("a date with time", "2026-03-31T14:30:00Z", _is_moment),
    "email": TextFormat("an e-mail address", "name@example.org", _EMAIL.fullmatch),
    "uri": _ADDRESS,
    "url": _ADDRESS,
    "uuid": TextFormat("a UUID", "12345678-1234-5678-1234-567812345678", uuid.UUID),
    "ipv4": TextFormat("an IPv4 address", "192.0.2.1", ipaddress.IPv4Address),
    "ipv6": TextFormat("an IPv6 address", "2001:db8::1", ipaddress.IPv6Address),
}


_NUMERAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LENIENT = re.compile(r"([+-]?)(?:([0-9]+)\.?|([0-9]*)(\.[0-9]+))([eE][+-]?[0-9]+)?")
MOST_DIGITS = 100_000


def number_of(text: str) -> int | float | Decimal | None:
    """The number that a JSON numeral says; a decimal where a float would lose digits. None for anything else."""
    if not _NUMERAL.fullmatch(text) or len(text) > MOST_DIGITS:
        return None
    if not set(text) & set(".eE"):
        # By way of a decimal: turning long texts into integers directly is refused by Python.
        return int(Decimal(text))
    exact, rounded = Decimal(text), float(text)
    return rounded if exact == Decimal(repr(rounded)) else exact


def number_typed(text: str) -> int | float | Decimal | None:
    """The number that a person means: `+5`, `.5` and `007` are numbers, too."""
    match = _LENIENT.fullmatch(text.strip())
    if match is None:
        return None
    sign, whole, before, after, power = (part or "" for part in match.groups())
    digits = (whole or before).lstrip("0") or "0"
    return number_of(f"{sign.replace('+', '')}{digits}{after}{power}")


def numeral_of(number: float | Decimal) -> str:
    """The number as JSON writes it."""
    if isinstance(number, int):
        return str(int(number)) if number.bit_length() < 10_000 else str(Decimal(number))
    return repr(float(number)) if isinstance(number, float) else str(number)


def is_number(value: Any) -> bool:
    """Whether JSON has a numeral for it; true and false are none."""
    if isinstance(value, float | Decimal):
        return value == value and abs(value) != float("inf")
    return isinstance(value, int) and not isinstance(value, bool)
