"""WebAssembly modules that call tools: what scripts and tools of that kind share (see runtimes/wasm/README.md)."""
