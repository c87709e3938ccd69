"""A module at work: its memory, its bounds, and its end."""

import gc
import threading
import weakref
from typing import Any

import pytest
from wasmtime import wat2wasm

from ptc_studio.wasm.module import (
    Exited,
    GuestBounds,
    GuestError,
    GuestModule,
    HostFunction,
    Interrupted,
    ModuleRefused,
    Trapped,
)

IMPORT = '(import "host" "act" (func $act (param i32) (result i32)))'
ENDLESS = '(func (export "go") (loop $l (br $l)))'


def guest(fields: str, act: Any = None, bounds: GuestBounds | None = None) -> GuestModule:
    made = GuestModule(bytes(wat2wasm(f"(module {fields})")), bounds)
    made.start({("host", "act"): HostFunction(act, "i", "i")} if act else {})
    return made


def test_a_function_of_the_host_is_called_and_answers():
    module = guest(f'{IMPORT} (func (export "go") (result i32) (call $act (i32.const 20)))', lambda number: number + 1)
    assert module.call("go") == 21


def test_the_memory_is_read_and_written():
    def act(place: int) -> int:
        module.write(place, module.read(place, 3)[::-1])
        return 0

    fields = f'{IMPORT} (memory (export "memory") 1) (data (i32.const 8) "abc") (func (export "go") (drop (call $act (i32.const 8))))'
    module = guest(fields, act)
    module.call("go")
    assert module.read(8, 3) == b"cba"


@pytest.mark.parametrize(("start", "length"), [(65536, 1), (65535, 2), (-1, 1), (0, -1), (0, 65537)])
def test_a_place_outside_of_the_memory_ends_the_module(start: int, length: int):
    def act(_number: int) -> int:
        module.read(start, length)
        return 0

    module = guest(f'{IMPORT} (memory (export "memory") 1) (func (export "go") (drop (call $act (i32.const 0))))', act)
    with pytest.raises(GuestError, match="outside of its memory"):
        module.call("go")


def test_without_a_memory_nothing_can_be_read():
    module = guest(
        f'{IMPORT} (func (export "go") (drop (call $act (i32.const 0))))', lambda place: module.read(place, 1)
    )
    with pytest.raises(GuestError, match="exports no memory"):
        module.call("go")


def test_what_a_function_of_the_host_raises_comes_out_behind_the_module():
    def act(_number: int) -> int:
        raise Exited(3)

    module = guest(f'{IMPORT} (func (export "go") (drop (call $act (i32.const 0))) (unreachable))', act)
    with pytest.raises(Exited) as caught:
        module.call("go")
    assert caught.value.status == 3


def test_a_module_that_was_left_does_nothing_more():
    acted: list[int] = []

    def act(number: int) -> int:
        acted.append(number)
        raise KeyError(number)

    module = guest(
        f'{IMPORT} (func (export "go") (drop (call $act (i32.const 1))) (drop (call $act (i32.const 2))))', act
    )
    with pytest.raises(KeyError):
        module.call("go")
    assert acted == [1]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ('(func (export "go") unreachable)', "wasm `unreachable` instruction executed"),
        ('(func (export "go") (drop (i32.div_u (i32.const 1) (i32.const 0))))', "integer divide by zero"),
        ('(func $go (export "go") (call $go))', "call stack exhausted"),
    ],
)
def test_a_trap_says_what_it_was_and_where(fields: str, message: str):
    with pytest.raises(Trapped) as caught:
        guest(fields).call("go")
    assert str(caught.value) == message
    assert caught.value.stack


def test_memory_is_bounded():
    fields = '(memory (export "memory") 1) (func (export "go") (result i32) (memory.grow (i32.const 100)))'
    assert guest(fields, bounds=GuestBounds(memory_bytes=1 << 20)).call("go") == -1
    assert guest(fields).call("go") == 1


def test_a_module_that_wants_too_much_memory_does_not_begin():
    with pytest.raises(Trapped, match="memory"):
        guest('(memory 100) (func (export "go"))', bounds=GuestBounds(memory_bytes=1 << 20))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ('(import "env" "other" (func))', "imports env.other, which nobody offers"),
        ('(import "env" "memory" (memory 1))', "imports env.memory, which is no function"),
        ('(import "host" "act" (func (param i64)))', r"imports host.act as \(i64\) -> nothing; it is \(i32\) -> i32"),
    ],
)
def test_what_is_not_offered_is_named(fields: str, message: str):
    with pytest.raises(ModuleRefused, match=message):
        guest(fields, lambda _number: 0)


def test_a_module_that_is_not_valid_is_refused_with_its_function():
    with pytest.raises(ModuleRefused, match="type mismatch") as caught:
        guest("(func) (func i32.add)")
    assert caught.value.function == 1
    with pytest.raises(ModuleRefused):
        GuestModule(b"\0asm nonsense")


def test_an_endless_loop_is_stopped_within_a_moment():
    begun = threading.Event()
    module = guest(
        f"{IMPORT} {ENDLESS}".replace("(loop", "(drop (call $act (i32.const 1))) (loop"), lambda _: begun.set() or 0
    )
    caught: list[BaseException] = []

    def go() -> None:
        try:
            module.call("go")
        except Trapped as error:
            caught.append(error)

    thread = threading.Thread(target=go)
    thread.start()
    assert begun.wait(10)
    module.interrupt()
    thread.join(30)
    assert isinstance(caught[0], Interrupted)


def test_one_that_was_stopped_before_does_not_begin():
    module = guest(ENDLESS)
    module.interrupt()
    with pytest.raises(Interrupted):
        module.call("go")


def test_stopping_one_does_not_concern_another():
    other, module = guest('(func (export "go") (result i32) (i32.const 1))'), guest(ENDLESS)
    module.interrupt()
    assert other.call("go") == 1


def test_modules_in_several_threads_get_their_own_ends():
    ends: dict[int, str] = {}

    def work(number: int) -> None:
        def act(given: int) -> int:
            raise KeyError(given)

        fields = (
            f'{IMPORT} (func (export "act") (drop (call $act (i32.const {number})))) (func (export "trap") unreachable)'
        )
        for _ in range(50):
            for name, kind in (("act", KeyError), ("trap", Trapped)):
                module = guest(fields, act)
                try:
                    module.call(name)
                except kind as error:
                    ends[number] = ends.get(number, "") if kind is Trapped or error.args == (number,) else "another's"
                module.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert ends == dict.fromkeys(range(4), "")


def test_a_closed_module_leaves_nothing_and_can_still_be_stopped():
    module = guest(f'{IMPORT} (func (export "go"))', lambda _number: 0)
    module.call("go")
    module.close()
    module.interrupt()
    kept = weakref.ref(module)
    del module
    gc.collect()
    assert kept() is None


def test_others_run_while_a_module_does():
    module = guest(ENDLESS)
    thread = threading.Thread(target=lambda: pytest.raises(Interrupted, module.call, "go"))
    thread.start()
    assert sum(range(200_000))
    module.interrupt()
    thread.join(30)
    assert not thread.is_alive()
