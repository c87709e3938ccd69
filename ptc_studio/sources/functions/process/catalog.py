"""A folder of Python functions as a source of tools that run in processes of their own."""

import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter

from ptc_studio.core.tools import Loaded, LoadError, ToolSpec
from ptc_studio.sources.functions import selection
from ptc_studio.sources.functions.context import Directories, working_directories
from ptc_studio.sources.functions.folder_catalog import FolderCatalog, refuse_on_event_loop
from ptc_studio.sources.functions.folder_files import WHOLE, Reach, Stamp, folder_fault, python_files, stamps_of
from ptc_studio.sources.functions.invocation import Stdio, unchanged_stdio
from ptc_studio.sources.functions.process.channel import Message
from ptc_studio.sources.functions.process.pool import WorkerPool
from ptc_studio.sources.functions.process.tool import ProcessFunctionTool
from ptc_studio.sources.functions.process.worker_process import COMMAND, WorkerEndedError

_SPEC = TypeAdapter(ToolSpec)
_ERRORS = TypeAdapter(tuple[LoadError, ...])
LOAD_SECONDS = 60.0


class ProcessFunctionCatalog(FolderCatalog):
    """Never imports a user's file itself; its workers do."""

    def __init__(
        self,
        folder: Path,
        source: str = "functions",
        *,
        directories: Directories = working_directories,
        stdio: Stdio = unchanged_stdio,
        reach: Reach = WHOLE,
        command: Sequence[str] = COMMAND,
        load_seconds: float = LOAD_SECONDS,
    ) -> None:
        super().__init__(folder, source)
        self._directories = directories
        self._stdio = stdio
        self._load_seconds = load_seconds
        self._reach = reach
        greeting: Message = {
            "op": "load",
            "folder": self.folder,
            "source": source,
            "path": [*filter(None, sys.path)],
            "nested": reach.nested,
            "run_modules": reach.run_modules,
        }
        self._pool = WorkerPool(greeting, command)
        self._lock = threading.Lock()
        self._stamps: dict[Path, Stamp] = {}
        self._tools: tuple[ProcessFunctionTool, ...] = ()

    def load(self) -> Loaded:
        """Has every file imported by a new worker; in a worker thread."""
        refuse_on_event_loop()
        self._loaded = None
        return self.refresh()

    def refresh(self) -> Loaded:
        """Starts over with new workers if any file has changed; tools with the same spec stay the same objects."""
        refuse_on_event_loop()
        with self._lock:
            fault = folder_fault(self.folder)
            if fault is not None:
                self._tools, self._loaded = (), None
                return self._failed(fault)
            stamps = stamps_of(python_files(self.folder, nested=self._reach.nested))
            if self._loaded is None or stamps != self._stamps:
                self._stamps = stamps
                self._loaded = self._describe()
            return self._loaded

    def close(self) -> None:
        """Ends all workers."""
        self._pool.close()

    def _describe(self) -> Loaded:
        self._pool.renew()
        worker = self._pool.take()
        watch = threading.Timer(self._load_seconds, worker.kill)
        watch.daemon = True
        watch.start()
        try:
            found = self._pool.load(worker)
        except WorkerEndedError as ended:
            self._tools = ()
            return self._failed(
                f"Loading the folder ended its process ({ended}): look for a file that hangs or crashes."
            )
        finally:
            watch.cancel()
            self._pool.give_back(worker)
        before = {(tool.module, tool.function): tool for tool in self._tools}
        self._tools = tuple(self._tool(described, before) for described in found["tools"])
        return Loaded(self._tools, _ERRORS.validate_python(found["errors"]))

    def _tool(self, described: Message, before: dict[tuple[str, str], ProcessFunctionTool]) -> ProcessFunctionTool:
        spec = _SPEC.validate_python(described["spec"])
        known = before.get((described["module"], described["function"]))
        if known is not None and known.spec == spec and known.takes_any == described["takes_any"]:
            return known
        return ProcessFunctionTool(described, spec, self._pool, self._directories, self._stdio)

    def _entries(self) -> list[selection.Entry]:
        return [selection.Entry(tool.module, tool.function, tool) for tool in self._tools]
