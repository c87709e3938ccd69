"""Chooses tools of a folder by ChatDev's picker entries: `module:All`, `module:function` or a plain name."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ptc_studio.core.errors import UnfitArguments
from ptc_studio.core.tools import Parameter, Ticket, Tool, ToolSpec
from ptc_studio.sources.functions.schema import name_errors
from ptc_studio.sources.schema_tool import SchemaTool, schema_problem


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
        self.spec = spec

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return self._tool.bind(arguments)

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        return self._tool.invoke(arguments, ticket)


class HandwrittenTool(DescribedTool):
    """A tool whose schema a person wrote, which is what arguments are checked by."""

    def __init__(self, tool: Overridable, spec: ToolSpec) -> None:
        super().__init__(tool, spec)
        self._checked = SchemaTool(spec, tool.invoke_unbound)

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        check_names(self.spec, arguments)
        return self._checked.bind(arguments)

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        return self._tool.invoke_unbound(arguments, ticket)


def check_names(spec: ToolSpec, arguments: Mapping[str, Any]) -> None:
    """Refuses missing and unexpected arguments by the schema alone."""
    known: Mapping[str, Any] = spec.parameters.get("properties", {})
    open_ended = bool(spec.parameters.get("additionalProperties"))
    given = [name for name in arguments if name in known or not open_ended or name.startswith("_")]
    errors = name_errors(given, spec.parameters.get("required", ()), list(known))
    if errors:
        raise UnfitArguments(spec.name, "; ".join(errors))


def _check_schema(tool: Overridable, schema: Any) -> None:
    name = tool.spec.name
    properties = schema.get("properties", {}) if isinstance(schema, Mapping) else None
    if not isinstance(schema, Mapping) or not isinstance(properties, Mapping) or schema.get("type") != "object":
        raise ValueError(f"The parameters of {name!r} are no JSON Schema of an object: give type and properties")
    if problem := schema_problem(schema):
        raise ValueError(f"The parameters of {name!r} cannot be used: {problem}")
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


ALL = ":All"
_OVERRIDES = ("description", "parameters", "auto_fill")


@dataclass(frozen=True)
class FunctionPick:
    """One tool of the folder, and where it is from."""

    module: str
    """As `folder/module`."""
    function: str
    tool: Overridable

    @property
    def label(self) -> str:
        return f"{self.module}:{self.function}"


def listing(entries: Iterable[FunctionPick]) -> list[str]:
    """What can be chosen, whole modules first."""
    entries = list(entries)
    return sorted({f"{entry.module}{ALL}" for entry in entries}) + sorted(entry.label for entry in entries)


def select(entries: Sequence[FunctionPick], wanted: Sequence[Any]) -> tuple[Tool, ...]:
    """The tools in the order of the choice; an override counts, also beside its module's `:All`."""
    chosen: dict[str, Tool] = {}
    for choice in map(_normalised, wanted):
        name = choice.pop("name")
        if name.endswith(ALL):
            for entry in _whole_module(entries, name, choice):
                chosen.setdefault(entry.label, entry.tool)
            continue
        entry = _single(entries, name)
        if choice or entry.label not in chosen:
            chosen[entry.label] = overridden(entry.tool, _override(name, choice))
    return tuple(chosen.values())


def _normalised(choice: Any) -> dict[str, Any]:
    entry: dict[str, Any] = dict(choice) if isinstance(choice, Mapping) else {"name": choice}
    name = entry.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"A function entry needs a name, such as 'shop:price': {choice!r}")
    unknown = [key for key in entry if key not in ("name", *_OVERRIDES)]
    if unknown:
        raise ValueError(f"{name!r} has an unknown key {unknown[0]!r}; known are name, {', '.join(_OVERRIDES)}")
    return {**entry, "name": name.strip()}


def _whole_module(entries: Sequence[FunctionPick], name: str, overrides: Mapping[str, Any]) -> list[FunctionPick]:
    if overrides:
        raise ValueError(f"{name!r} cannot override {', '.join(overrides)}: choose the function by its own entry")
    found = [entry for entry in entries if entry.module == name.removesuffix(ALL)]
    if not found:
        raise _unknown(name, sorted({f"{entry.module}{ALL}" for entry in entries}))
    return sorted(found, key=lambda entry: entry.function)


def _single(entries: Sequence[FunctionPick], name: str) -> FunctionPick:
    found = [entry for entry in entries if name in _names(entry)]
    if len(found) > 1:
        raise ValueError(f"{name!r} could be {' or '.join(repr(entry.label) for entry in found)}: choose one of these")
    if not found:
        raise _unknown(name, [known for entry in entries for known in _names(entry)])
    return found[0]


def _names(entry: FunctionPick) -> tuple[str, ...]:
    return (entry.function, entry.label, entry.tool.spec.name, *entry.tool.spec.also)


def _override(name: str, choice: Mapping[str, Any]) -> Override:
    description, parameters, auto_fill = (choice.get(key) for key in _OVERRIDES)
    if description is not None and not isinstance(description, str):
        raise ValueError(f"The description of {name!r} is no text")
    if auto_fill is not None and not isinstance(auto_fill, bool):
        raise ValueError(f"'auto_fill' of {name!r} is neither true nor false")
    if auto_fill is False and parameters is None:
        raise ValueError(f"{name!r} says 'auto_fill: false', so it needs 'parameters'")
    if auto_fill is not False and parameters is not None:
        raise ValueError(f"{name!r} has 'parameters' of its own, so it needs 'auto_fill: false'")
    return Override(description, parameters)


def _unknown(name: str, known: Sequence[str]) -> ValueError:
    close = difflib.get_close_matches(name, known, 1, 0.5)
    hint = f". Did you mean {close[0]!r}?" if close else ""
    return ValueError(f"There is no function {name!r} in the folder{hint}")
