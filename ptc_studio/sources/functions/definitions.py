"""The functions and tool objects that a user's module offers, each as a tool that the executor can call.

No library of tool objects (LangChain's, smolagents') is imported here: an object is known by the class that it derives
from, and asked as its library asks it.
"""

import contextlib
import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ptc_studio.core.tools import JsonSchema, LoadError, Parameter, Ticket, ToolSpec
from ptc_studio.processes.process_tree import mark_children
from ptc_studio.sources.async_thread import AsyncThread
from ptc_studio.sources.functions.annotations import UnfitFunctionError, parameters_of
from ptc_studio.sources.functions.context import Directories, context_of, working_directories
from ptc_studio.sources.functions.schema import CallShape, documentation_of, shape_of
from ptc_studio.sources.schema_tool import SchemaTool, schema_problem, signature_of

_KINDS = {("langchain_core", "BaseTool"): "LangChain", ("smolagents", "Tool"): "smolagents"}
_SMOLAGENTS_TYPES = ("string", "boolean", "integer", "number", "array", "object", "null")


@dataclass(frozen=True, eq=False)
class ObjectShape:
    """What such an object takes."""

    parameters: JsonSchema
    signature: tuple[Parameter, ...]

    def bind(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the schema wants them, or the refusal."""
        spec = ToolSpec(tool, "", {"additionalProperties": False, **self.parameters}, "")
        return SchemaTool(spec, lambda _arguments, _ticket: None).bind(arguments)


@dataclass(frozen=True, eq=False)
class ToolObject:
    """One of them, read."""

    doc: str
    shape: ObjectShape
    call: Callable[..., Any]
    is_async: bool


def kind_of(value: Any) -> str | None:
    """Whose tool the object is; None for what is none."""
    if inspect.isclass(value):
        return None
    classes = ((one.__module__.partition(".")[0], one.__name__) for one in type(value).__mro__)
    return next((_KINDS[one] for one in classes if one in _KINDS), None)


def own_name(value: Any, attribute: str, others: Mapping[str, Any]) -> str:
    """What the library calls the object, if nothing else in the file is called so; else what it is bound to."""
    name = getattr(value, "name", None) if kind_of(value) else None
    usable = isinstance(name, str) and name.isidentifier() and not name.startswith("_") and name not in others
    return str(name) if usable else attribute


def is_written_here(attribute: str, text: str) -> bool:
    """Whether the name is bound by the file itself, and not by an import."""
    name = re.escape(attribute)
    return re.search(rf"^(?:(?:async\s+)?def\s+{name}\b|{name}\s*(?::[^=\n]+)?=)", text, re.MULTILINE) is not None


def line_of(attribute: str, text: str) -> int:
    """The line where the name is bound."""
    name = re.escape(attribute)
    found = re.search(rf"^(?:(?:async\s+)?def\s+{name}\b|{name}\s*(?::[^=\n]+)?=)", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def read_object(value: Any) -> ToolObject:
    """Reads it; raises UnfitFunctionError where it cannot be a tool."""
    if reason := why_none(value):
        raise UnfitFunctionError(reason)
    try:
        found = _langchain(value) if kind_of(value) == "LangChain" else _smolagents(value)
    except Exception as error:  # noqa: BLE001 - an object of a library, and of the user's, may do anything
        raise UnfitFunctionError(f"it cannot be read: {type(error).__name__}: {error}") from None
    if problem := schema_problem(found.shape.parameters):
        raise UnfitFunctionError(problem)
    return replace(found, shape=ObjectShape(found.shape.parameters, signature_of(found.shape.parameters)))


def _langchain(value: Any) -> ToolObject:
    # What a model is shown: without the arguments that the library's own runner injects.
    schema = value.tool_call_schema
    parameters = dict(schema if isinstance(schema, Mapping) else schema.model_json_schema())
    for key in ("title", "description"):
        parameters.pop(key, None)
    is_async = getattr(value, "coroutine", None) is not None and getattr(value, "func", None) is None

    def call(**arguments: Any) -> Any:
        return value.ainvoke(arguments) if is_async else value.invoke(arguments)

    return ToolObject(str(value.description).strip(), ObjectShape(parameters, ()), call, is_async)


def _smolagents(value: Any) -> ToolObject:
    properties = {name: _smolagents_part(part) for name, part in value.inputs.items()}
    required = [name for name, part in value.inputs.items() if not part.get("nullable")]
    parameters = {"type": "object", "properties": properties, "required": required}
    return ToolObject(str(value.description).strip(), ObjectShape(parameters, ()), value, is_async=False)


def _smolagents_part(part: Mapping[str, Any]) -> dict[str, Any]:
    given = part.get("type")
    kinds = [kind for kind in (given if isinstance(given, list) else [given]) if kind in _SMOLAGENTS_TYPES]
    made: dict[str, Any] = {key: part[key] for key in ("description", "enum", "items") if key in part}
    if kinds:
        kinds += ["null"] if part.get("nullable") and "null" not in kinds else []
        made["type"] = kinds[0] if len(kinds) == 1 else kinds
    return made


def why_none(value: Any) -> str | None:
    """Why something that can be called is no tool; None for what nobody would take for one."""
    if isinstance(value, partial):
        return "it is a functools.partial, which has no name and no description: write a `def` that calls it"
    if inspect.ismethod(value) or inspect.isbuiltin(value):
        return "it is a method or built-in, whose parameters have no types: write a `def` that calls it"
    return None


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


_PLAIN = frozenset((dict, list, str, int, float, bool, type(None)))


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
        # What is plain is told without asking whether it is registered as awaitable, which takes ten times as long.
        if type(value) not in _PLAIN and inspect.isawaitable(value):
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
