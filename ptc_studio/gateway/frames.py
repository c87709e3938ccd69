"""The host's end of a guest's channel: lines in, lines out (see runtimes/PROTOCOL.md)."""

import logging
import os
import re
import select
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from ptc_studio.core import codec

log = logging.getLogger(__name__)

FRAME_BYTES = 64 * 1024 * 1024
BACKLOG_BYTES = 2 * FRAME_BYTES
FRAME_COST = 256
"""Bytes that a frame takes beyond its own while it waits."""
CHUNK = 1 << 16
SPIN_SECONDS = 0.0001 if (os.cpu_count() or 1) > 1 else 0.0
MOST_UNSPUN = 64
"""So many frames are at most awaited asleep before it is tried again whether to look for them is worth while."""
_CALL_START = re.compile(rb'\{"type":"call","id":([1-9][0-9]{0,17}),')


class FrameError(Exception):
    """A line that is no proper frame; the message says why, `call_id` which call it was to be, if that can be told."""

    def __init__(self, message: str, call_id: int | None = None) -> None:
        super().__init__(message)
        self.call_id = call_id


class FrameReader:
    """Reads frames from a pipe, one thread at a time."""

    def __init__(self, fd: int, limit: int = FRAME_BYTES) -> None:
        self._fd = fd
        self._limit = limit
        self._buffer = bytearray()
        self._searched = 0
        self._skipping = False
        self._skipped_call: int | None = None
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN)
        self._lively = False
        """Whether the last frame came soon after the one before it."""
        self._unspun, self._to_sleep = 0, 0
        """How many frames were to be awaited asleep after the last look in vain, and how many of them still are."""
        self.last_bytes = 0
        """How long the last frame was."""

    def read(self) -> dict[str, Any] | None:
        """The next frame; None at the end. Raises FrameError for a line that is none, and can be used on."""
        while True:
            line = self._take_line()
            if line is not None:
                self._lively = SPIN_SECONDS > 0
                self.last_bytes = len(line)
                return _parse(line)
            self._await_next()
            try:
                data = os.read(self._fd, CHUNK)
            except OSError:
                data = b""
            if not data:
                return None
            self._buffer += data

    def _await_next(self) -> None:
        """Looks for the next call of a quick script before sleeping: waking up again takes longer than that.

        Where that is in vain again and again it is done ever more seldom: the processors are busy, and a look takes
        one of them from the script that is waited for.
        """
        if self._to_sleep:
            self._to_sleep -= 1
        elif self._lively:
            until = time.perf_counter() + SPIN_SECONDS
            while not self._poll.poll(0):
                if time.perf_counter() >= until:
                    self._lively = False
                    self._to_sleep = self._unspun = min(2 * self._unspun or 1, MOST_UNSPUN)
                    return
            self._unspun = 0

    def _take_line(self) -> bytearray | None:
        end = self._buffer.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._buffer)
            if self._searched > self._limit:
                if not self._skipping:
                    self._skipped_call = _call_id(self._buffer)
                self._skipping = True
                self._buffer.clear()
                self._searched = 0
            return None
        line = self._buffer[:end]
        del self._buffer[: end + 1]
        self._searched = 0
        if self._skipping:
            self._skipping = False
            raise FrameError(f"a frame is longer than {self._limit} bytes", self._skipped_call)
        return line


class FrameWriter:
    """Writes frames to a pipe from any thread, and never makes a caller wait for a guest that does not read."""

    def __init__(self, fd: int, run_later: Callable[[Callable[[], None]], object]) -> None:
        self._fd = fd
        self._run_later = run_later
        self._lock = threading.Lock()
        self._backlog: deque[memoryview] = deque()
        self.backlog_bytes = 0
        """What waits for a guest that does not read. Counted, not summed up: a million frames may wait."""
        self._dropped = False
        self._closed = False
        os.set_blocking(fd, False)

    def write(self, frame: bytes) -> None:
        """Sends the frame, now or as soon as the guest reads on. What cannot be sent any longer is dropped."""
        with self._lock:
            if self._closed:
                return
            waiting = bool(self._backlog)
            rest = memoryview(frame) if waiting else self._unwritten(frame)
            if rest is None:
                return
            if self.backlog_bytes > BACKLOG_BYTES:
                if not self._dropped:
                    log.warning("A guest does not read its answers: those from now on are dropped")
                self._dropped = True
                return
            self._backlog.append(rest)
            self.backlog_bytes += len(rest) + FRAME_COST
            if not waiting:
                self._run_later(self._drain)

    def close(self) -> None:
        with self._lock:
            if not self._closed:
                self._closed = True
                os.close(self._fd)

    def _unwritten(self, frame: bytes) -> memoryview | None:
        """Writes what there is room for, which is nearly always all of it, and gives the rest, if there is any."""
        try:
            written = os.write(self._fd, frame)
        except BlockingIOError:
            written = 0
        except OSError:
            # The guest is gone, and so is everybody who could read this.
            return None
        return memoryview(frame)[written:] if written < len(frame) else None

    def _write_backlog(self) -> bool:
        """Writes as much as fits; True if that is all."""
        try:
            while self._backlog:
                rest = self._backlog[0]
                written = os.write(self._fd, rest)
                self.backlog_bytes -= written
                if written < len(rest):
                    self._backlog[0] = rest[written:]
                else:
                    self._backlog.popleft()
                    self.backlog_bytes -= FRAME_COST
        except BlockingIOError:
            return False
        except OSError:
            # The guest is gone, and so is everybody who could read this.
            self._backlog.clear()
            self.backlog_bytes = 0
        return True

    def _drain(self) -> None:
        while True:
            with self._lock:
                if self._closed or self._write_backlog():
                    return
                poll = select.poll()
                poll.register(self._fd, select.POLLOUT)
            poll.poll(100)


def _parse(line: bytearray) -> dict[str, Any]:
    try:
        frame = codec.decode(bytes(line))
    except ValueError as error:
        raise FrameError(f"a frame is not JSON: {error}", _call_id(line)) from None
    if not isinstance(frame, dict):
        raise FrameError(f"a frame must be an object, not {type(frame).__name__}")
    return codec.unmarked(frame) if codec.MARK in line else frame


def _call_id(line: bytearray) -> int | None:
    """The id of the call that the line was to be, if it begins as kits have it."""
    start = _CALL_START.match(line)
    return int(start[1]) if start else None
