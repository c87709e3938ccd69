"""Messages over the pipes of a server's process, as streams that the library reads and writes.

The library's own transport tells neither how the process ended nor what it wrote, and takes a time that grows with the
square of a message's length.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio

from ptc_studio.sources.mcp.log_lines import LogLines
from ptc_studio.sources.mcp.process import ServerProcess

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams
    from mcp.shared.message import SessionMessage

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
        group.start_soon(_write, process, outgoing)
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
                message = _message(line, log)
                if message is not None:
                    await received.send(message)
        group.cancel_scope.cancel()


async def _end_after(process: ServerProcess, scope: anyio.CancelScope) -> None:
    """A child of the server may keep its output open after it has ended."""
    await process.exited.wait()
    await anyio.sleep(LAST_WORDS)
    scope.cancel()


async def _write(process: ServerProcess, outgoing: Any) -> None:
    async with outgoing:
        async for item in outgoing:
            process.stdin.write(item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
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
