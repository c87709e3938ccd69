"""WebAssembly: modules that call tools, as scripts here and as tools elsewhere (see runtimes/wasm/README.md)."""

from ptc_studio.runtimes.wasm.runtime import WasmRuntime

__all__ = ["WasmRuntime"]
