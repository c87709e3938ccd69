"""Numbers as they are written: of any size, with every digit."""

import re
from decimal import Decimal
from typing import Any

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
