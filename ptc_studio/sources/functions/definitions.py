"""Finds the functions that a user's module offers as tools."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ptc_studio.core.tools import LoadError
from ptc_studio.sources.functions.annotations import UnfitFunctionError
from ptc_studio.sources.functions.calling import CallPlan, plan_of
from ptc_studio.sources.functions.description import documentation_of
from ptc_studio.sources.functions.schema import CallShape, shape_of


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
    def place(self) -> str:
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
