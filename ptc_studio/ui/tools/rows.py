"""What the tool panel shows of tools, aliases and failures: plain values, made from the registry; knows no Qt."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from ptc_studio.core.registry import EVERYTHING, Registry, identifier
from ptc_studio.core.tools import LoadError, Parameter, Permission, ToolSpec
from ptc_studio.sources.kinds import KINDS
from ptc_studio.ui.calls.code import skeleton
from ptc_studio.ui.language.names import PLAIN
from ptc_studio.ui.language.target_calls import TargetCalls

WORDS = {"ready": "ready", "failed": "failed", "restarting": "restarting", "closed": "closed"}
MARKS = {"ready": "✓", "failed": "✕", "restarting": "▲", "closed": "▲"}
TONES = {"ready": "ok", "failed": "error", "restarting": "warning", "closed": "muted"}
"""Names of colours."""
LEAD = 60
"""A sentence that names its source does so within so many characters."""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source as it is shown."""

    name: str
    kind: str = "functions"
    state: str = "ready"
    detail: str = ""
    """Why it failed, or what is going on, in a sentence."""
    file: str = ""
    line: int | None = None
    """Where it stands in the workspace file; None if it does not."""
    permission: Permission | None = None
    """What it says for its tools."""
    loaded_source: Any = field(default=None, compare=False, repr=False)
    """What is handed to whoever edits, reloads or removes it."""

    @property
    def waits(self) -> bool:
        """Whether it is still to be seen what it brings."""
        return self.state in ("new", "loading")

    @property
    def mark(self) -> str:
        return MARKS.get(self.state, "◐")

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "accent")

    @property
    def word(self) -> str:
        return WORDS.get(self.state, "loading")

    @property
    def badge(self) -> str:
        """A short word for its kind; none for a folder of functions."""
        return KINDS[self.kind].badge

    @property
    def is_written(self) -> bool:
        """Whether it stands in the workspace file, and can be edited there."""
        return self.line is not None

    @property
    def brief(self) -> str:
        """What there is to say in the row itself, without the name, which stands before it."""
        if self.state == "ready":
            return ""
        if self.state == "restarting":
            return self.detail.rpartition(". ")[2] or "restarting"
        named = self.detail.find(repr(self.name), 0, LEAD)
        rest = self.detail[named + len(repr(self.name)) :] if named >= 0 else self.detail
        return rest.lstrip(" :,") or self.word

    @property
    def location(self) -> str:
        """`studio.yaml, line 7`; empty if it stands in no file."""
        return f"{PurePath(self.file).name}, line {self.line}" if self.line is not None else ""


def source_rows(loaded_sources: Iterable[Any]) -> tuple[SourceRow, ...]:
    """The sources as they are at this moment."""
    return tuple(_row(loaded_source) for loaded_source in loaded_sources)


def _row(loaded_source: Any) -> SourceRow:
    status = loaded_source.status
    entry, location = loaded_source.entry, loaded_source.location
    return SourceRow(
        loaded_source.name,
        entry.kind,
        status.state,
        status.detail,
        location.file,
        location.line,
        entry.permission,
        loaded_source,
    )


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """One parameter of a tool."""

    name: str
    type: str = ""
    required: bool = True
    default: str = ""
    """As it is written in a script."""
    description: str = ""


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A tool as it is shown."""

    name: str
    source: str
    module: str = ""
    """The group within the source; empty: none."""
    description: str = ""
    parameters: tuple[ParameterRow, ...] = ()
    permission: Permission = "allow"
    file: str = ""
    line: int = 0
    target: str = ""
    """For an alias, the tool that it leads to."""
    enabled: bool = True
    """Whether an alias is switched on."""
    fault: str = ""
    """Why an alias does not work."""
    permission_by: str = ""
    """Who says so, such as `source 'github'`; empty for the default."""

    @property
    def own_permission(self) -> Permission | None:
        """What is said of this very tool or alias; None where something around it decides."""
        own = f"{'alias' if self.target else 'tool'} {self.name!r}"
        return self.permission if self.permission_by == own else None

    @property
    def is_callable(self) -> bool:
        return self.enabled and not self.fault

    @property
    def brief_fault(self) -> str:
        """Why it does not work, without the name, which stands before it."""
        return self.fault.removeprefix(f"The alias {self.name!r} ")

    @property
    def call(self) -> str:
        """The text of a call with a place for every argument that is needed."""
        needed = ", ".join(f"{parameter.name}=" for parameter in self.parameters if parameter.required)
        return f"{identifier(self.name)}({needed})"

    def call_in(self, language: str, calls: "TargetCalls | None" = None) -> str:
        """The same in another language, or as the target wants it where the script is going."""
        if calls is not None:
            return calls.call(self.name, [parameter.name for parameter in self.parameters if parameter.required])
        if language in ("python", PLAIN):
            return self.call
        return skeleton(self.name, [parameter.name for parameter in self.parameters if parameter.required], language)


@dataclass(frozen=True, slots=True)
class AliasState:
    """An alias as the workspace file has it, whether it can be called or not."""

    name: str
    tool: str
    description: str = ""
    enabled: bool = True
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """Something that did not load."""

    source: str
    file: str
    line: int | None
    message: str
    script: bool = False
    """Whether nothing is wrong with it: it is a script, and left for Run."""
    note: str = ""
    """What it is, where it did load."""

    @property
    def title(self) -> str:
        if self.note:
            return self.note
        name = PurePath(self.file).name or self.source
        return f"{name} is a script" if self.script else f"{name} did not load"


@dataclass(frozen=True, slots=True)
class ToolRows:
    """All that the panel shows."""

    tools: tuple[ToolRow, ...] = ()
    aliases: tuple[ToolRow, ...] = ()
    errors: tuple[ErrorRow, ...] = ()
    sources: tuple[SourceRow, ...] = ()

    @property
    def names(self) -> set[str]:
        """Of all tools and aliases."""
        return {row.name for row in (*self.tools, *self.aliases)}


class RowMaker:
    """Makes rows of the registry; a tool that is the same as the last time keeps its row."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[ToolSpec, ToolRow]] = {}

    def rows(
        self,
        registry: Registry,
        errors: Iterable[LoadError],
        sources: Sequence[SourceRow] = (),
        written: Sequence[AliasState] = (),
    ) -> ToolRows:
        """Everything as it is now, with the aliases that are `written` in the file and cannot be called.

        One look at the registry: other threads change it meanwhile.
        """
        targets = registry.targets(EVERYTHING)
        known: dict[int, tuple[ToolSpec, ToolRow]] = {}
        tools: list[ToolRow] = []
        aliases: list[ToolRow] = []
        for target in targets:
            spec = target.spec
            row = self._row(spec, target.alias.tool if target.alias else "")
            # The spec is kept beside its row: else another one might come to have its id.
            known[id(spec)] = (spec, row)
            (aliases if target.alias else tools).append(row)
        self._known = known
        told = {(source.name, source.detail) for source in sources if source.state == "failed"}
        idle, beside = _idle(written, errors := tuple(errors))
        failed = tuple(
            ErrorRow(e.source, e.file, e.line, e.message, e.script, e.title)
            for e in errors
            if (e.source, e.message) not in told and e not in beside
        )
        aliases = sorted((*aliases, *idle), key=lambda row: row.name)
        return ToolRows(tuple(tools), tuple(aliases), failed, tuple(sources))

    def _row(self, spec: ToolSpec, target: str) -> ToolRow:
        known = self._known.get(id(spec))
        return known[1] if known is not None and known[0] is spec else _tool_row(spec, target)


def rows_from(registry: Registry, errors: Iterable[LoadError], sources: Sequence[SourceRow] = ()) -> ToolRows:
    """The registry as rows."""
    return RowMaker().rows(registry, errors, sources)


def _idle(written: Sequence[AliasState], errors: Sequence[LoadError]) -> tuple[list[ToolRow], set[LoadError]]:
    """The aliases that are off or broken, and the errors that are told beside them."""
    faults = {error.line: error for error in errors if error.source == "aliases" and error.line is not None}
    rows: list[ToolRow] = []
    told: set[LoadError] = set()
    for alias in written:
        error = faults.get(alias.line) if alias.line is not None else None
        if error is None and alias.enabled:
            continue
        fault, file = (error.message, error.file) if error is not None else ("", "")
        if error is not None:
            told.add(error)
        rows.append(
            ToolRow(
                alias.name,
                "aliases",
                description=alias.description,
                file=file,
                line=(alias.line or 0) if file else 0,
                target=alias.tool,
                enabled=alias.enabled,
                fault=fault,
            )
        )
    return rows, told


def _tool_row(spec: ToolSpec, target: str = "") -> ToolRow:
    file, line = _location(spec.origin)
    return ToolRow(
        spec.name,
        spec.source,
        _module(spec),
        spec.doc or spec.description,
        tuple(_parameters(spec)),
        spec.permission,
        file,
        line,
        target,
        permission_by=spec.permission_by,
    )


def _location(origin: str) -> tuple[str, int]:
    file, _, line = origin.rpartition(":")
    return (file, int(line)) if file and line.isdecimal() else (origin, 0)


def _module(spec: ToolSpec) -> str:
    dotted = next((name for name in (spec.name, *spec.also) if "." in name), "")
    module = dotted.rpartition(".")[0]
    # The source's own name is on the source's line already.
    return "" if module == spec.source else module.removeprefix(f"{spec.source}.")


def _parameters(spec: ToolSpec) -> list[ParameterRow]:
    properties: Mapping[str, Any] = spec.parameters.get("properties", {})
    required = spec.parameters.get("required", ())
    signature = spec.signature or tuple(
        Parameter(name, name in required, part.get("default")) for name, part in properties.items()
    )
    return [_parameter(parameter, properties.get(parameter.name, {})) for parameter in signature]


def _parameter(parameter: Parameter, schema: Mapping[str, Any]) -> ParameterRow:
    default = "" if parameter.required else _literal(parameter.default)
    kind = parameter.annotation or _type(schema)
    return ParameterRow(parameter.name, kind, parameter.required, default, schema.get("description", ""))


def _literal(value: Any) -> str:
    """A JSON value as Python writes it, with the quotes that people use."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _type(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(_literal, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(_type(part) for part in schema["anyOf"])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if schema.get("type") == "array" and schema.get("items"):
        return f"array[{_type(schema['items'])}]"
    kind = schema.get("type", "any")
    return " | ".join(kind) if isinstance(kind, list) else str(kind)
