"""Makes machine code of modules, within the bounds that they will have."""

import re
from dataclasses import dataclass

from wasmtime import Config, Engine, FuncType, MemoryType, Module
from wasmtime import WasmtimeError as EngineError

from ptc_studio.gateway.wasm.ends import ModuleRefused

MEBIBYTE = 1 << 20
_CAUSE = re.compile(r"^ +(?:\d+: )?(?:wasm trap: )?(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class GuestBounds:
    """How much a module may use."""

    memory_bytes: int = 512 * MEBIBYTE
    stack_bytes: int = MEBIBYTE
    fuel: int | None = None
    """About as many instructions; None: as many as it has time for."""


class CompiledModule:
    """A module that was compiled once, to be used any number of times, by any thread."""

    def __init__(self, module: bytes, bounds: GuestBounds | None = None) -> None:
        self.bounds = bounds or GuestBounds()
        engine = engine_for(self.bounds)
        try:
            made = compiled(engine, module)
            self._code = bytes(made.serialize())
            self.imports = tuple((one.module, one.name or "") for one in made.imports)
            self.functions = {
                one.name or "": shape_of(one.type) for one in made.exports if isinstance(one.type, FuncType)
            }
            """What it exports, with the kinds of parameters and results as `shape_of` has them."""
            self.has_memory = any(one.name == "memory" and isinstance(one.type, MemoryType) for one in made.exports)
            made.close()
        finally:
            engine.close()

    def taken_up(self, engine: Engine) -> Module:
        """The module for an engine with the same bounds."""
        return Module.deserialize(engine, self._code)


def engine_for(bounds: GuestBounds) -> Engine:
    """An engine whose modules can be interrupted, and whose instructions are counted where they are bounded."""
    config = Config()
    config.epoch_interruption = True
    config.max_wasm_stack = bounds.stack_bytes
    config.consume_fuel = bounds.fuel is not None
    return Engine(config)


def compiled(engine: Engine, module: bytes) -> Module:
    """The module for the engine; raises ModuleRefused."""
    try:
        return Module(engine, module)
    except EngineError as error:
        raise _refusal(str(error)) from None


def shape_of(kind: FuncType) -> str:
    """The kind of a function: `(i32, i32) -> i64`."""
    results = ", ".join(map(str, kind.results)) or "nothing"
    return f"({', '.join(map(str, kind.params))}) -> {results}"


def cause_in(text: str) -> str:
    """The innermost cause in what the engine says."""
    _, mark, causes = text.partition("Caused by:\n")
    found = _CAUSE.findall(causes.rstrip()) if mark else []
    return found[-1] if found else text.strip()


def _refusal(text: str) -> ModuleRefused:
    function = re.search(r"function\[(\d+)\]", text)
    return ModuleRefused(re.sub(r"^.* at offset \w+: ", "", cause_in(text)), int(function[1]) if function else None)
