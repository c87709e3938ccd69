"""The tools of the programs in this folder's tests, for ours and for the real targets alike."""

import time


def price(item: str, qty: int = 1) -> float:
    """The price of so many."""
    if item == "nothing":
        raise KeyError(item)
    return 2.5 * qty


def stock(item: str) -> dict:
    """What there is of an item."""
    return {"item": item, "count": 7, "tags": ["red", "ripe"]}


def greet(name: str) -> str:
    """A greeting."""
    return f"hello {name}"


def add(a: int, b: int) -> int:
    """The sum of two numbers."""
    return a + b


def tags(item: str) -> list[str]:
    """The tags of an item."""
    return ["red", "ripe"]


def fail(reason: str) -> str:
    """Fails for the reason."""
    raise ValueError(reason)


def slow(seconds: float) -> str:
    """Answers late."""
    time.sleep(seconds)
    return "late"


def shell(command: str) -> str:
    """Says what it would do."""
    return f"ran {command}"
