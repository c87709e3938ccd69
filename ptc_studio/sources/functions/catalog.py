"""A folder of Python functions as a source of tools."""

import asyncio
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ptc_studio.core.tools import LoadedTools, LoadError, Tool, ToolSpec, put_off
from ptc_studio.sources.functions import selection
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
from ptc_studio.sources.functions.docstrings import first_paragraph
from ptc_studio.sources.functions.folder_files import folder_error
from ptc_studio.sources.functions.modules import (
    WHOLE,
    ModuleFolder,
    Reach,
    importing,
    load_error,
    quiet_imports,
)


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
        return selection.listing(self._entries())

    def select(self, entries: Sequence[Any]) -> tuple[Tool, ...]:
        """The chosen tools, with their overrides; raises ValueError for an entry that is wrong."""
        return selection.select(self._entries(), entries)

    @abstractmethod
    def _entries(self) -> list[selection.FunctionPick]:
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

    def _entries(self) -> list[selection.FunctionPick]:
        return [selection.FunctionPick(tool.definition.module, tool.definition.name, tool) for tool in self._tools]
