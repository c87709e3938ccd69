"""Makes numbers within the bounds of a schema."""

import math
import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

SPAN = 100
_USUAL = {"price": (5, 100), "qty": (1, 10), "quantity": (1, 10), "count": (1, 10), "year": (2020, 2030)}
_STEP = Fraction(1, 100)


def number_for(schema: Mapping[str, Any], kind: str, name: str, chance: random.Random, edge: bool) -> int | float:
    """A number; a whole one for `integer`; at the edge of what may be, if asked for. Where the bounds leave none, the
    nearest to them."""
    step = _fraction(schema.get("multipleOf")) or (Fraction(1) if kind == "integer" else _STEP)
    if kind == "integer" and step.denominator != 1:
        step = Fraction(step.numerator)
    least, most = _bounds(schema, name)
    first, last = math.ceil(least / step), math.floor(most / step)
    if _excluded(schema, "exclusiveMinimum", "minimum", first * step):
        first += 1
    if _excluded(schema, "exclusiveMaximum", "maximum", last * step):
        last -= 1
    if first > last:
        return _plain((least + most) / 2 if kind == "number" and "multipleOf" not in schema else first * step, kind)
    return _plain((chance.choice((first, last)) if edge else chance.randint(first, last)) * step, kind)


def _bounds(schema: Mapping[str, Any], name: str) -> tuple[Fraction, Fraction]:
    lows = [_fraction(schema.get(word)) for word in ("minimum", "exclusiveMinimum")]
    highs = [_fraction(schema.get(word)) for word in ("maximum", "exclusiveMaximum")]
    low = max((each for each in lows if each is not None), default=None)
    high = min((each for each in highs if each is not None), default=None)
    width = Fraction(SPAN) * (_fraction(schema.get("multipleOf")) or 1)
    usual = next((span for word, span in _USUAL.items() if word in name.lower()), None)
    if low is None and high is None:
        first, last = usual if usual and "multipleOf" not in schema else (0, width)
        return Fraction(first), Fraction(last)
    if low is None:
        assert high is not None
        return min(Fraction(0), high - width), high
    return low, low + width if high is None else high


def _excluded(schema: Mapping[str, Any], exclusive: str, inclusive: str, value: Fraction) -> bool:
    """Whether the value is the bound that must not be reached; in old schemas that is a switch beside the bound."""
    bound = schema.get(exclusive)
    if bound is True:
        bound = schema.get(inclusive)
    return _fraction(bound) == value


def _fraction(value: Any) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    # As it is written: 0.1 is a tenth.
    return Fraction(str(value))


def _plain(value: Fraction, kind: str) -> int | float:
    if kind == "integer":
        return math.floor(value)
    return float(value)
