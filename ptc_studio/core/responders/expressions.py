"""Small expressions over the arguments of a call, such as `qty > 3`: safe, and bounded in time and size."""

import ast
import operator
import re
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, cast

from simpleeval import (  # pyright: ignore[reportMissingTypeStubs]
    DEFAULT_OPERATORS,  # pyright: ignore[reportUnknownVariableType]
    EvalWithCompoundTypes,
    FunctionNotDefined,
    InvalidExpression,
    IterableTooLong,
    NameNotDefined,
    NumberTooHigh,
)

from ptc_studio.core.errors import ExpressionError
from ptc_studio.core.python_text import read_steadily

LONGEST_VALUE = 100_000
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
        if hasattr(part, "__len__") and isinstance(count, int) and len(part) * max(count, 0) > LONGEST_VALUE:
            raise TooMuch
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() + right.bit_length() > MOST_BITS:
        raise TooMuch
    return left * right


def _plus(left: Any, right: Any) -> Any:
    if hasattr(left, "__len__") and hasattr(right, "__len__") and len(left) + len(right) > LONGEST_VALUE:
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


BUDGET = 200_000
"""Steps and values that one evaluation may take."""
WORDS: dict[str, str] = {
    "Attribute": 'a dot cannot be used here; write order["qty"] instead of order.qty',
    "Lambda": "functions cannot be made here",
    "NamedExpr": "nothing can be assigned here",
    "Await": "nothing can be awaited here",
    "SetComp": "a set cannot be made by a comprehension here; use a list",
    "Starred": "a star cannot be used here",
}
GROWING = (
    ast.BinOp,
    ast.List,
    ast.Tuple,
    ast.Set,
    ast.Dict,
    ast.ListComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.Call,
    ast.JoinedStr,
    ast.FormattedValue,
)
JSON_WORDS = {"true": True, "false": False, "null": None}
"""A value that was copied from JSON means the same here."""
_WIDTH = re.compile(r"\d{3,}")


class ExpressionStopped(Exception):
    """The evaluation ends without a value; the text says why."""

    def __init__(self, reason: str, *, unknown_name: bool = False) -> None:
        super().__init__(reason)
        self.unknown_name = unknown_name


class Evaluator(EvalWithCompoundTypes):
    """One evaluation after the other, for one thread at a time."""

    names: Mapping[str, Any]

    def __init__(self) -> None:
        super().__init__(operators={**DEFAULT_OPERATORS, **OPERATORS}, functions=dict(FUNCTIONS))  # pyright: ignore[reportUnknownMemberType]
        self.functions: dict[str, Callable[..., Any]] = dict(FUNCTIONS)
        self.nodes: dict[type[ast.AST], Callable[[Any], Any]]
        for kind in (ast.Attribute, ast.Assign, ast.AugAssign, ast.Import):
            self.nodes.pop(kind, None)
        self._left = 0

    def evaluate(self, tree: ast.expr, names: Mapping[str, Any]) -> Any:
        """The value; raises ExpressionStopped, or whatever an operator raises."""
        self.names, self._left = {**JSON_WORDS, **names}, BUDGET
        try:
            value = self.eval("", tree)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        except NameNotDefined as error:
            raise ExpressionStopped(_no_name(str(error.name), names), unknown_name=True) from None  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        except FunctionNotDefined as error:
            name = str(error.func_name)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
            raise ExpressionStopped(f"there is no function {name!r}; there are {', '.join(FUNCTIONS)}") from None
        except (TooMuch, IterableTooLong, NumberTooHigh):
            raise ExpressionStopped("it takes too long, or makes too much") from None
        except InvalidExpression as error:
            raise ExpressionStopped(str(error)) from None
        finally:
            self.names = {}
        if callable(value):  # pyright: ignore[reportUnknownArgumentType]
            raise ExpressionStopped("it comes to a function; call it with (…)")
        return value  # pyright: ignore[reportUnknownVariableType]

    def _eval(self, node: ast.AST) -> Any:
        """In the library's place: every step is counted, and all that is made is weighed."""
        handler = self.nodes.get(type(node))
        if handler is None:
            kind = type(node).__name__
            raise ExpressionStopped(WORDS.get(kind, f"{kind} cannot be used here"))
        self._spend(1)
        value = handler(node)
        if isinstance(node, GROWING):
            self._spend(weight_within(value, self._left))
        elif isinstance(node, ast.Name | ast.Subscript):
            self._spend(_size(value) // TEXT_PIECE)
        return value

    @staticmethod
    def _eval_constant(node: ast.Constant) -> Any:
        if node.value is not None and not isinstance(node.value, str | int | float):
            raise ExpressionStopped(f"{ast.unparse(node)} is nothing that JSON has")
        return node.value

    def _eval_formattedvalue(self, node: ast.FormattedValue) -> str:
        """With no wide fields: `{x:999999999}` would take all memory."""
        value = self._eval(node.value)
        if node.conversion == ord("r"):
            value = repr(value)
        form = str(self._eval(node.format_spec)) if node.format_spec else ""
        if _WIDTH.search(form):
            raise TooMuch
        return format(value, form)

    def _spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise TooMuch


def _size(value: Any) -> int:
    return operator.length_hint(cast("Iterable[Any]", value), 0)


def _no_name(name: str, names: Mapping[str, Any]) -> str:
    known = ", ".join(sorted(names)) or "none"
    return f"there is no argument {name!r} (there are: {known}); texts stand in quotes"


LONGEST_TEXT = 2_000
_SWITCHING = threading.Lock()
"""Warnings are switched for all threads at once: here, and by the library while it makes an evaluator."""


class UnknownName(ExpressionError):
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
        """What it comes to where the names have these values; raises ExpressionError."""
        with self._lock:
            try:
                return self._evaluator.evaluate(self._tree, names)
            except ExpressionStopped as stopped:
                kind = UnknownName if stopped.unknown_name else ExpressionError
                raise kind(self.text, str(stopped)) from None
            except (RecursionError, MemoryError):
                raise ExpressionError(self.text, "it is nested too deeply") from None
            except Exception as error:  # noqa: BLE001 - whatever an operator raises is about the expression
                raise ExpressionError(self.text, _reason(error)) from None


@lru_cache(maxsize=256)
def expression(text: str) -> Expression:
    """The expression, read once however often it is asked for."""
    return Expression(text)


def _parsed(text: str) -> ast.expr:
    if len(text) > LONGEST_TEXT:
        raise ExpressionError(text, f"it is longer than {LONGEST_TEXT:,} characters")
    if not text.strip():
        raise ExpressionError(text, "it is empty")
    try:
        with _SWITCHING, warnings.catch_warnings():
            # Python would only warn of an unknown escape, and warnings reach nobody here.
            warnings.simplefilter("error")
            return read_steadily(ast.parse, text.strip(), mode="eval").body
    except SyntaxError as error:
        what = (error.msg or "invalid syntax").removesuffix(". Perhaps you forgot a comma?")
        location = f" at column {error.offset}" if error.offset else ""
        raise ExpressionError(text, f"{what}{location}") from None
    except (ValueError, RecursionError, MemoryError):
        raise ExpressionError(text, "it is nested too deeply, or holds what is no text") from None


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


__all__ = ["Expression", "UnknownName", "expression"]
