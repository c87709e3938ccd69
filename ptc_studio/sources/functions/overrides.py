"""A tool with a description or a schema other than its function's own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ptc_studio.core.errors import UnfitArguments
from ptc_studio.core.tools import Parameter, Ticket, Tool, ToolSpec
from ptc_studio.sources.functions.refusals import name_faults


class Overridable(Tool, Protocol):
    """A tool that can do without its own validation."""

    @property
    def takes_any(self) -> bool:
        """Whether it takes names beyond its parameters'."""
        ...

    def invoke_unbound(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        """Answers a call whose arguments it did not bind itself."""
        ...


@dataclass(frozen=True, slots=True)
class Override:
    """What an entry says instead of the function."""

    description: str | None = None
    parameters: Any = None


def overridden(tool: Overridable, override: Override) -> Tool:
    """The tool as the entry wants it; raises ValueError for a schema that the function cannot serve."""
    spec = tool.spec
    if override.description:
        spec = replace(spec, description=override.description)
    if override.parameters is None:
        return tool if spec is tool.spec else DescribedTool(tool, spec)
    _check_schema(tool, override.parameters)
    return HandwrittenTool(
        tool, replace(spec, parameters=override.parameters, signature=_signature(override.parameters))
    )


class DescribedTool:
    """The same tool in other words."""

    def __init__(self, tool: Overridable, spec: ToolSpec) -> None:
        self._tool = tool
        self._spec = spec

    @property
    def spec(self) -> ToolSpec:
        return self._spec

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return self._tool.bind(arguments)

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        return self._tool.invoke(arguments, ticket)


class HandwrittenTool(DescribedTool):
    """A tool whose schema a person wrote: names are checked, values are the person's affair."""

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        check_names(self._spec, arguments)
        return dict(arguments)

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        return self._tool.invoke_unbound(arguments, ticket)


def check_names(spec: ToolSpec, arguments: Mapping[str, Any]) -> None:
    """Refuses missing and unexpected arguments by the schema alone."""
    known: Mapping[str, Any] = spec.parameters.get("properties", {})
    open_ended = bool(spec.parameters.get("additionalProperties"))
    given = [name for name in arguments if name in known or not open_ended or name.startswith("_")]
    faults = name_faults(given, spec.parameters.get("required", ()), list(known))
    if faults:
        raise UnfitArguments(spec.name, "; ".join(faults))


def _check_schema(tool: Overridable, schema: Any) -> None:
    name = tool.spec.name
    properties = schema.get("properties", {}) if isinstance(schema, Mapping) else None
    if not isinstance(schema, Mapping) or not isinstance(properties, Mapping) or schema.get("type") != "object":
        raise ValueError(f"The parameters of {name!r} are no JSON Schema of an object: give type and properties")
    takes = [parameter.name for parameter in tool.spec.signature]
    for key in properties:
        if key.startswith("_") or (key not in takes and not tool.takes_any):
            raise ValueError(f"The parameters of {name!r} name {key!r}, but it takes {', '.join(takes) or 'none'}")
    for parameter in tool.spec.signature:
        if parameter.required and parameter.name not in schema.get("required", ()):
            raise ValueError(f"The parameters of {name!r} must have {parameter.name!r}, and list it as required")


def _signature(schema: Mapping[str, Any]) -> tuple[Parameter, ...]:
    required = schema.get("required", ())
    return tuple(
        Parameter(name, name in required, described.get("default") if isinstance(described, Mapping) else None)
        for name, described in schema.get("properties", {}).items()
    )
