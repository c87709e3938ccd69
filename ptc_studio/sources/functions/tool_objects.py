"""Objects at the top level of a user's module that are tools to other libraries: LangChain's and smolagents'.

Neither is imported here: an object is known by the class that it derives from, and asked as its library asks it.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ptc_studio.core.tools import JsonSchema, Parameter, ToolSpec
from ptc_studio.sources.functions.annotations import UnfitFunctionError
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
