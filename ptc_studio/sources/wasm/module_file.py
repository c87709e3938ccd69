"""Reads modules from files and compiles them, each content once."""

import functools
import re
from pathlib import Path

from wasmtime import WasmtimeError as EngineError
from wasmtime import wat2wasm

from ptc_studio.bounded_files import read_bytes
from ptc_studio.gateway.wasm import tool_imports, wasi
from ptc_studio.gateway.wasm.compiled_module import CompiledModule, GuestBounds
from ptc_studio.gateway.wasm.ends import ModuleRefused

MAGIC = b"\0asm"
MOST_BYTES = 100_000_000
EXPORTS = {"allocate": "(i32) -> i32", "run": "(i32, i32) -> i64"}
_PLACE = re.compile(r"--> <anon>:(\d+)")


class UnusableModule(Exception):
    """The file is no module that can be a tool; the message says why, as the end of a sentence."""


def read_module(path: Path, bounds: GuestBounds) -> CompiledModule:
    """The module of the file, checked for what a tool must have."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise UnusableModule(f"it has {size} bytes, more than {MOST_BYTES}: make it smaller")
        content = read_bytes(path, MOST_BYTES)
    except FileNotFoundError:
        raise UnusableModule("there is no such file: correct the `path`") from None
    except IsADirectoryError:
        raise UnusableModule("it is a folder: name a file in it") from None
    except OSError as error:
        raise UnusableModule(f"{error.strerror}: correct the `path`, or the file's permissions") from None
    return _compiled(content, bounds)


@functools.lru_cache(maxsize=32)
def _compiled(content: bytes, bounds: GuestBounds) -> CompiledModule:
    try:
        module = CompiledModule(content if content.startswith(MAGIC) else _assembled(content), bounds)
    except ModuleRefused as error:
        raise UnusableModule(f"it is no valid module: {error}") from None
    _check(module)
    return module


def _assembled(content: bytes) -> bytes:
    try:
        return bytes(wat2wasm(content.decode("utf-8-sig")))
    except UnicodeDecodeError:
        raise UnusableModule("it is neither a compiled module nor a text in UTF-8: build it again") from None
    except EngineError as error:
        place = _PLACE.search(str(error))
        where = f" (line {place[1]})" if place else ""
        raise UnusableModule(f"it is no valid module: {str(error).splitlines()[0]}{where}") from None


def _check(module: CompiledModule) -> None:
    if not module.has_memory:
        raise UnusableModule("it exports no memory: export one named `memory`")
    for name, shape in EXPORTS.items():
        found = module.functions.get(name)
        if found != shape:
            what = f"its `{name}` is {found}" if found else f"it exports no `{name}`"
            raise UnusableModule(f"{what}: export a function `{name}` that is {shape}")
    for space, name in module.imports:
        if space not in (tool_imports.NAMESPACE, wasi.NAMESPACE):
            raise UnusableModule(f"it imports {space}.{name}, which nobody offers: build it without")
