"""The process of a server that is a command: its start, its streams, its end."""

import asyncio
import contextlib
import json
import re
import signal
import threading
from asyncio.subprocess import PIPE, Process, SubprocessStreamProtocol
from collections import deque
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Self

import anyio

from ptc_studio.processes.process_tree import (
    VARIABLE,
    kill_left_behind,
    kill_process_tree,
    new_mark,
    signal_group,
    signal_name,
)
from ptc_studio.sources.mcp.launch import ServerLaunch
from ptc_studio.sources.mcp.message_log import MessageLog

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams
    from mcp.shared.message import SessionMessage


KEPT = 200
LINE_LIMIT = 1000
HIDDEN = "•••"


class LogLines:
    """A bounded log; every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: deque[str] = deque(maxlen=KEPT)
        self._secrets: tuple[str, ...] = ()
        self.messages = MessageLog()

    def hide(self, secrets: Iterable[str]) -> None:
        """Has these values hidden from now on, the longest first."""
        self._secrets = tuple(sorted({*self._secrets, *filter(None, secrets)}, key=len, reverse=True))

    def add(self, line: str) -> None:
        """Appends a line, cut and cleaned."""
        line = self.hidden(line.rstrip())[:LINE_LIMIT]
        if line:
            with self._lock:
                self._lines.append(line)

    def hidden(self, text: str) -> str:
        """The text without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text

    @property
    def lines(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._lines)

    @property
    def telling(self) -> str:
        """The line that says what went wrong, as far as one does; else the last one; empty if there is none."""
        lines = self.lines
        return next((line for line in reversed(lines) if _ERROR.search(line) and not _NOISE.search(line)), "") or next(
            (line for line in reversed(lines) if not _NOISE.search(line)), lines[-1] if lines else ""
        )


_ERROR = re.compile(
    r"(?:\w+(?:Error|Exception)\b|\b(?:error|fatal|panic|failed|cannot|could not|missing|required|not found|denied"
    r"|no such|is not (?:set|in|recognized|defined)|invalid|unknown|usage:))",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"^\W*$|^\s+at |^\s*(?:code|requireStack|errno|syscall):|^Node\.js v|^npm (?:notice|warn)|complete log of this run"
    r"|^npm (?:error|ERR!)(?: code)? \w*$|note that you can|^Traceback |^\s+File \"|^\s*[\^~]+\s*$|^Thrown at:",
    re.IGNORECASE,
)
"""What stands around the line that matters: stacks, codes, versions, advice."""


CHUNK = 2**16
MESSAGE_LIMIT = 128_000_000
GRACE = 1.0
TERM_GRACE = 0.5
EXIT_SECONDS = 1.0
STDERR_PAUSE = 0.005


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
    async def start(cls, launch: ServerLaunch, log: LogLines) -> Self:
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
        """How it ended, with the line that says why; empty if it runs."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(EXIT_SECONDS):
                await self.exited.wait()
                await asyncio.wait({self._stderr}, timeout=EXIT_SECONDS / 4)
        code = self._process.returncode
        if code is None:
            return ""
        name = signal_name(code)
        how = f"was ended by {name}" if name else f"ended with exit status {code}"
        why = self._log.telling
        return f"{how}: {why}" if why else how

    async def stop(self) -> None:
        """Ends it and everything that it started: asked by the end of its input first, then told."""
        with contextlib.suppress(OSError, RuntimeError):
            self.stdin.close()
        if not await self._ended_within(GRACE):
            signal_group(self._process.pid, signal.SIGTERM)
            await self._ended_within(TERM_GRACE)
        kill_process_tree(self._process.pid)
        kill_left_behind(self._mark)
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


LAST_WORDS = 0.2
ECHO = 120
INVALID_ANSWER = -32700


@asynccontextmanager
async def stdio_streams(process: ServerProcess, log: LogLines) -> "AsyncIterator[TransportStreams]":
    """The streams, until the process or its output ends."""
    received, messages = anyio.create_memory_object_stream["SessionMessage | Exception"](0)
    sent, outgoing = anyio.create_memory_object_stream["SessionMessage"](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_read, process, received, log)
        group.start_soon(_write, process, outgoing, log)
        try:
            yield messages, sent
        finally:
            group.cancel_scope.cancel()
            for stream in (received, messages, sent, outgoing):
                stream.close()


async def _read(process: ServerProcess, received: Any, log: LogLines) -> None:
    async with received, anyio.create_task_group() as group:
        group.start_soon(_end_after, process, group.cancel_scope)
        async for line in process.lines():
            if line.strip():
                log.messages.add_line(line, sent=False)
                message = _message(line, log)
                if message is not None:
                    await received.send(message)
        group.cancel_scope.cancel()


async def _end_after(process: ServerProcess, scope: anyio.CancelScope) -> None:
    """A child of the server may keep its output open after it has ended."""
    await process.exited.wait()
    await anyio.sleep(LAST_WORDS)
    scope.cancel()


async def _write(process: ServerProcess, outgoing: Any, log: LogLines) -> None:
    async with outgoing:
        async for item in outgoing:
            line = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
            log.messages.add_line(line, sent=True)
            process.stdin.write(line + b"\n")
            try:
                await process.stdin.drain()
            except OSError:
                # Its end is noticed where its output is read.
                return


def _message(line: bytes, log: LogLines) -> "SessionMessage | None":
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        log.add(f"stdout, no message: {line[:ECHO].decode(errors='replace')}")
        return _failed_answer(line)


def _failed_answer(line: bytes) -> "SessionMessage | None":
    """For an answer that is wrong in itself: whoever waits for it is told, and does not wait for ever."""
    from mcp.shared.message import SessionMessage
    from mcp_types import ErrorData, JSONRPCError

    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(answer, dict) or "method" in answer or type(answer.get("id")) not in (int, str):
        return None
    error = ErrorData(code=INVALID_ANSWER, message="The answer is none that the protocol knows")
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=answer["id"], error=error))
