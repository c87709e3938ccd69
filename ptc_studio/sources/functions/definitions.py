"""Finds the functions that a user's module offers as tools."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ptc_studio.core.tools import LoadError
from ptc_studio.sources.functions.annotations import UnfitFunctionError, parameters_of
from ptc_studio.sources.functions.schema import CallShape, shape_of

LIMIT = 600


def documentation_of(function: Any) -> str:
    """The whole docstring, without its indentation."""
    return (inspect.getdoc(function) or "").strip()


def first_paragraph(doc: str) -> str:
    """The beginning of a docstring as one line, of at most 600 characters."""
    lines: list[str] = []
    for line in doc.splitlines():
        if not line.strip():
            break
        lines.append(line.strip())
    text = " ".join(lines)
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "…"


@dataclass(frozen=True, slots=True)
class CallPlan:
    """A function, and all that has to be known to call it."""

    function: Callable[..., Any]
    is_async: bool
    takes_context: bool
    takes_any: bool
    """Has `**kwargs`."""
    positional_only: tuple[inspect.Parameter, ...]

    def call(self, arguments: dict[str, Any]) -> Any:
        """Calls it; what the caller left out gets the function's own default."""
        if not self.positional_only:
            return self.function(**arguments)
        named = dict(arguments)
        given = [parameter for parameter in self.positional_only if parameter.name in named]
        upto = self.positional_only.index(given[-1]) + 1 if given else 0
        positional = [named.pop(parameter.name, parameter.default) for parameter in self.positional_only[:upto]]
        return self.function(*positional, **named)


def plan_of(function: Callable[..., Any]) -> CallPlan:
    """Reads how the function wants to be called."""
    parameters = parameters_of(function)
    kinds = [parameter.kind for parameter in parameters.values()]
    return CallPlan(
        function,
        # A decorator may hide that the function which it wraps is async.
        is_async=inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(inspect.unwrap(function)),
        takes_context="_context" in parameters,
        takes_any=inspect.Parameter.VAR_KEYWORD in kinds,
        positional_only=tuple(p for p in parameters.values() if p.kind is inspect.Parameter.POSITIONAL_ONLY),
    )


@dataclass(frozen=True, eq=False)
class FunctionDefinition:
    """A function of a user's file, read; its name as a tool depends on the other files too."""

    module: str
    """As `folder/module`."""
    name: str
    file: Path
    line: int
    doc: str
    shape: CallShape
    plan: CallPlan

    @property
    def dotted(self) -> str:
        """The name that is good in any case."""
        return f"{self.module.replace('/', '.')}.{self.name}"

    @property
    def location(self) -> str:
        """Where it stands, for messages."""
        return f"{self.module}.py:{self.line}"


@dataclass(frozen=True)
class FileReading:
    """What came of one file."""

    definitions: tuple[FunctionDefinition, ...] = ()
    errors: tuple[LoadError, ...] = ()


def read_module(source: str, name: str, file: Path, module: ModuleType) -> FileReading:
    """All public functions that were written in this file."""
    definitions: list[FunctionDefinition] = []
    errors: list[LoadError] = []
    for attribute, value in list(vars(module).items()):
        if attribute.startswith("_") or not _is_function_of(value, module):
            continue
        line = _line_of(value)
        try:
            shape, plan = shape_of(value), plan_of(value)
        except UnfitFunctionError as error:
            errors.append(LoadError(source, str(file), line, f"The function {attribute!r} is no tool: {error}."))
            continue
        definitions.append(FunctionDefinition(name, attribute, file, line, documentation_of(value), shape, plan))
    return FileReading(tuple(definitions), tuple(errors))


def _is_function_of(value: Any, module: ModuleType) -> bool:
    """True for functions, and for what a decorator that keeps `__wrapped__` made of one."""
    if inspect.isclass(value) or not callable(value):
        return False
    return isinstance(_innermost(value), FunctionType) and getattr(value, "__module__", None) == module.__name__


def _innermost(value: Callable[..., Any]) -> Any:
    try:
        return inspect.unwrap(value)
    except ValueError:
        return None


def _line_of(function: Callable[..., Any]) -> int:
    return _innermost(function).__code__.co_firstlineno
