"""The source: one module of the workspace."""

from pathlib import Path

from ptc_studio.core.tools import Loaded
from ptc_studio.sources.entry_source import EntrySource
from ptc_studio.sources.functions.invocation import Stdio, unchanged_stdio
from ptc_studio.sources.wasm.entry import WasmEntry


class WasmSource(EntrySource):
    """The tool of an entry of the kind `wasm`; the file is read again when it changed."""

    def __init__(self, entry: WasmEntry, *, folder: Path, stdio: Stdio = unchanged_stdio) -> None:
        super().__init__(entry.name)
        self._entry = entry
        self._path = folder.resolve() / Path(entry.path).expanduser()
        self._stdio = stdio
        self._stamp: tuple[int, int, int] | None = None

    def changed(self) -> bool:
        return self._stamp != self._stamp_now()

    def load(self) -> Loaded:
        from ptc_studio.sources.wasm.wasm_tool import wasm_tool

        # Before it is read: what is written meanwhile is then seen as a change.
        self._stamp = self._stamp_now()
        return Loaded((wasm_tool(self._entry, self._path, self._stdio),))

    def _stamp_now(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino
