"""Modules that know their lines."""

import pytest
from wasmtime import Engine, Instance, Module, Store, Trap, WasmtimeError, wat2wasm

from ptc_studio.wasm.runtime import LINE_GLOBAL, function_lines, has_content, with_lines


def line_at_the_trap(text: str) -> int:
    """Runs the function `go`, which must trap, and gives the line that the module knew then."""
    store = Store(Engine())
    instance = Instance(store, Module(store.engine, with_lines(text)), [])
    with pytest.raises(Trap):
        instance.exports(store)["go"](store)
    return instance.exports(store)[LINE_GLOBAL].value(store)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('(module\n(func (export "go")\nunreachable))', 3),
        ('(module\n(func (export "go")\n(unreachable)))', 3),
        ('(func (export "go")\n(unreachable))', 2),
        ('(module\n(func (export "go")\ni32.const 1\ni32.const 0\ni32.div_u\ndrop))', 5),
        ('(module\n(func (export "go")\n(drop (i32.div_u\n(i32.const 1)\n(i32.const 0)))))', 3),
        ('(module (memory 1)\n(func (export "go")\n(drop\n(i32.load (i32.const -1)))))', 4),
        ('(module\n(func $f (unreachable))\n(func (export "go")\n(call $f)))', 2),
        ('(module (func (export "go") ;; (unreachable)\n(; (; call ;)\nunreachable ;) unreachable))', 3),
        ('(module (memory 1) (data (i32.const 0) "call \\" ( \\\\")\n(func (export "go")\nunreachable))', 3),
        (
            '(module (table 1 funcref) (type $t (func))\n(func (export "go")\n(call_indirect (type $t) (i32.const 0))))',
            3,
        ),
    ],
)
def test_a_trap_has_its_line(text: str, line: int):
    assert line_at_the_trap(text) == line


def test_an_outer_instruction_has_its_own_line_again_after_its_operands():
    text = '(module (func $one (result i32) (i32.const 1))\n(func (export "go")\n(drop (i32.rem_u\n(call $one)\n(i32.const 0)))))'
    assert line_at_the_trap(text) == 3


def test_no_line_is_added_or_moved():
    text = '(module\n\n(func (export "go")\n(loop $l\n(br $l))))\n'
    assert [len(row) > 0 for row in with_lines(text).split("\n")] == [len(row) > 0 for row in text.split("\n")]


@pytest.mark.parametrize("text", ["", "  \n", ";; only this", "(; or (; that ;) ;)\n"])
def test_comments_are_no_content(text: str):
    assert not has_content(text)


def test_text_that_is_no_module_does_not_hang_or_fail():
    for text in (")", "((", '"', "(; never ends", "call call", "(module"):
        with pytest.raises(WasmtimeError):
            wat2wasm(with_lines(text))


def test_functions_are_counted_with_those_that_are_imported():
    text = '(module (type (func))\n(import "a" "b" (func))\n(export "x" (func 1))\n(func $f)\n(elem func $f)\n\n(func))'
    assert function_lines(text) == [2, 4, 7]
    assert function_lines("(func)\n(func)") == [1, 2]
