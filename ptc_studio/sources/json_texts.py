"""The texts inside of a JSON value."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any


def texts_in(value: Any) -> Iterator[str]:
    """A text itself, or every text of a list or mapping, in order; keys are no texts."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from texts_in(item)


def with_texts(value: Any, change: Callable[[str], Any]) -> Any:
    """The value with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: with_texts(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(with_texts(item, change) for item in value)
    return value
