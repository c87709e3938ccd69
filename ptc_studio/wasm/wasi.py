"""The part of WASI (preview 1) that a module without files, network and environment can make use of.

Not the engine's own: that one writes to files only, and sleeps where nothing can wake it up.
"""

import itertools
import os
import struct
import time
from collections.abc import Callable
from typing import Any

from ptc_studio.wasm.module import Exited, GuestModule, HostFunction

NAMESPACE = "wasi_snapshot_preview1"
SUCCESS, BAD_DESCRIPTOR, INVALID, UNSUPPORTED, NOT_SEEKABLE = 0, 8, 28, 52, 70
CHARACTER_DEVICE = 2
READ_RIGHT, WRITE_RIGHT = 1 << 1, 1 << 6
_SUBSCRIPTION = struct.Struct("<QB7xI4xQQH6x")
_EVENT = struct.Struct("<QHB21x")
_ABSOLUTE = 1
MOST_ENTRIES = 1024
LONGEST_WRITE = 64 * 1024 * 1024
"""More is left to the next write: pieces that overlap could amount to anything."""
Write = Callable[[int, bytes], None]
"""Takes what is written to descriptor 1 or 2."""


class Wasi:
    """The system as one guest sees it: a clock, chance, two streams to write to and an empty one to read."""

    def __init__(self, guest: GuestModule, write: Write) -> None:
        self._guest = guest
        self._write = write

    @property
    def offers(self) -> dict[tuple[str, str], HostFunction]:
        """By the names under which modules import them."""
        found: dict[str, tuple[Callable[..., Any], str]] = {
            "args_sizes_get": (self._nothing, "ii"),
            "args_get": (lambda *_: SUCCESS, "ii"),
            "environ_sizes_get": (self._nothing, "ii"),
            "environ_get": (lambda *_: SUCCESS, "ii"),
            "clock_res_get": (lambda _clock, location: self._store("<Q", location, 1), "ii"),
            "clock_time_get": (lambda clock, _precision, location: self._store("<Q", location, _now(clock)), "iIi"),
            "fd_close": (lambda _fd: SUCCESS, "i"),
            "fd_fdstat_get": (self._fd_fdstat_get, "ii"),
            "fd_prestat_get": (lambda *_: BAD_DESCRIPTOR, "ii"),
            "fd_read": (self._fd_read, "iiii"),
            "fd_seek": (lambda *_: NOT_SEEKABLE, "iIii"),
            "fd_write": (self._fd_write, "iiii"),
            "poll_oneoff": (self._poll_oneoff, "iiii"),
            "random_get": (self._random_get, "ii"),
            "sched_yield": (lambda: SUCCESS, ""),
        }
        offers = {(NAMESPACE, name): HostFunction(function, types, "i") for name, (function, types) in found.items()}
        return {**offers, (NAMESPACE, "proc_exit"): HostFunction(self._proc_exit, "i")}

    @staticmethod
    def otherwise(namespace: str, _name: str) -> int | None:
        """The answer of every other function of WASI: there is no such thing here."""
        return UNSUPPORTED if namespace == NAMESPACE else None

    def _nothing(self, count: int, size: int) -> int:
        self._store("<I", count, 0)
        return self._store("<I", size, 0)

    def _fd_write(self, fd: int, vectors: int, count: int, written: int) -> int:
        if fd not in (1, 2):
            return BAD_DESCRIPTOR
        if not 0 <= count <= MOST_ENTRIES:
            return INVALID
        left, pieces = LONGEST_WRITE, list[bytes]()
        for start, length in struct.iter_unpack("<II", self._guest.read(vectors, 8 * count)):
            pieces.append(self._guest.read(start, min(length, left)))
            left -= len(pieces[-1])
        data = b"".join(pieces)
        self._write(fd, data)
        return self._store("<I", written, len(data))

    def _fd_read(self, fd: int, _vectors: int, _count: int, read: int) -> int:
        return self._store("<I", read, 0) if fd == 0 else BAD_DESCRIPTOR

    def _fd_fdstat_get(self, fd: int, location: int) -> int:
        if fd not in (0, 1, 2):
            return BAD_DESCRIPTOR
        self._guest.write(
            location, struct.pack("<BxHxxxxQQ", CHARACTER_DEVICE, 0, READ_RIGHT if fd == 0 else WRITE_RIGHT, 0)
        )
        return SUCCESS

    def _random_get(self, location: int, length: int) -> int:
        self._guest.check(location, length)
        self._guest.write(location, os.urandom(length & 0xFFFFFFFF))
        return SUCCESS

    def _poll_oneoff(self, subscriptions: int, events: int, count: int, stored: int) -> int:
        """Sleeps until the first clock of those asked for, or not at all: a stream is always ready."""
        if not 0 < count <= MOST_ENTRIES:
            return INVALID
        asked = list(_SUBSCRIPTION.iter_unpack(self._guest.read(subscriptions, _SUBSCRIPTION.size * count)))
        waits = [_seconds_to_wait(clock, until, flags) for _, kind, clock, until, _, flags in asked if kind == 0]
        shortest = min(waits) if len(waits) == count else 0.0
        self._guest.interrupted.wait(max(0.0, shortest))
        ready = [
            kind != 0 or _seconds_to_wait(clock, until, flags) <= shortest for _, kind, clock, until, _, flags in asked
        ]
        due = list(itertools.compress(asked, ready))
        for number, (user_data, kind, *_) in enumerate(due):
            self._guest.write(events + number * _EVENT.size, _EVENT.pack(user_data, SUCCESS, kind))
        return self._store("<I", stored, len(due))

    def _proc_exit(self, status: int) -> None:
        raise Exited(status & 0xFF)

    def _store(self, form: str, location: int, number: int) -> int:
        self._guest.write(location, struct.pack(form, number))
        return SUCCESS


def _now(clock: int) -> int:
    return time.time_ns() if clock == 0 else time.monotonic_ns()


def _seconds_to_wait(clock: int, until: int, flags: int) -> float:
    nanoseconds = until - _now(clock) if flags & _ABSOLUTE else until
    return nanoseconds / 1e9
