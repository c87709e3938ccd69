"""Arithmetic: the simplest tools there are."""


def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


def mul(a: float, b: float) -> float:
    """Multiply two numbers."""
    return a * b
