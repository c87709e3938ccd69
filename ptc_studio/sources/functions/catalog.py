"""A folder of Python functions as a source of tools."""

from pathlib import Path

from ptc_studio.core.tools import Loaded, LoadError
from ptc_studio.sources.functions import selection
from ptc_studio.sources.functions.context import Directories, working_directories
from ptc_studio.sources.functions.definitions import FileReading, read_module
from ptc_studio.sources.functions.folder_catalog import FolderCatalog, refuse_on_event_loop
from ptc_studio.sources.functions.folder_files import WHOLE, Reach, folder_fault
from ptc_studio.sources.functions.invocation import FunctionTool, Stdio, Surroundings, unchanged_stdio
from ptc_studio.sources.functions.load_errors import load_error
from ptc_studio.sources.functions.modules import ModuleFolder, importing, quiet_imports
from ptc_studio.sources.functions.naming import by_plain_name, duplicates, spec_of


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
        self._surroundings = Surroundings(directories, stdio)
        self._reach = reach
        self._modules = ModuleFolder(self.folder, reach)
        self._readings: dict[str, FileReading] = {}
        self._tools: tuple[FunctionTool, ...] = ()

    def load(self) -> Loaded:
        """Imports every file, also what was imported before; in a worker thread."""
        refuse_on_event_loop()
        with importing:
            self._modules.close()
            self._modules = ModuleFolder(self.folder, self._reach)
            self._readings = {}
            self._loaded = None
        return self.refresh()

    def refresh(self) -> Loaded:
        """Imports what has changed, and what holds things of it; tools that are not concerned stay the same objects."""
        refuse_on_event_loop()
        with importing:
            fault = folder_fault(self.folder)
            if fault is not None:
                self._readings, self._tools, self._loaded = {}, (), None
                return self._failed(fault)
            files, changed = self._modules.read()
            if self._loaded is None or changed:
                with quiet_imports():
                    self._loaded = self._read(files, changed)
            return self._loaded

    def close(self) -> None:
        """Takes the modules out of the interpreter and ends the async functions' loop."""
        self._modules.close()
        self._surroundings.async_thread.close()

    def _read(self, files: dict[str, Path], changed: set[Path]) -> Loaded:
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

    def _assemble(self, broken: BaseException | None) -> Loaded:
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
            tools.append(known if known and same else FunctionTool(spec, definition, self._surroundings))
        self._tools = tuple(tools)
        return Loaded(self._tools, (*errors, *duplicates(named, self.source)))

    def _entries(self) -> list[selection.Entry]:
        return [selection.Entry(tool.definition.module, tool.definition.name, tool) for tool in self._tools]
