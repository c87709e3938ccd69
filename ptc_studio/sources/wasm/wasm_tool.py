"""A module as a tool: a fresh instance for every call, stopped as soon as nobody waits for it."""

import contextlib
from pathlib import Path
from typing import Any

from ptc_studio.core import codec
from ptc_studio.core.calls import Call, CallRequest
from ptc_studio.core.runs import RunPart
from ptc_studio.core.tools import Ticket, ToolSpec
from ptc_studio.gateway.wasm.compiled_module import MEBIBYTE, CompiledModule, GuestBounds
from ptc_studio.gateway.wasm.ends import Exited, GuestFault, Interrupted, ModuleRefused, Trapped
from ptc_studio.gateway.wasm.guest_module import GuestModule
from ptc_studio.gateway.wasm.invocations import GrantedInvoker, answered, call_with_text, placed_and_named
from ptc_studio.gateway.wasm.tool_imports import Invoker, ToolImports
from ptc_studio.gateway.wasm.wasi import Wasi
from ptc_studio.sources.declared_schema import declared_schema
from ptc_studio.sources.derived_schema import UnfitParameters, with_defaults
from ptc_studio.sources.functions.invocation import Stdio
from ptc_studio.sources.schema_tool import SchemaTool, signature_of, twin_of
from ptc_studio.sources.source import SourceFailed
from ptc_studio.sources.wasm.entry import WasmEntry
from ptc_studio.sources.wasm.errors import ModuleFailed
from ptc_studio.sources.wasm.module_file import UnusableModule, read_module
from ptc_studio.sources.wasm.speech import Speech


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
            except (Trapped, GuestFault, ModuleRefused, Exited) as error:
                raise self._failure(error, guest) from None
        return self._value(text)

    def _executed(self, guest: GuestModule, invoke: Invoker, parameters: str) -> str:
        granted = GrantedInvoker(invoke, self._entry.aliases, self._entry.max_invocations)
        with contextlib.closing(Speech()) as speech:
            system = Wasi(guest, lambda _stream, data: speech.say(data))
            guest.begin({**system.offers, **ToolImports(guest, granted, speech.say).offers}, Wasi.otherwise)
            if guest.exports("_initialize"):
                guest.call("_initialize")
            return call_with_text(guest, "run", parameters)

    def _invoker(self, call: Call, part: RunPart) -> Invoker:
        def invoke(alias: str, parameters: Any, timeout: float | None) -> bytes:
            args, kwargs = placed_and_named(alias, parameters)
            return answered(call.executor, CallRequest(part, alias, args, kwargs, call, timeout))

        return invoke

    def _failure(self, error: Exception, guest: GuestModule) -> ModuleFailed:
        told = f"The module {self._entry.path!r}"
        if not isinstance(error, Trapped):
            return ModuleFailed(f"{told} failed: {error}")
        where = f" in {error.stack[0]}" if error.stack else ""
        full = f", with its memory grown to the limit of {self._entry.memory_mb} MB" if guest.is_full else ""
        return ModuleFailed(f"{told} trapped{where}: {error}{full}.")

    def _value(self, text: str) -> Any:
        if not text:
            return None
        try:
            return codec.decode(text)
        except ValueError as error:
            raise ModuleFailed(f"The module {self._entry.path!r} returned what is no JSON: {error}.") from None
