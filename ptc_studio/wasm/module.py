"""A WebAssembly module at work: its memory, what the host offers it, its bounds, and how it is stopped.

Knows nothing of scripts and runs, so that whatever executes modules can use it.
"""

import functools
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from wasmtime import (
    Config,
    Engine,
    Func,
    FuncType,
    Global,
    Instance,
    Memory,
    MemoryType,
    Module,
    Store,
    Trap,
    TrapCode,
    ValType,
)
from wasmtime import WasmtimeError as EngineError


class ModuleRefused(Exception):
    """No valid module, or one that wants what is not offered; `function` is the number of the faulty one."""

    def __init__(self, message: str, function: int | None = None) -> None:
        super().__init__(message)
        self.function = function


class GuestError(Exception):
    """The module handed over something impossible, such as a place outside of its memory."""


class Trapped(Exception):
    """The module did what it must not; `stack` names its functions, innermost first."""

    def __init__(self, message: str, stack: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.stack = stack


class Interrupted(Trapped):
    """It was stopped from outside."""


class Exited(Exception):
    """It asked to end, with a status."""

    def __init__(self, status: int) -> None:
        super().__init__(f"the module ended with status {status}")
        self.status = status


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


STOPPED = "The module was stopped."
T = TypeVar("T")
_TYPES = {"i": ValType.i32, "I": ValType.i64, "F": ValType.f64}


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A function of the host's. Types by letter: i and I for integers of 32 and 64 bits, F for a float of 64."""

    function: Callable[..., Any]
    parameters: str
    result: str = ""


class GuestModule:
    """One instance of one module. Used by one thread at a time; `interrupt` may be called from any."""

    def __init__(self, module: bytes | CompiledModule, bounds: GuestBounds | None = None) -> None:
        ready = isinstance(module, CompiledModule)
        self._bounds = module.bounds if ready else bounds or GuestBounds()
        # An engine of its own: its epoch then concerns nobody else.
        self._engine = engine_for(self._bounds)
        try:
            self._module = module.taken_up(self._engine) if ready else compiled(self._engine, module)
        except BaseException:
            self._engine.close()
            raise
        self._store = Store(self._engine)
        if self._bounds.fuel is not None:
            self._store.set_fuel(self._bounds.fuel)
        self._store.set_limits(self._bounds.memory_bytes, table_elements=1 << 20, instances=1, tables=16, memories=1)
        self._store.set_epoch_deadline(1)
        self._instance: Instance | None = None
        self._memory: Memory | None = None
        self._departure: BaseException | None = None
        self._closing = threading.Lock()
        self.closed = False
        self.interrupted = threading.Event()

    def start(
        self, offers: Mapping[tuple[str, str], HostFunction], otherwise: Callable[[str, str], Any] | None = None
    ) -> None:
        """Gives the module what it imports. `otherwise` may give a result for functions that are not offered."""
        imports = [self._imported(wanted, offers, otherwise) for wanted in self._module.imports]
        self._instance = self._guarded(lambda: Instance(self._store, self._module, imports))
        self._find_memory(self._exported("memory"))

    def exports(self, name: str) -> bool:
        """Whether the module has a function of that name."""
        return isinstance(self._exported(name), Func)

    def call(self, name: str, *arguments: Any) -> Any:
        """Calls an exported function. Raises Trapped, Exited, or what made a function of the host's end it."""
        function = self._exported(name)
        assert isinstance(function, Func)
        wanted = len(function.type(self._store).params)
        # What an entry expects beyond what it is given, such as a count of arguments, is none.
        given = (*arguments, *[0] * (wanted - len(arguments)))[:wanted]
        return self._guarded(lambda: function(self._store, *given))

    def global_value(self, name: str) -> Any:
        """What an exported global variable holds; None if there is none."""
        found = self._exported(name)
        return found.value(self._store) if isinstance(found, Global) else None

    def check(self, start: int, length: int) -> None:
        """Raises GuestError if that is no place in the module's memory."""
        self._location(start, length)

    def read(self, start: int, length: int) -> bytes:
        """Bytes of the module's memory."""
        memory, start, length = self._location(start, length)
        return bytes(memory.read(self._store, start, start + length))

    def write(self, start: int, data: bytes) -> None:
        """Puts bytes into the module's memory."""
        memory, start, _ = self._location(start, len(data))
        if data:
            memory.write(self._store, data, start)

    @property
    def is_full(self) -> bool:
        """Whether its memory can hardly grow any more."""
        used = self._memory.data_len(self._store) if self._memory else 0
        return used + MEBIBYTE > self._bounds.memory_bytes

    def leave(self, reason: BaseException) -> None:
        """Called in a function of the host's: the module ends at its next step, and `call` raises the reason."""
        # Not by an exception: the bindings keep one for all threads, which might get another's.
        if self._departure is None:
            self._departure = reason
        self._store.set_epoch_deadline(0)

    def interrupt(self) -> None:
        """Stops the module within a moment, also in an endless loop; from any thread."""
        with self._closing:
            self.interrupted.set()
            if not self.closed:
                self._engine.increment_epoch()

    def close(self) -> None:
        """Gives back all that the module used."""
        with self._closing:
            self.closed = True
            self._instance = self._memory = None
            for thing in (self._store, self._module, self._engine):
                thing.close()

    def _exported(self, name: str) -> Any:
        return self._instance.exports(self._store).get(name) if self._instance else None

    def _find_memory(self, exported: Any) -> None:
        self._memory = exported if isinstance(exported, Memory) else None

    def _location(self, start: int, length: int) -> tuple[Memory, int, int]:
        # Numbers of 32 bits come with a sign, which places do not have.
        start, length = start & 0xFFFFFFFF, length & 0xFFFFFFFF
        if self._memory is None:
            raise GuestError("The module exports no memory named 'memory'.")
        if start + length > self._memory.data_len(self._store):
            raise GuestError(f"The module gave a place outside of its memory: {length} bytes at {start}.")
        return self._memory, start, length

    def _imported(self, wanted: Any, offers: Mapping[tuple[str, str], HostFunction], otherwise: Any) -> Func:
        name = (wanted.module, wanted.name or "")
        offer = offers.get(name)
        if not isinstance(wanted.type, FuncType):
            raise ModuleRefused(
                f"The module imports {name[0]}.{name[1]}, which is no function; only functions are offered."
            )
        if offer is None:
            if otherwise is None or (result := otherwise(*name)) is None:
                raise ModuleRefused(f"The module imports {name[0]}.{name[1]}, which nobody offers.")
            return self._function(wanted.type, lambda *_: result)
        offered = FuncType(
            [_TYPES[letter]() for letter in offer.parameters], [_TYPES[letter]() for letter in offer.result]
        )
        if shape_of(offered) != shape_of(wanted.type):
            raise ModuleRefused(
                f"The module imports {name[0]}.{name[1]} as {shape_of(wanted.type)}; it is {shape_of(offered)}."
            )
        return self._function(offered, offer.function)

    def _function(self, kind: FuncType, function: Callable[..., Any]) -> Func:
        nothing = 0 if kind.results else None

        @functools.wraps(function)
        def guarded(caller: Any, *given: Any) -> Any:
            if self._departure is not None:
                return nothing
            if self._memory is None:
                # It is the module's start that calls, which comes before everything else.
                self._find_memory(caller.get("memory"))
            try:
                result = function(*given)
                if self.interrupted.is_set():
                    raise Interrupted(STOPPED)
                return result
            except BaseException as reason:  # noqa: BLE001 - it is raised again behind the module
                self.leave(reason)
                return nothing

        return Func(self._store, kind, guarded, access_caller=True)

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            result = work()
        except (Trap, EngineError) as error:
            if self._departure is not None:
                raise self._departure from None
            raise self._trapped(error) from None
        if self._departure is not None:
            raise self._departure
        return result

    def _trapped(self, error: Trap | EngineError) -> Exception:
        if not isinstance(error, Trap):
            return Trapped(cause_in(str(error)))
        stack = tuple(frame.func_name or f"function {frame.func_index}" for frame in error.frames)
        if error.trap_code is TrapCode.INTERRUPT:
            return Interrupted(STOPPED, stack)
        if error.trap_code is TrapCode.OUT_OF_FUEL:
            return Trapped(f"it used up its fuel of {self._bounds.fuel} instructions", stack)
        return Trapped(cause_in(error.message), stack)
