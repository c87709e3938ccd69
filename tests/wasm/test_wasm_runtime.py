"""What the conformance tests do not ask of modules."""

import asyncio
import gc
from typing import Any

import pytest
from wasmtime import wat2wasm

from ptc_studio.core.run import Limits
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.runtimes import DirectProjection
from ptc_studio.wasm.module import GuestBounds, GuestModule
from ptc_studio.wasm.runtime import WasmRuntime
from tests.runtimes import behaviours, stopping
from tests.support import Engine, wait_until

INVOKE = '(import "ptc" "tool_invoke" (func $tool_invoke (param i32 i32 i32 i32) (result i32)))'
PRINT = '(import "ptc" "print" (func $print (param i32 i32)))'
RAISE = '(import "ptc" "tool_raise" (func $tool_raise))'
MEMORY = '(memory (export "memory") 1)'


@pytest.fixture
def wasm() -> WasmRuntime:
    return WasmRuntime()


def open_modules() -> list[int]:
    return sorted(id(found) for found in gc.get_objects() if isinstance(found, GuestModule) and not found.closed)


async def execute(shop: Engine, runtime: Any, code: str, **limits: Any) -> dict[str, Any]:
    return await Session(shop.executor, limits=Limits(**limits)).execute(Script(code, "script.wat"), runtime)


async def test_a_compiled_module_runs_like_its_text(shop: Engine, wasm: WasmRuntime):
    text = behaviours.find("add", "wasm", "wasm").code
    compiled = bytes(wat2wasm(text)).decode("latin-1")
    record = await execute(shop, wasm, compiled)
    assert (record["stdout"], record["status"]) == ("3\n", "ok")
    assert record["calls"][0]["line"] is None


async def test_a_trap_of_a_compiled_module_names_its_functions(shop: Engine, wasm: WasmRuntime):
    text = '(module (func $inner unreachable) (func $outer (export "_start") (call $inner)))'
    record = await execute(shop, wasm, bytes(wat2wasm(text)).decode("latin-1"))
    assert (record["status"], record["return_code"]) == ("error", 1)
    assert record["error"]["traceback"] == "Trap: wasm `unreachable` instruction executed\n  in inner\n  in outer"


async def test_bytes_that_are_no_module_are_told_so(shop: Engine, wasm: WasmRuntime):
    record = await execute(shop, wasm, "\0asm and nothing more")
    assert (record["status"], record["error"]["type"]) == ("error", "ModuleRefused")


async def test_a_module_that_is_not_valid_is_told_with_the_line_of_its_function(shop: Engine, wasm: WasmRuntime):
    record = await execute(shop, wasm, '(module\n(func)\n(func (export "_start")\ni32.add))')
    assert (record["error"]["type"], record["error"]["line"]) == ("CompileError", 3)
    assert record["error"]["message"].startswith("type mismatch")


async def test_what_nobody_offers_is_named(shop: Engine, wasm: WasmRuntime):
    record = await execute(shop, wasm, '(module (import "env" "puts" (func (param i32))))')
    assert record["error"]["message"] == "The module imports env.puts, which nobody offers."


@pytest.mark.parametrize("code", ["", ";; nothing\n", '(module (func (export "other")))'])
async def test_a_module_without_an_entry_does_nothing(shop: Engine, wasm: WasmRuntime, code: str):
    record = await execute(shop, wasm, code)
    assert (record["status"], record["return_code"], record["value"]) == ("ok", 0, None)


async def test_what_is_made_ready_comes_before_the_entry(shop: Engine, wasm: WasmRuntime):
    code = f"""(module {PRINT} {MEMORY} (data (i32.const 0) "abc") (start $first)
        (func $first (call $print (i32.const 0) (i32.const 1)))
        (func (export "_initialize") (call $print (i32.const 1) (i32.const 1)))
        (func (export "main") (param i32 i32) (result f64) (call $print (i32.const 2) (i32.const 1)) (f64.const 1.5)))"""
    record = await execute(shop, wasm, code)
    assert (record["stdout"], record["value"]) == ("abc", 1.5)


async def test_a_character_may_be_written_in_two_pieces(shop: Engine, wasm: WasmRuntime):
    code = f"""(module {PRINT} {MEMORY} (data (i32.const 0) "\\c3\\a9\\ff\\c3") (func (export "_start")
        (call $print (i32.const 0) (i32.const 1)) (call $print (i32.const 1) (i32.const 3))))"""
    assert (await execute(shop, wasm, code))["stdout"] == "é\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"


async def test_a_tool_that_wants_to_end_the_program_ends_only_the_script(shop: Engine, wasm: WasmRuntime):
    code = f"""(module {INVOKE} {RAISE} {MEMORY} (data (i32.const 0) "fail") (data (i32.const 10) "{{\\"kind\\": \\"exit\\"}}")
        (func (export "_start") (drop (call $tool_invoke (i32.const 0) (i32.const 4) (i32.const 10) (i32.const 16)))
        (call $tool_raise)))"""
    record = await execute(shop, wasm, code)
    assert (record["status"], record["error"]["type"], record["error"]["message"]) == ("error", "SystemExit", "9")


async def test_the_memory_of_a_module_is_bounded(shop: Engine):
    script = behaviours.find("memory", "wasm", "wasm")
    record = await execute(shop, WasmRuntime(GuestBounds(memory_bytes=8 << 20)), script.code)
    assert record["error"]["message"] == "out of bounds memory access, with its memory grown to the limit of 8 MB"


async def test_a_loop_is_stopped_at_its_line_and_nothing_is_left(shop: Engine, wasm: WasmRuntime):
    before, session = open_modules(), Session(shop.executor)
    code = f"""(module {PRINT} {MEMORY} (data (i32.const 0) "on")
        (func (export "_start") (local $rounds i32)
        (loop $for_ever (br_if $for_ever (local.get $rounds)) (call $print (i32.const 0) (i32.const 2)) (local.set $rounds (i32.const 1)) (br $for_ever))))"""
    script = Script(code, "script.wat")
    record = await stopping.out_of_time(lambda: stopping.written(shop) == "on", shop, session, script, wasm)
    assert (record["status"], record["return_code"]) == ("timeout", None)
    assert record["error"]["line"] == 3
    wait_until(lambda: set(open_modules()) <= set(before))


async def test_cancelling_ends_a_loop(shop: Engine, wasm: WasmRuntime):
    session, script = Session(shop.executor), Script(behaviours.find("loop", "wasm", "wasm").code)
    record = await stopping.cancelled(lambda: stopping.finished(shop), shop, session, script, wasm)
    assert record["status"] == "cancelled"


async def test_several_modules_at_once_do_not_disturb_each_other(shop: Engine, wasm: WasmRuntime):
    codes = [behaviours.find(name, "wasm", "wasm").code for name in ("uncaught", "own_error", "exit3", "add")]
    records = await asyncio.gather(*(execute(shop, wasm, code) for code in codes * 5))
    found = [(record["error"] or {}).get("type") for record in records]
    assert found == ["KeyError", "Trap", "SystemExit", None] * 5


async def test_projections_are_its_tools(wasm: WasmRuntime):
    code = behaviours.find("add", "wasm", "wasm").code
    result = await wasm.execute(code, {"add": DirectProjection("add", lambda a, b: a + b)})
    assert (result.stdout, result.return_code, result.error) == ("3\n", 0, None)
