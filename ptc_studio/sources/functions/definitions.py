"""The functions that a user's module offers, and each as a tool that the executor can call."""

import contextlib
import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ptc_studio.core.tools import LoadError, Ticket, ToolSpec
from ptc_studio.processes.process_tree import mark_children
from ptc_studio.sources.functions.annotations import UnfitFunctionError, parameters_of
from ptc_studio.sources.functions.async_thread import AsyncThread
from ptc_studio.sources.functions.context import Directories, context_of, working_directories
from ptc_studio.sources.functions.docstrings import documentation_of
from ptc_studio.sources.functions.schema import CallShape, shape_of
from ptc_studio.sources.functions.tool_objects import (
    ObjectShape,
    is_written_here,
    kind_of,
    line_of,
    own_name,
    read_object,
    why_none,
)


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
        is_async=_is_async(function) or _is_async(inspect.unwrap(function)),
        takes_context="_context" in parameters,
        takes_any=inspect.Parameter.VAR_KEYWORD in kinds,
        positional_only=tuple(p for p in parameters.values() if p.kind is inspect.Parameter.POSITIONAL_ONLY),
    )


def _is_async(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


@dataclass(frozen=True, eq=False)
class FunctionDefinition:
    """A function of a user's file, read; its name as a tool depends on the other files too."""

    module: str
    """As `folder/module`."""
    name: str
    file: Path
    line: int
    doc: str
    shape: CallShape | ObjectShape
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
    """All public functions that were written in this file, and objects that are tools to other libraries."""
    definitions: list[FunctionDefinition] = []
    errors: list[LoadError] = []
    text = None
    for attribute, value in list(vars(module).items()):
        if attribute.startswith("_"):
            continue
        line = 1
        try:
            if _is_function_of(value, module):
                line = _line_of(value)
                read = (documentation_of(value), shape_of(value), plan_of(value))
            elif kind_of(value) is not None or why_none(value) is not None:
                text = inspect.getsource(module) if text is None else text
                if not is_written_here(attribute, text):
                    continue
                line = line_of(attribute, text)
                found = read_object(value)
                read = (found.doc, found.shape, CallPlan(found.call, found.is_async, False, False, ()))
            else:
                continue
        except UnfitFunctionError as error:
            errors.append(LoadError(source, str(file), line, f"The function {attribute!r} is no tool: {error}."))
            continue
        definitions.append(FunctionDefinition(name, own_name(value, attribute, vars(module)), file, line, *read))
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


Stdio = Callable[[str], AbstractContextManager[None]]
"""From a run's id to what is entered while a function of its runs, so that its prints go where they belong."""


def unchanged_stdio(_run_id: str) -> AbstractContextManager[None]:
    """Lets prints go where they go."""
    return contextlib.nullcontext()


@dataclass(frozen=True)
class CallEnvironment:
    """What functions find around them when they are called."""

    directories: Directories = working_directories
    stdio: Stdio = unchanged_stdio
    async_thread: AsyncThread = field(default_factory=AsyncThread)


class FunctionTool:
    """A function of a user's file."""

    def __init__(self, spec: ToolSpec, definition: FunctionDefinition, environment: CallEnvironment) -> None:
        self.spec = spec
        self._environment = environment
        self._bind = definition.shape.bind
        self._plan = definition.plan
        self.definition = definition
        self.takes_any = definition.plan.takes_any
        """Whether the function has `**kwargs`."""

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return self._bind(self.spec.name, arguments)

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        mark_children()
        if self._plan.is_async:
            return self._environment.async_thread.run(self._invoke_async(arguments, ticket), ticket)
        with self._environment.stdio(ticket.run_id):
            value = self._call(arguments, ticket)
        if inspect.isawaitable(value):
            return self._environment.async_thread.run(self._finish(value, ticket), ticket)
        return value

    def invoke_unbound(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        """The same with arguments that were not converted."""
        return self.invoke(arguments, ticket)

    def _call(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        plan = self._plan
        if plan.takes_context:
            names = getattr(inspect.unwrap(plan.function), "__globals__", {})
            context = context_of(ticket, self._environment.directories, is_async=plan.is_async, names=names)
            arguments = {**arguments, "_context": context}
        return plan.call(arguments)

    async def _invoke_async(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        with self._environment.stdio(ticket.run_id):
            value = self._call(arguments, ticket)
            if inspect.isasyncgen(value):
                return [item async for item in value]
            return await value if inspect.isawaitable(value) else value

    async def _finish(self, value: Awaitable[Any], ticket: Ticket) -> Any:
        with self._environment.stdio(ticket.run_id):
            return await value
