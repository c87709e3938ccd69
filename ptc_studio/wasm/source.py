"""The source: one module of the workspace."""

from pathlib import Path

from ptc_studio.core.tools import Tool
from ptc_studio.sources.entry_source import FileSource
from ptc_studio.sources.functions.invocation import Stdio, unchanged_stdio
from ptc_studio.wasm.entry import WasmEntry
from ptc_studio.wasm.tool import ModuleFailed


class WasmSource(FileSource):
    """The tool of an entry of the kind `wasm`."""

    def __init__(self, entry: WasmEntry, *, folder: Path, stdio: Stdio = unchanged_stdio) -> None:
        super().__init__(entry.name, folder, entry.path)
        self._entry = entry
        self._stdio = stdio

    def _tool(self) -> Tool:
        from ptc_studio.wasm.tool import wasm_tool

        return wasm_tool(self._entry, self._path, self._stdio)


__all__ = ["ModuleFailed", "WasmEntry", "WasmSource"]
