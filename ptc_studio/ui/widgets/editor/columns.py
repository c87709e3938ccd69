"""Columns in characters, as Python counts, and in UTF-16 units, as Qt does."""

_WIDEST_UNIT = "\uffff"


def to_units(text: str, column: int) -> int:
    """Characters to units."""
    if text.isascii() or max(text, default="") <= _WIDEST_UNIT:
        return column
    return column + sum(letter > _WIDEST_UNIT for letter in text[:column])


def to_characters(text: str, units: int) -> int:
    """Units to characters."""
    if text.isascii() or max(text, default="") <= _WIDEST_UNIT:
        return units
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))
