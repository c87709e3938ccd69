"""Exceptions on their way into a script: Monty knows the built-in types alone, and one text for each."""

import builtins
from collections import deque
from typing import Any, get_args

from pydantic_monty import ExcType

from ptc_studio.core.failures import message_of

KNOWN = frozenset(name for name in get_args(ExcType) if hasattr(builtins, name))
REMEMBERED = 50


class Raised:
    """Makes the exceptions for a script, and remembers the latest: of one that is not caught, the tool's own type
    and traceback are worth more than what Monty made of it."""

    def __init__(self) -> None:
        self._latest: deque[tuple[str, str, BaseException]] = deque(maxlen=REMEMBERED)

    def answer(self, error: BaseException) -> Any:
        """The answer that raises the exception in the script, under the nearest type that Monty knows."""
        name = nearest(type(error))
        text = _text(error) if isinstance(error, Exception) else f"{type(error).__name__}: {message_of(error)}"
        self._latest.append((name, text, error))
        return {"exc_type": name, "message": text}

    def original(self, caught: BaseException) -> BaseException | None:
        """The tool's exception of which this one was made."""
        text = str(caught.args[0]) if caught.args else ""
        for name, message, error in reversed(self._latest):
            if (name, message) == (type(caught).__name__, text):
                return error
        return None


def nearest(kind: type[BaseException]) -> str:
    """The name of the most derived of its types that Monty knows; what would end the script is a plain Exception."""
    if issubclass(kind, Exception):
        for base in kind.__mro__:
            if base.__name__ in KNOWN and base.__module__ == "builtins":
                return base.__name__
    return "Exception"


def _text(error: Exception) -> str:
    # Monty, as Python does, shows the text of a KeyError in quotes.
    if isinstance(error, KeyError) and len(error.args) == 1 and message_of(error) == repr(error.args[0]):
        return str(error.args[0])
    return message_of(error)
