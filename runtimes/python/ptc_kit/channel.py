"""The guest's end of the channel: sends calls, and gives each answer to whoever waits for it.

There is no thread of the kit's own. Whoever waits reads, for all; a single-threaded script thus pays for
one write and one read per call. An event loop reads when its descriptor is ready.
"""

import _thread
import contextlib
import itertools
import os
import select
import sys
import threading
import time
from typing import Any

from ptc_kit import errors, plain

CHUNK = 1 << 16
SPIN_SECONDS = 0.0001 if (os.cpu_count() or 1) > 1 and hasattr(select, "poll") else 0.0


class ChannelClosed(SystemExit):
    """The host is gone; there is nothing left to do."""


class _Waiter:
    """One call under way: a thread waits on `ready`, or a loop has a future."""

    def __init__(self, loop: Any = None, future: Any = None) -> None:
        self.ready = _closed_gate() if loop is None else None
        self.loop = loop
        self.future = future
        self.answer: dict[str, Any] | None = None


def _closed_gate() -> Any:
    """A lock that is held: who acquires it waits until somebody opens it."""
    gate = _thread.allocate_lock()
    gate.acquire()
    return gate


def _open(gate: Any) -> None:
    # It may be open already, and its owner not yet have come through.
    with contextlib.suppress(RuntimeError):
        gate.release()


class Channel:
    """Frames in, frames out. Any number of threads and event loops may call at once."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._buffer = bytearray()
        self._searched = 0
        self._ids = itertools.count(1)
        self._waiters: dict[int, _Waiter] = {}
        self._loops: dict[Any, int] = {}
        self._reading = threading.Lock()
        self._writing = threading.Lock()
        self._pid = os.getpid()
        self._poll: Any = None
        if SPIN_SECONDS:
            self._poll = select.poll()
            self._poll.register(read_fd, select.POLLIN)

    @property
    def under_way(self) -> int:
        """How many calls have no answer yet."""
        return len(self._waiters)

    @property
    def is_read(self) -> bool:
        """Whether somebody reads, for all."""
        return self._reading.locked()

    def send(self, text: str) -> None:
        """Sends one frame."""
        data = memoryview((text + "\n").encode())
        with self._writing:
            while data:
                data = data[os.write(self._write_fd, data) :]

    def receive(self) -> dict[str, Any]:
        """Waits for the next frame, whatever it is; before the script starts."""
        while True:
            frame = self._next_frame()
            if frame is not None:
                return frame
            self._fill()

    def readable(self, seconds: float) -> bool:
        """True as soon as there is something to read, False if there is nothing in that time."""
        return bool(self._buffer) or bool(select.select([self._read_fd], [], [], seconds)[0])

    def call(self, name: str, args: Any, kwargs: Any, line: "int | None", timeout: "float | None" = None) -> Any:
        """Calls a tool and waits for its answer."""
        waiter = _Waiter()
        # Alone: no other thread, no call under way, so nothing else can be sent before the answer.
        alone = not self._waiters and threading.active_count() == 1
        call_id = next(self._ids)
        try:
            self._send_call(call_id, waiter, name, args, kwargs, line, timeout, alone)
            while waiter.answer is None:
                if self._reading.acquire(blocking=False):
                    try:
                        while waiter.answer is None:
                            self._dispatch_all()
                            if waiter.answer is None:
                                self._fill()
                    finally:
                        self._reading.release()
                        self._wake_reader()
                else:
                    waiter.ready.acquire()  # type: ignore[union-attr]
        except BaseException:
            # Such as what a signal handler raised. Nobody waits here any longer, so nobody may rely on it to read.
            if self._waiters.pop(call_id, None) is not None:
                self.send(f'{{"type":"cancel","id":{call_id}}}')
            self._wake_reader()
            raise
        return _unwrap(waiter.answer)

    async def call_async(
        self, name: str, args: Any, kwargs: Any, line: "int | None", timeout: "float | None" = None
    ) -> Any:
        """The same on an event loop."""
        import asyncio

        loop = asyncio.get_running_loop()
        waiter = _Waiter(loop, loop.create_future())
        call_id = next(self._ids)
        self._send_call(call_id, waiter, name, args, kwargs, line, timeout, False)
        self._watch(loop)
        try:
            return _unwrap(await waiter.future)
        except asyncio.CancelledError:
            if self._waiters.pop(call_id, None) is not None:
                self.send(f'{{"type":"cancel","id":{call_id}}}')
            raise
        finally:
            self._unwatch(loop)

    def _send_call(
        self, call_id: int, waiter: _Waiter, name: str, args: Any, kwargs: Any, line: Any, timeout: Any, alone: bool
    ) -> None:
        if os.getpid() != self._pid:
            raise RuntimeError("tools can be called only from the script's own process, not from one that it forked")
        try:
            given = plain.encode({"tool": name, "args": args, "kwargs": kwargs, "line": line, "timeout": timeout})
        except (TypeError, ValueError, RecursionError) as error:
            raise TypeError(f"Invalid parameters for tool {name!r}: {error}") from None
        self._waiters[call_id] = waiter
        self.send(f'{{"type":"call","id":{call_id},"wait":{"true" if alone else "false"},{given[1:]}')

    def _look_out(self) -> None:
        """Looks for the answer of a quick tool before sleeping: to be woken on another core takes longer than that."""
        if SPIN_SECONDS:
            until = time.perf_counter() + SPIN_SECONDS
            while not self._poll.poll(0) and time.perf_counter() < until:
                pass

    def _fill(self) -> None:
        self._look_out()
        data = os.read(self._read_fd, CHUNK)
        if not data:
            raise ChannelClosed(1)
        self._buffer += data

    def _next_frame(self) -> "dict[str, Any] | None":
        end = self._buffer.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._buffer)
            return None
        self._searched = 0
        text = self._buffer[:end].decode()
        del self._buffer[: end + 1]
        return plain.decode(text)

    def _dispatch_all(self) -> None:
        """Gives every answer that has arrived to its waiter; the reader's privilege."""
        while (frame := self._next_frame()) is not None:
            waiter = self._waiters.pop(frame.get("id", 0), None)
            if waiter is None:
                if frame["type"] == "error":
                    print(f"ptc: {frame['message']}", file=sys.stderr)
                continue
            waiter.answer = frame
            if waiter.loop is None:
                _open(waiter.ready)
            elif not waiter.loop.is_closed():
                waiter.loop.call_soon_threadsafe(_fulfil, waiter.future, frame)

    def _wake_reader(self) -> None:
        """Lets somebody else read: a thread that waits is woken, a loop finds out by itself."""
        for waiter in tuple(self._waiters.values()):
            if waiter.ready is not None:
                _open(waiter.ready)
                return

    def _watch(self, loop: Any) -> None:
        self._loops[loop] = self._loops.get(loop, 0) + 1
        if self._loops[loop] == 1:
            loop.add_reader(self._read_fd, self._on_readable)

    def _unwatch(self, loop: Any) -> None:
        self._loops[loop] -= 1
        if not self._loops[loop]:
            del self._loops[loop]
            loop.remove_reader(self._read_fd)

    def _on_readable(self) -> None:
        if not self._reading.acquire(blocking=False):
            return
        try:
            # Another reader may have taken what made the loop wake up.
            if select.select([self._read_fd], [], [], 0)[0]:
                self._fill()
            self._dispatch_all()
        finally:
            self._reading.release()
            self._wake_reader()


def _fulfil(future: Any, frame: dict[str, Any]) -> None:
    if not future.done():
        future.set_result(frame)


def _unwrap(frame: dict[str, Any]) -> Any:
    if frame["type"] == "result":
        return plain.with_bytes(frame["value"], frame["bytes"]) if "bytes" in frame else frame["value"]
    if frame["type"] == "error":
        raise TypeError(f"the call was not understood: {frame['message']}")
    raise errors.rebuild(frame["error"])
