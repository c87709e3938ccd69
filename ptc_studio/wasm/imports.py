"""What a module of WebAssembly may import: WASI as far as there is one, and the tools."""

import itertools
import os
import struct
import time
from collections.abc import Callable, Collection
from queue import SimpleQueue
from typing import Any, Protocol

from ptc_studio.core import codec
from ptc_studio.core.calls import CallRequest, Outcome
from ptc_studio.core.executor import Executor
from ptc_studio.core.failures import message_of
from ptc_studio.wasm.module import Exited, GuestError, GuestModule, HostFunction

WASI = "wasi_snapshot_preview1"
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
        offers = {(WASI, name): HostFunction(function, types, "i") for name, (function, types) in found.items()}
        return {**offers, (WASI, "proc_exit"): HostFunction(self._proc_exit, "i")}

    @staticmethod
    def otherwise(namespace: str, _name: str) -> int | None:
        """The answer of every other function of WASI: there is no such thing here."""
        return UNSUPPORTED if namespace == WASI else None

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


TOOLS = "ptc"
LONGEST_TEXT = 64 * 1024 * 1024
Print = Callable[[bytes], None]


class Invoker(Protocol):
    """Calls a tool for the module: gives the result as JSON, or raises."""

    def __call__(self, alias: str, parameters: Any, timeout: float | None) -> bytes: ...


class ToolImports:
    """The functions of one guest. The last answer waits here until the module has made room for it."""

    def __init__(self, guest: GuestModule, invoke: Invoker, show: Print | None = None) -> None:
        self._guest = guest
        self._invoke = invoke
        self._show = show
        self._answer = b""
        self._failure: BaseException | None = None

    @property
    def offers(self) -> dict[tuple[str, str], HostFunction]:
        """By the names under which modules import them."""
        found = {
            "tool_invoke": HostFunction(self._tool_invoke, "iiii", "i"),
            "tool_invoke_within": HostFunction(self._tool_invoke_within, "iiiiF", "i"),
            "tool_result": HostFunction(self._tool_result, "i"),
            "tool_raise": HostFunction(self._tool_raise, ""),
        }
        if self._show is not None:
            found["print"] = HostFunction(self._print, "ii")
        return {(TOOLS, name): offer for name, offer in found.items()}

    def _tool_invoke(self, alias: int, alias_length: int, parameters: int, parameters_length: int) -> int:
        return self._answered(self._text(alias, alias_length), self._text(parameters, parameters_length), None)

    def _tool_invoke_within(
        self, alias: int, alias_length: int, parameters: int, parameters_length: int, seconds: float
    ) -> int:
        return self._answered(self._text(alias, alias_length), self._text(parameters, parameters_length), seconds)

    def _tool_result(self, destination: int) -> None:
        self._guest.write(destination, self._answer)

    def _tool_raise(self) -> None:
        raise self._failure or GuestError("The module called tool_raise, but its last call did not fail.")

    def _print(self, start: int, length: int) -> None:
        assert self._show is not None
        self._show(self._guest.read(start, length))

    def _answered(self, alias: str, parameters: str, timeout: float | None) -> int:
        """The length of the answer; negative if it is a failure."""
        try:
            self._failure = None
            self._answer = self._invoke(alias, _parsed(alias, parameters), _checked(timeout))
            if len(self._answer) > LONGEST_TEXT:
                raise ValueError(f"the result has {len(self._answer)} bytes, more than a module can be given")
            return len(self._answer)
        except BaseException as error:  # noqa: BLE001 - a tool may raise anything, even SystemExit; the module is told
            self._failure = error
            self._answer = codec.encode({"type": type(error).__name__, "message": message_of(error)})
            return -len(self._answer)

    def _text(self, start: int, length: int) -> str:
        if not 0 <= length <= LONGEST_TEXT:
            raise GuestError(
                f"The module gave a text of {length & 0xFFFFFFFF} bytes; at most {LONGEST_TEXT} are taken."
            )
        try:
            return self._guest.read(start, length).decode()
        except UnicodeDecodeError as error:
            raise GuestError(f"The module gave a text that is not UTF-8: {error}") from None


def _parsed(alias: str, parameters: str) -> Any:
    try:
        found = codec.decode(parameters) if parameters.strip() else {}
        return codec.unmarked(found) if codec.MARK.decode() in parameters else found
    except ValueError as error:
        raise TypeError(f"Invalid parameters for tool {alias!r}: they are not JSON: {error}") from None


def _checked(timeout: float | None) -> float | None:
    if timeout is not None and not timeout > 0:
        raise ValueError("the timeout of a call must be above 0")
    return timeout


MOST_INVOCATIONS = 20


class GrantedInvoker:
    """Lets through what was granted. `aliases` is None for a module that may not call tools at all."""

    def __init__(self, invoke: Invoker, aliases: Collection[str] | None, most: int = MOST_INVOCATIONS) -> None:
        self._invoke = invoke
        self._aliases = aliases
        self._most = most
        self._left = most

    def __call__(self, alias: str, parameters: Any, timeout: float | None) -> bytes:
        if self._aliases is None:
            raise PermissionError("Tool invocation capability not granted")
        if alias not in self._aliases:
            raise LookupError(f"Unknown tool alias: {alias}")
        if self._left == 0:
            raise RecursionError(f"Too many tool invocations (max {self._most})")
        self._left -= 1
        return self._invoke(alias, parameters, timeout)


def placed_and_named(alias: str, parameters: Any) -> tuple[list[Any], dict[str, Any]]:
    """The arguments that a module gave: an array by place, an object by name."""
    if isinstance(parameters, list):
        return parameters, {}
    if isinstance(parameters, dict):
        return [], parameters
    raise TypeError(f"Invalid parameters for tool {alias!r}: they must be an object or an array")


def answered(executor: Executor, request: CallRequest) -> bytes:
    """The tool's value as JSON; raises what the tool raised."""
    outcomes: SimpleQueue[Outcome] = SimpleQueue()
    executor.submit(request, outcomes.put)
    outcome = outcomes.get()
    outcome.unwrap()
    return outcome.encoded


def call_with_text(guest: GuestModule, export: str, text: str) -> str:
    """Calls an export that takes a text and gives one: the module says where there is room, and where its answer is."""
    data = text.encode()
    location = guest.call("allocate", len(data))
    guest.write(location, data)
    answer = guest.call(export, location, len(data)) & 0xFFFFFFFFFFFFFFFF
    try:
        return guest.read(answer >> 32, answer & 0xFFFFFFFF).decode()
    except UnicodeDecodeError as error:
        raise GuestError(f"The module gave a text that is not UTF-8: {error}") from None
