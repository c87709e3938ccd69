"""The functions that expressions may use: few, without effects, and bounded."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

MOST = 10_000
DIGITS = 30


def _round(number: Any, digits: int | None = None) -> Any:
    # Rounding a whole number to minus a billion digits would compute ten to the power of a billion.
    return round(number, None if digits is None else max(-DIGITS, min(DIGITS, digits)))


def _sum(numbers: Iterable[Any]) -> Any:
    return sum(numbers)


def _range(*bounds: int) -> list[int]:
    numbers = range(*bounds)
    if len(numbers) > MOST:
        raise ValueError(f"range makes more than {MOST:,} numbers")
    return list(numbers)


def _get(holder: Any, key: Any, otherwise: Any = None) -> Any:
    """What is there, or something else where nothing is."""
    try:
        return holder[key]
    except (LookupError, TypeError):
        return otherwise


def _text(value: Any) -> str:
    return str(value)


def _join(separator: str, texts: Iterable[Any]) -> str:
    return str(separator).join(str(text) for text in texts)


def _keys(mapping: Mapping[str, Any]) -> list[str]:
    return list(mapping)


def _values(mapping: Mapping[str, Any]) -> list[Any]:
    return list(mapping.values())


def _items(mapping: Mapping[str, Any]) -> list[list[Any]]:
    return [[key, value] for key, value in mapping.items()]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "all": all,
    "any": any,
    "bool": bool,
    "dict": dict,
    "endswith": str.endswith,
    "float": float,
    "get": _get,
    "int": int,
    "items": _items,
    "join": _join,
    "keys": _keys,
    "len": len,
    "list": list,
    "lower": str.lower,
    "max": max,
    "min": min,
    "range": _range,
    "round": _round,
    "sorted": sorted,
    "split": str.split,
    "startswith": str.startswith,
    "str": _text,
    "strip": str.strip,
    "sum": _sum,
    "upper": str.upper,
    "values": _values,
}
