"""The process of a server that is a command: its start, its streams, its end."""

import asyncio
import contextlib
import signal
import sys
from asyncio.subprocess import PIPE, Process, SubprocessStreamProtocol
from collections.abc import AsyncIterator
from typing import Self

from ptc_studio.sources.mcp.launch import Launch
from ptc_studio.sources.mcp.log_lines import LINE_LIMIT, LogLines
from ptc_studio.sources.warden import VARIABLE, end_group, end_marked, new_mark

CHUNK = 2**16
MESSAGE_LIMIT = 128_000_000
GRACE = 1.0
TERM_GRACE = 0.5
EXIT_SECONDS = 1.0
STDERR_PAUSE = 0.005
KILL = signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM


class MessageTooLong(Exception):
    """A line of more than `MESSAGE_LIMIT` bytes."""


class ServerProcess:
    """A server's process, and all that it starts in turn."""

    def __init__(self, process: Process, exited: asyncio.Event, mark: str, log: LogLines) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._mark = mark
        self._log = log
        self._stderr = asyncio.create_task(self._read_stderr())
        self.exited = exited
        self.stdin = process.stdin
        self.stdout = process.stdout

    @classmethod
    async def start(cls, launch: Launch, log: LogLines) -> Self:
        """Starts it in a session of its own; raises OSError."""
        loop = asyncio.get_running_loop()
        exited = asyncio.Event()
        mark = new_mark()
        transport, protocol = await loop.subprocess_exec(
            lambda: _ExitProtocol(loop, exited),
            launch.program,
            *launch.args,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env={**launch.env, VARIABLE: mark},
            cwd=launch.cwd,
            start_new_session=True,
        )
        return cls(Process(transport, protocol, loop), exited, mark, log)

    async def lines(self) -> AsyncIterator[bytes]:
        """What it writes, line by line, to the end."""
        parts: list[bytes] = []
        size = 0
        while chunk := await self.stdout.read(CHUNK):
            *complete, rest = chunk.split(b"\n")
            for line in complete:
                yield b"".join((*parts, line))
                parts, size = [], 0
            parts.append(rest)
            size += len(rest)
            if size > MESSAGE_LIMIT:
                raise MessageTooLong
        if line := b"".join(parts):
            yield line

    async def end_text(self) -> str:
        """How it ended, with the last line that it wrote; empty if it runs."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(EXIT_SECONDS):
                await self.exited.wait()
                await asyncio.wait({self._stderr}, timeout=EXIT_SECONDS / 4)
        code = self._process.returncode
        if code is None:
            return ""
        how = f"was ended by {_signal_name(-code)}" if code < 0 else f"ended with exit status {code}"
        last = self._log.last
        return f"{how}: {last}" if last else how

    async def stop(self) -> None:
        """Ends it and everything that it started: asked by the end of its input first, then told."""
        with contextlib.suppress(OSError, RuntimeError):
            self.stdin.close()
        if not await self._ended_within(GRACE):
            end_group(self._process.pid, signal.SIGTERM)
            await self._ended_within(TERM_GRACE)
        end_group(self._process.pid, KILL)
        end_marked(self._mark)
        await self._ended_within(EXIT_SECONDS)
        self._stderr.cancel()
        # What left the group and the mark behind may hold the pipes open.
        transport = getattr(self._process, "_transport", None)
        if transport is not None:
            transport.close()

    async def _ended_within(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.exited.wait()
        return self.exited.is_set()

    async def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        rest = b""
        while chunk := await self._process.stderr.read(CHUNK):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines[-LINE_LIMIT:]:
                self._log.add(line[: 2 * LINE_LIMIT].decode(errors="replace"))
            rest = rest[: 2 * LINE_LIMIT]
            # Whoever floods waits for us, not the others that live on this loop.
            await asyncio.sleep(STDERR_PAUSE)
        self._log.add(rest.decode(errors="replace"))


class _ExitProtocol(SubprocessStreamProtocol):
    """Tells of the process's own end, even where a child of its keeps the pipes open."""

    def __init__(self, loop: asyncio.AbstractEventLoop, exited: asyncio.Event) -> None:
        super().__init__(limit=CHUNK, loop=loop)
        self._exited = exited

    def process_exited(self) -> None:
        super().process_exited()
        self._exited.set()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
