"""The system as a module sees it."""

import struct
import threading
import time

import pytest
from wasmtime import wat2wasm

from ptc_studio.wasm.imports import BAD_DESCRIPTOR, INVALID, UNSUPPORTED, WASI, Wasi
from ptc_studio.wasm.module import Exited, GuestModule, Interrupted

SIGNATURES = {
    "fd_write": 4,
    "fd_read": 4,
    "fd_fdstat_get": 2,
    "environ_sizes_get": 2,
    "random_get": 2,
    "poll_oneoff": 4,
    "path_unlink_file": 3,
    "sched_yield": 0,
}


class System:
    """A module that passes every call of the test on to WASI."""

    def __init__(self) -> None:
        fields = [
            f'(import "{WASI}" "{name}" (func ${name} (param {"i32 " * count}) (result i32)))'
            for name, count in SIGNATURES.items()
        ]
        fields.append(f'(import "{WASI}" "proc_exit" (func $proc_exit (param i32)))')
        fields.append('(memory (export "memory") 2) (func (export "exit") (call $proc_exit (i32.const 259)))')
        for name, count in SIGNATURES.items():
            given = " ".join(f"(local.get {number})" for number in range(count))
            fields.append(f'(func (export "{name}") (param {"i32 " * count}) (result i32) (call ${name} {given}))')
        self.guest = GuestModule(bytes(wat2wasm(f"(module {''.join(fields)})")))
        self.written: list[tuple[int, bytes]] = []
        self.guest.start(Wasi(self.guest, lambda fd, data: self.written.append((fd, data))).offers, Wasi.otherwise)

    def call(self, name: str, *given: int) -> int:
        return self.guest.call(name, *given)

    def number(self, place: int) -> int:
        return struct.unpack("<I", self.guest.read(place, 4))[0]


@pytest.fixture
def system() -> System:
    return System()


def test_what_is_written_in_pieces_comes_as_one(system: System):
    system.guest.write(0, struct.pack("<IIII", 100, 3, 103, 2) + bytes(84) + b"hello")
    assert system.call("fd_write", 2, 0, 2, 50) == 0
    assert (system.written, system.number(50)) == ([(2, b"hello")], 5)


def test_there_is_nothing_else_to_write_to(system: System):
    assert system.call("fd_write", 3, 0, 0, 50) == BAD_DESCRIPTOR
    assert system.call("fd_write", 1, 0, 5000, 50) == INVALID
    assert system.written == []


def test_pieces_that_overlap_do_not_amount_to_more_than_can_be_held(system: System, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ptc_studio.wasm.imports.LONGEST_WRITE", 1000)
    system.guest.write(0, struct.pack("<II", 5000, 300) * 10)
    system.call("fd_write", 1, 0, 10, 200)
    assert (system.number(200), len(system.written[0][1])) == (1000, 1000)


def test_standard_input_is_empty_and_there_is_no_environment(system: System):
    system.guest.write(50, b"\xff" * 8)
    assert system.call("fd_read", 0, 0, 0, 50) == 0
    assert system.number(50) == 0
    system.guest.write(50, b"\xff" * 8)
    assert system.call("environ_sizes_get", 50, 54) == 0
    assert (system.number(50), system.number(54)) == (0, 0)


def test_the_streams_are_no_files(system: System):
    assert system.call("fd_fdstat_get", 1, 50) == 0
    assert system.guest.read(50, 1) == b"\x02"
    assert system.call("fd_fdstat_get", 3, 50) == BAD_DESCRIPTOR


def test_chance_fills_the_place(system: System):
    system.call("random_get", 1000, 64)
    assert system.guest.read(1000, 64) != bytes(64)


def test_everything_else_is_not_there(system: System):
    assert system.call("path_unlink_file", 3, 0, 0) == UNSUPPORTED


def test_the_status_of_an_exit_is_one_byte(system: System):
    with pytest.raises(Exited) as caught:
        system.guest.call("exit")
    assert caught.value.status == 3


def sleep_for(system: System, seconds: float) -> None:
    system.guest.write(0, struct.pack("<QB7xI4xQQH6x", 7, 0, 1, int(seconds * 1e9), 0, 0))


def test_sleeping_takes_its_time(system: System):
    sleep_for(system, 0.05)
    began = time.monotonic()
    assert system.call("poll_oneoff", 0, 100, 1, 200) == 0
    assert time.monotonic() - began >= 0.05
    assert (system.number(200), struct.unpack("<QHB", system.guest.read(100, 11))) == (1, (7, 0, 0))


def test_who_sleeps_can_be_stopped(system: System):
    sleep_for(system, 60)
    caught: list[object] = []
    thread = threading.Thread(
        target=lambda: caught.append(pytest.raises(Interrupted, system.call, "poll_oneoff", 0, 100, 1, 200))
    )
    thread.start()
    time.sleep(0.05)
    system.guest.interrupt()
    thread.join(30)
    assert caught
