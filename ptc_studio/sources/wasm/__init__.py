"""Tools that are WebAssembly modules (see runtimes/wasm/README.md for what such a module exports and imports)."""

from ptc_studio.sources.wasm.entry import WasmEntry
from ptc_studio.sources.wasm.errors import ModuleFailed
from ptc_studio.sources.wasm.source import WasmSource

__all__ = ["ModuleFailed", "WasmEntry", "WasmSource"]
