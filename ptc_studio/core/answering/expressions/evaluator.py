"""Evaluates the tree of an expression within bounds: what simpleeval allows, less what could take long or much."""

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping
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

from ptc_studio.core.answering.expressions.bounded_operations import OPERATORS, TEXT_PIECE, TooMuch, weight_within
from ptc_studio.core.answering.expressions.functions import FUNCTIONS

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
