"""Modules that are compiled once and used often, and the fuel of each use."""

import pytest
from wasmtime import wat2wasm

from ptc_studio.wasm.module import CompiledModule, GuestBounds, GuestModule, ModuleRefused, Trapped

COUNTING = """
(module
  (import "host" "act" (func (param i32)))
  (memory (export "memory") 1)
  (global $n (mut i32) (i32.const 0))
  (func (export "count") (result i32)
    (global.set $n (i32.add (global.get $n) (i32.const 1)))
    (global.get $n))
  (func (export "forever") (loop $l (br $l))))
"""


def compiled(text: str, bounds: GuestBounds | None = None) -> CompiledModule:
    return CompiledModule(bytes(wat2wasm(text)), bounds)


def test_it_tells_what_it_has_and_wants():
    module = compiled(COUNTING)
    assert module.functions == {"count": "() -> i32", "forever": "() -> nothing"}
    assert module.imports == (("host", "act"),)
    assert module.has_memory


def test_every_use_begins_anew():
    module = compiled(COUNTING.replace('(import "host" "act" (func (param i32)))', ""))
    for _ in range(3):
        guest = GuestModule(module)
        guest.start({})
        assert [guest.call("count"), guest.call("count")] == [1, 2]
        guest.close()


def test_every_use_has_its_own_fuel():
    module = compiled(
        '(module (func (export "go")) (func (export "forever") (loop $l (br $l))))', GuestBounds(fuel=9_000)
    )
    for _ in range(2):
        guest = GuestModule(module)
        guest.start({})
        guest.call("go")
        with pytest.raises(Trapped, match="used up its fuel of 9000 instructions"):
            guest.call("forever")
        guest.close()


def test_what_is_no_module_is_refused():
    with pytest.raises(ModuleRefused):
        CompiledModule(b"\0asm nonsense")
