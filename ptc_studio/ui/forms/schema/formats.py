"""The formats of text: what fits each, and an example of it."""

import ipaddress
import re
import uuid
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

_TIME = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([zZ]|[+-][0-9]{2}:[0-9]{2})?")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")

EXAMPLES = {
    "date": "2026-03-31",
    "time": "14:30:00Z",
    "date-time": "2026-03-31T14:30:00Z",
    "email": "name@example.org",
    "uri": "https://example.org/",
    "url": "https://example.org/",
    "uuid": "12345678-1234-5678-1234-567812345678",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
}
NAMES = {
    "date": "a date",
    "time": "a time",
    "date-time": "a date with time",
    "email": "an e-mail address",
    "uri": "an address",
    "url": "an address",
    "uuid": "a UUID",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
}


def looks_right(form: str, text: str) -> bool:
    """Whether the text has the format; of unknown ones everything does."""
    check = _CHECKS.get(form)
    try:
        return check is None or check(text)
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


_CHECKS: dict[str, Callable[[str], bool]] = {
    "date": _is_date,
    "time": _is_time,
    "date-time": _is_moment,
    "email": lambda text: _EMAIL.fullmatch(text) is not None,
    "uri": lambda text: _URI.fullmatch(text) is not None,
    "url": lambda text: _URI.fullmatch(text) is not None,
    "uuid": lambda text: uuid.UUID(text) is not None,
    "ipv4": lambda text: ipaddress.IPv4Address(text) is not None,
    "ipv6": lambda text: ipaddress.IPv6Address(text) is not None,
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
    return rounded if exact == _decimal(rounded) else exact


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


def _decimal(number: float) -> Decimal:
    return Decimal(repr(number))
