"""A folder of functions as one of the workspace's sources."""

import threading
from collections.abc import Callable
from pathlib import Path

from ptc_studio.core.tools import LoadedTools
from ptc_studio.sources.functions.catalog import FunctionCatalog
from ptc_studio.sources.functions.context import Directories, working_directories
from ptc_studio.sources.functions.definitions import Stdio, unchanged_stdio
from ptc_studio.sources.functions.entry import FunctionsEntry
from ptc_studio.sources.functions.modules import Reach
from ptc_studio.sources.functions.process_catalog import ProcessFunctionCatalog
from ptc_studio.sources.source import Listeners, SourceFailed, Status


class FunctionsSource:
    """The functions of the folder that the entry chooses; files are read again when they changed."""

    def __init__(
        self,
        entry: FunctionsEntry,
        *,
        folder: Path,
        directories: Directories = working_directories,
        stdio: Stdio = unchanged_stdio,
    ) -> None:
        kind = ProcessFunctionCatalog if entry.isolation == "process" else FunctionCatalog
        path = (folder / entry.path).resolve()
        reach = Reach(entry.nested, entry.run_modules)
        self.catalog = kind(path, entry.name, directories=directories, stdio=stdio, reach=reach)
        self._entry = entry
        self._lock = threading.Lock()
        self._status = Status()
        self._brought: tuple[LoadedTools, LoadedTools] | None = None
        self._listeners = Listeners(f"source {entry.name!r}")

    @property
    def status(self) -> Status:
        return self._status

    def refresh(self) -> LoadedTools:
        with self._lock:
            if self._brought is None:
                self._set(Status("loading"))
            read = self.catalog.refresh()
            if self._brought is None or self._brought[0] is not read:
                self._brought = (read, self._chosen(read))
            self._set(Status("ready"))
            return self._brought[1]

    def reload(self) -> None:
        """Imports everything anew at the next look."""
        with self._lock:
            self._brought = None
            self.catalog.load()

    def listen(self, changed: Callable[[], None]) -> None:
        self._listeners.add(changed)

    def close(self) -> None:
        self.catalog.close()
        self._set(Status("closed"))

    def _chosen(self, read: LoadedTools) -> LoadedTools:
        if not self._entry.tools:
            return read
        try:
            return LoadedTools(self.catalog.select(self._entry.tools), read.errors)
        except ValueError as error:
            self._set(Status("failed", str(error)))
            raise SourceFailed(str(error)) from None

    def _set(self, status: Status) -> None:
        if status != self._status:
            self._status = status
            self._listeners.notify()
