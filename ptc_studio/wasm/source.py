"""A module of the workspace as a tool: a fresh instance for every call, stopped as soon as nobody waits for it."""

import codecs
import contextlib
import functools
import re
import sys
from pathlib import Path
from typing import Any

from wasmtime import WasmtimeError as EngineError
from wasmtime import wat2wasm

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core import codec
from ptc_studio.core.calls import Call, CallRequest
from ptc_studio.core.run import RunPart
from ptc_studio.core.tools import Ticket, Tool, ToolSpec
from ptc_studio.sources.functions.definitions import Stdio, unchanged_stdio
from ptc_studio.sources.schema_tool import (
    SchemaTool,
    UnfitParameters,
    declared_schema,
    signature_of,
    twin_of,
    with_defaults,
)
from ptc_studio.sources.source import FileSource, SourceFailed
from ptc_studio.wasm.entry import WasmEntry
from ptc_studio.wasm.imports import (
    TOOLS,
    WASI,
    GrantedInvoker,
    Invoker,
    ToolImports,
    Wasi,
    answered,
    call_with_text,
    placed_and_named,
)
from ptc_studio.wasm.module import (
    MEBIBYTE,
    CompiledModule,
    Exited,
    GuestBounds,
    GuestError,
    GuestModule,
    Interrupted,
    ModuleRefused,
    Trapped,
)

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
    return compiled_module(content, bounds)


@functools.lru_cache(maxsize=32)
def compiled_module(content: bytes, bounds: GuestBounds) -> CompiledModule:
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
        location = _PLACE.search(str(error))
        where = f" (line {location[1]})" if location else ""
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
        if space not in (TOOLS, WASI):
            raise UnusableModule(f"it imports {space}.{name}, which nobody offers: build it without")


class ModuleFailed(RuntimeError):
    """The module trapped, used up what it may use, or did not keep to what was agreed; the message says which."""


class WasmOutput:
    """Turns bytes into text, of which a character may come in several pieces."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def say(self, data: bytes) -> None:
        """Takes what was written."""
        self._write(self._decoder.decode(data))

    def close(self) -> None:
        """Says what was held back as the beginning of a character."""
        self._write(self._decoder.decode(b"", final=True))

    def _write(self, text: str) -> None:
        if text:
            # Whoever called the tool has had this stream led to its run.
            sys.stderr.write(text)


def wasm_tool(entry: WasmEntry, path: Path, stdio: Stdio) -> SchemaTool:
    """The tool that the file's module is now; raises SourceFailed."""
    bounds = GuestBounds(memory_bytes=entry.memory_mb * MEBIBYTE, fuel=entry.fuel)
    try:
        schema = declared_schema(entry.parameters)
        answer = _Answer(entry, read_module(path, bounds), schema, stdio)
    except UnfitParameters as error:
        raise SourceFailed(f"The module {entry.name!r} cannot be a tool: {error}.") from None
    except UnusableModule as error:
        raise SourceFailed(f"The module {entry.path!r} of {entry.name!r} cannot be used: {error}.") from None
    spec = ToolSpec(
        name=entry.name,
        description=entry.description or f"The WebAssembly module {entry.path}.",
        parameters=schema,
        source=entry.name,
        signature=signature_of(schema),
        doc=entry.description,
        also=twin_of(entry.name),
        origin=str(path),
        output=entry.output,
    )
    return SchemaTool(spec, answer)


class _Answer:
    """Answers calls with what the module's `run` returns."""

    def __init__(self, entry: WasmEntry, module: CompiledModule, schema: dict[str, Any], stdio: Stdio) -> None:
        self._entry = entry
        self._module = module
        self._schema = schema
        self._stdio = stdio

    def __call__(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        assert isinstance(ticket, Call)
        parameters = codec.encode(with_defaults(arguments, self._schema)).decode()
        with ticket.part() as part, contextlib.closing(GuestModule(self._module)) as guest, self._stdio(ticket.run_id):
            part.on_stop(guest.interrupt)
            try:
                text = self._executed(guest, self._invoker(ticket, part), parameters)
            except Interrupted:
                raise ticket.refusal(part.stop_reason or "cancelled") from None
            except (Trapped, GuestError, ModuleRefused, Exited) as error:
                raise self._failure(error, guest) from None
        return self._value(text)

    def _executed(self, guest: GuestModule, invoke: Invoker, parameters: str) -> str:
        granted = GrantedInvoker(invoke, self._entry.aliases, self._entry.max_invocations)
        with contextlib.closing(WasmOutput()) as output:
            system = Wasi(guest, lambda _stream, data: output.say(data))
            guest.start({**system.offers, **ToolImports(guest, granted, output.say).offers}, Wasi.otherwise)
            if guest.exports("_initialize"):
                guest.call("_initialize")
            return call_with_text(guest, "run", parameters)

    def _invoker(self, call: Call, part: RunPart) -> Invoker:
        def invoke(alias: str, parameters: Any, timeout: float | None) -> bytes:
            args, kwargs = placed_and_named(alias, parameters)
            return answered(call.executor, CallRequest(part, alias, args, kwargs, call, timeout))

        return invoke

    def _failure(self, error: Exception, guest: GuestModule) -> ModuleFailed:
        module = f"The module {self._entry.path!r}"
        if not isinstance(error, Trapped):
            return ModuleFailed(f"{module} failed: {error}")
        where = f" in {error.stack[0]}" if error.stack else ""
        full = f", with its memory grown to the limit of {self._entry.memory_mb} MB" if guest.is_full else ""
        return ModuleFailed(f"{module} trapped{where}: {error}{full}.")

    def _value(self, text: str) -> Any:
        if not text:
            return None
        try:
            return codec.decode(text)
        except ValueError as error:
            raise ModuleFailed(f"The module {self._entry.path!r} returned what is no JSON: {error}.") from None


class WasmSource(FileSource):
    """The tool of an entry of the kind `wasm`."""

    def __init__(self, entry: WasmEntry, *, folder: Path, stdio: Stdio = unchanged_stdio) -> None:
        super().__init__(entry.name, folder, entry.path)
        self._entry = entry
        self._stdio = stdio

    def _tool(self) -> Tool:
        return wasm_tool(self._entry, self._path, self._stdio)
