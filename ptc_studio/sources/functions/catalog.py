"""A folder of Python functions as a source of tools, and which of them are chosen."""

import asyncio
import difflib
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from ptc_studio.core.errors import UnfitArguments
from ptc_studio.core.tools import LoadedTools, LoadError, Parameter, Ticket, Tool, ToolSpec, put_off
from ptc_studio.sources.functions.context import Directories, working_directories
from ptc_studio.sources.functions.definitions import (
    CallEnvironment,
    FileReading,
    FunctionDefinition,
    FunctionTool,
    Stdio,
    read_module,
    unchanged_stdio,
)
from ptc_studio.sources.functions.folder_files import folder_error
from ptc_studio.sources.functions.modules import WHOLE, ModuleFolder, Reach, importing, load_error, quiet_imports
from ptc_studio.sources.functions.schema import first_paragraph, name_errors
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


class FolderCatalog(ABC):
    """The tools of one folder."""

    def __init__(self, folder: Path, source: str) -> None:
        self.folder = folder.absolute()
        self.source = source
        self._loaded: LoadedTools | None = None

    @abstractmethod
    def load(self) -> LoadedTools:
        """Has every file imported, also what was imported before; in a worker thread."""

    @abstractmethod
    def refresh(self) -> LoadedTools:
        """The tools as the files are now; those that stay the same are the same objects."""

    @abstractmethod
    def close(self) -> None:
        """Ends what was started for the folder."""

    def listing(self) -> list[str]:
        """What can be chosen: `module:All` entries, then `module:function`."""
        return listing(self._entries())

    def select(self, entries: Sequence[Any]) -> tuple[Tool, ...]:
        """The chosen tools, with their overrides; raises ValueError for an entry that is wrong."""
        return select(self._entries(), entries)

    @abstractmethod
    def _entries(self) -> list[FunctionPick]:
        """Every tool, and where it is from."""

    def _failed(self, message: str) -> LoadedTools:
        """No tools, and why there are none."""
        return LoadedTools(errors=(LoadError(self.source, str(self.folder), None, message),))


def refuse_on_event_loop() -> None:
    """A user's file may take any time to import, and the window would stand still."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("A functions folder must not be loaded on an event loop's thread: use a worker thread.")


def by_plain_name(definitions: Iterable[FunctionDefinition]) -> dict[str, list[FunctionDefinition]]:
    """The functions that share a name."""
    named: dict[str, list[FunctionDefinition]] = defaultdict(list)
    for definition in definitions:
        named[definition.name].append(definition)
    return named


def spec_of(definition: FunctionDefinition, unique: bool, source: str) -> ToolSpec:
    """The tool's spec; a name that is not unique in the folder goes with its module."""
    return ToolSpec(
        definition.name if unique else definition.dotted,
        first_paragraph(definition.doc),
        put_off(lambda: definition.shape.parameters),
        source,
        definition.shape.signature,
        definition.doc,
        (definition.dotted,) if unique else (),
        f"{definition.file}:{definition.line}",
    )


def duplicates(named: Mapping[str, list[FunctionDefinition]], source: str) -> Iterator[LoadError]:
    """One error a name, at the place where it was taken last."""
    for name, found in named.items():
        if len(found) < 2:
            continue
        places = _listed(definition.location for definition in found)
        names = _listed(definition.dotted for definition in found)
        message = f"{name!r} is defined in {places}; call them {names}"
        yield LoadError(source, str(found[-1].file), found[-1].line, message)


def _listed(items: Iterable[str]) -> str:
    *most, last = items
    return f"{', '.join(most)} and {last}"


class FunctionCatalog(FolderCatalog):
    """Imports the functions into this process."""

    def __init__(
        self,
        folder: Path,
        source: str = "functions",
        *,
        directories: Directories = working_directories,
        stdio: Stdio = unchanged_stdio,
        reach: Reach = WHOLE,
    ) -> None:
        super().__init__(folder, source)
        self._environment = CallEnvironment(directories, stdio)
        self._reach = reach
        self._modules = ModuleFolder(self.folder, reach)
        self._readings: dict[str, FileReading] = {}
        self._tools: tuple[FunctionTool, ...] = ()

    def load(self) -> LoadedTools:
        """Imports every file, also what was imported before; in a worker thread."""
        refuse_on_event_loop()
        with importing:
            self._modules.close()
            self._modules = ModuleFolder(self.folder, self._reach)
            self._readings = {}
            self._loaded = None
        return self.refresh()

    def refresh(self) -> LoadedTools:
        """Imports what has changed, and what holds things of it; tools that are not concerned stay the same objects."""
        refuse_on_event_loop()
        with importing:
            error = folder_error(self.folder)
            if error is not None:
                self._readings, self._tools, self._loaded = {}, (), None
                return self._failed(error)
            files, changed = self._modules.read()
            if self._loaded is None or changed:
                with quiet_imports():
                    self._loaded = self._read(files, changed)
            return self._loaded

    def close(self) -> None:
        """Takes the modules out of the interpreter and ends the async functions' loop."""
        self._modules.close()
        self._environment.async_thread.close()

    def _read(self, files: dict[str, Path], changed: set[Path]) -> LoadedTools:
        stale = self._modules.forget_stale(changed)
        kept = {name: self._readings[name] for name in files if name in self._readings}
        kept = {name: reading for name, reading in kept.items() if self._modules.full_name(name) not in stale}
        broken = self._modules.open()
        self._readings = {name: kept.get(name) or self._read_file(name, file) for name, file in files.items()}
        return self._assemble(broken)

    def _read_file(self, name: str, file: Path) -> FileReading:
        if "." in name:
            message = f"A file name with a dot in it cannot be imported: rename {file.name!r}."
            return FileReading(errors=(LoadError(self.source, str(file), None, message),))
        try:
            return read_module(self.source, name, file, self._modules.load(name))
        except BaseException as error:  # noqa: BLE001 - a user's file may raise anything, even SystemExit
            return FileReading(errors=(load_error(self.source, self.folder, file, error),))

    def _assemble(self, broken: BaseException | None) -> LoadedTools:
        definitions = [definition for reading in self._readings.values() for definition in reading.definitions]
        errors = [error for reading in self._readings.values() for error in reading.errors]
        if broken is not None:
            errors.insert(0, load_error(self.source, self.folder, self.folder / "__init__.py", broken))
        named = by_plain_name(definitions)
        before = {tool.definition: tool for tool in self._tools}
        tools: list[FunctionTool] = []
        for definition in definitions:
            spec = spec_of(definition, len(named[definition.name]) == 1, self.source)
            known = before.get(definition)
            same = known is not None and known.spec.name == spec.name
            tools.append(known if known and same else FunctionTool(spec, definition, self._environment))
        self._tools = tuple(tools)
        return LoadedTools(self._tools, (*errors, *duplicates(named, self.source)))

    def _entries(self) -> list[FunctionPick]:
        return [FunctionPick(tool.definition.module, tool.definition.name, tool) for tool in self._tools]
