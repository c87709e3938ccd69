"""Small expressions over the arguments of a call, such as `qty > 3 and currency == "EUR"`."""

import ast
import threading
import warnings
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ptc_studio.core.answering.expressions.evaluator import Evaluator, ExpressionStopped
from ptc_studio.core.errors import ExpressionFault

LONGEST = 2_000
_SWITCHING = threading.Lock()
"""Warnings are switched for all threads at once: here, and by the library while it makes an evaluator."""


class UnknownName(ExpressionFault):
    """The expression speaks of an argument that is not there."""


class Expression:
    """An expression, read once and evaluated for each call. Knows no attributes, no assignments and no loops beyond
    comprehensions, and is bounded in time and size; so is what it makes. Any thread may evaluate it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tree = _parsed(text)
        with _SWITCHING:
            self._evaluator = Evaluator()
        self._lock = threading.Lock()

    def value(self, names: Mapping[str, Any]) -> Any:
        """What it comes to where the names have these values; raises ExpressionFault."""
        with self._lock:
            try:
                return self._evaluator.evaluate(self._tree, names)
            except ExpressionStopped as stopped:
                kind = UnknownName if stopped.unknown_name else ExpressionFault
                raise kind(self.text, str(stopped)) from None
            except (RecursionError, MemoryError):
                raise ExpressionFault(self.text, "it is nested too deeply") from None
            except Exception as error:  # noqa: BLE001 - whatever an operator raises is about the expression
                raise ExpressionFault(self.text, _reason(error)) from None


@lru_cache(maxsize=256)
def expression(text: str) -> Expression:
    """The expression, read once however often it is asked for."""
    return Expression(text)


def _parsed(text: str) -> ast.expr:
    if len(text) > LONGEST:
        raise ExpressionFault(text, f"it is longer than {LONGEST:,} characters")
    if not text.strip():
        raise ExpressionFault(text, "it is empty")
    try:
        with _SWITCHING, warnings.catch_warnings():
            # Python would only warn of an unknown escape, and warnings reach nobody here.
            warnings.simplefilter("error")
            return ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        what = (error.msg or "invalid syntax").removesuffix(". Perhaps you forgot a comma?")
        place = f" at column {error.offset}" if error.offset else ""
        raise ExpressionFault(text, f"{what}{place}") from None
    except (ValueError, RecursionError, MemoryError):
        raise ExpressionFault(text, "it is nested too deeply, or holds what is no text") from None


def _reason(error: Exception) -> str:
    match error:
        case KeyError():
            return f"there is no key {error.args[0]!r}" if error.args else "a key is not there"
        case IndexError():
            return "a list or text is shorter than that"
        case ZeroDivisionError():
            return "it divides by zero"
        case _:
            return f"{error}" or type(error).__name__
