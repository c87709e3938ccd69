"""The operators of expressions that could take long or make much, bounded."""

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

LONGEST = 100_000
"""Letters or items of what an operator makes."""
MOST_BITS = 8_192
"""Of a whole number."""
TEXT_PIECE = 16
"""So many letters weigh as much as a value."""


class TooMuch(Exception):
    """The bounds are passed."""


def weight_within(value: Any, most: int) -> int:
    """How many values it holds, itself counted, each as often as it occurs; raises TooMuch beyond `most`."""
    weight = 0
    waiting: list[Iterable[Any]] = [(value,)]
    while waiting:
        for item in waiting.pop():
            weight += 1
            match item:
                case str() | bytes():
                    weight += len(item) // TEXT_PIECE
                case bool() | float() | None:
                    pass
                case int():
                    weight += item.bit_length() // 64
                case Mapping():
                    waiting.append(cast("Mapping[Any, Any]", item).values())
                case list() | tuple() | set() | frozenset():
                    waiting.append(cast("Iterable[Any]", item))
                case _:
                    pass
            if weight > most:
                raise TooMuch
    return weight


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * abs(exponent) > MOST_BITS:
        raise TooMuch
    return base**exponent


def _times(left: Any, right: Any) -> Any:
    for part, count in ((left, right), (right, left)):
        if hasattr(part, "__len__") and isinstance(count, int) and len(part) * max(count, 0) > LONGEST:
            raise TooMuch
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() + right.bit_length() > MOST_BITS:
        raise TooMuch
    return left * right


def _plus(left: Any, right: Any) -> Any:
    if hasattr(left, "__len__") and hasattr(right, "__len__") and len(left) + len(right) > LONGEST:
        raise TooMuch
    return left + right


def _shifted(left: Any, right: Any) -> Any:
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() + right > MOST_BITS:
        raise TooMuch
    return left << right


def _remainder(left: Any, right: Any) -> Any:
    if isinstance(left, str | bytes):
        raise TypeError('a text cannot be divided; to fill it in, write f"…{name}…"')
    return left % right


OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Pow: _power,
    ast.Mult: _times,
    ast.Add: _plus,
    ast.LShift: _shifted,
    ast.Mod: _remainder,
}
