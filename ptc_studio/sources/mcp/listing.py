"""The tools that a server lists, page by page, within bounds."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import anyio
import anyio.lowlevel
from pydantic import ValidationError

from ptc_studio.core.schema_validation import schema_error
from ptc_studio.sources.mcp.message_log import MessageLog
from ptc_studio.sources.mcp.resources import Library, list_library
from ptc_studio.sources.schema_tool import schema_problem

if TYPE_CHECKING:
    from mcp.client._transport import ReadStream
    from mcp.client.session import ClientSession
    from mcp.shared.message import SessionMessage
    from mcp_types import Tool


BROKEN_TOOLS = "ptc-studio/faults"
TOOLS = 10_000
"""So many tools of a server are looked at."""
BURST = 256
PAUSE = 0.01
LOGS_A_SECOND = 200
VERSION = "2025-11-25"
Ended = Callable[[BaseException], None]


class CheckedMessages:
    """A stream of messages: broken tools of a list become errors in its `_meta`, and floods are slowed down."""

    def __init__(
        self, messages: "ReadStream[SessionMessage | Exception]", ended: Ended, log: MessageLog | None
    ) -> None:
        """`log`: where messages are logged of which nobody has seen the line."""
        self._messages = messages
        self._log = log
        self._ended = ended
        self._notices = 0
        self._logs = 0
        self._second = 0

    @property
    def last_context(self) -> Any:
        """Which the library looks for on streams of its own."""
        return getattr(self._messages, "last_context", None)

    async def receive(self) -> "SessionMessage | Exception":
        return await self.__anext__()

    async def aclose(self) -> None:
        await self._messages.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> "SessionMessage | Exception":
        while True:
            try:
                item = await self._messages.__anext__()
            except StopAsyncIteration:
                self._ended(EOFError())
                raise
            if await self._wanted(item):
                return item

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _wanted(self, item: "SessionMessage | Exception") -> bool:
        message = getattr(item, "message", None)
        if self._log is not None and message is not None:
            self._log.add(message, sent=False)
        result = getattr(message, "result", None)
        if isinstance(result, dict) and isinstance(result.get("tools"), list):
            await _sift(result)
        elif isinstance(result, dict) and isinstance(result.get("task"), dict):
            # The library takes every answer to a call for the result itself, and would refuse that of a task.
            result.setdefault("content", [])
        elif result is None and getattr(message, "id", None) is None:
            self._notices += 1
            if self._notices % BURST == 0:
                # The server waits meanwhile, for its pipe or connection is full.
                await anyio.sleep(PAUSE)
            return getattr(message, "method", "") != "notifications/message" or self._log_fits()
        return True

    def _log_fits(self) -> bool:
        second = int(time.monotonic())
        self._logs = self._logs + 1 if second == self._second else 1
        self._second = second
        return self._logs <= LOGS_A_SECOND


async def _sift(result: dict[str, Any]) -> None:
    sound: list[Any] = []
    broken: list[list[str]] = []
    if len(result["tools"]) > TOOLS:
        broken.append(["", f"it lists more than {TOOLS:,} tools: the rest of them is left out"])
    for number, tool in enumerate(result["tools"][:TOOLS], 1):
        if number % BURST == 0:
            await anyio.lowlevel.checkpoint()
        error = _message_error(tool)
        if error is None:
            sound.append(tool)
        else:
            named = isinstance(tool, dict) and isinstance(tool.get("name"), str)
            broken.append([tool["name"] if named else f"number {number}", error])
    result["tools"] = sound
    if broken:
        meta = result.get("_meta")
        result["_meta"] = {**(meta if isinstance(meta, dict) else {}), BROKEN_TOOLS: broken}


def _message_error(tool: Any) -> str | None:
    from mcp_types.methods import validate_server_result

    schema = tool.get("inputSchema") if isinstance(tool, dict) else None
    if isinstance(schema, dict):
        # Many servers leave it out, and nobody is in doubt.
        schema.setdefault("type", "object")
    try:
        validate_server_result("tools/list", VERSION, {"tools": [tool]})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        location = ".".join(str(step) for step in first["loc"][2:])
        return f"{location!r} is wrong: {first['msg']}" if location else first["msg"]
    return None


PAGES = 200
NAME_LIMIT = 200
AT_ONCE = 20
"""So many tools are checked before others have their turn, and before it is seen that the time is up."""


@dataclass(frozen=True, slots=True)
class ListingError:
    """A part of the list that cannot be used."""

    tool: str
    message: str


@dataclass(slots=True)
class ToolListing:
    """What a server says that it has."""

    tools: "list[Tool]" = field(default_factory=list)
    errors: list[ListingError] = field(default_factory=list[ListingError])
    library: Library = field(default_factory=Library)


async def list_all(session: "ClientSession") -> ToolListing:
    """The tools, and what the server has beside them."""
    listing = await list_tools(session)
    listing.library = await list_library(session)
    return listing


async def list_tools(session: "ClientSession") -> ToolListing:
    """Asks for all pages; a server without tools has an empty list."""
    from mcp.shared.exceptions import MCPError
    from mcp_types import METHOD_NOT_FOUND, PaginatedRequestParams

    listing = ToolListing()
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(PAGES):
        try:
            page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
        except MCPError as error:
            if error.code == METHOD_NOT_FOUND and not seen:
                return listing
            raise
        listing.errors += [ListingError(name, message) for name, message in (page.meta or {}).get(BROKEN_TOOLS, ())]
        await _take(listing, page.tools)
        cursor = page.next_cursor
        if not cursor:
            return listing
        if cursor in seen or len(listing.tools) >= TOOLS:
            break
        seen.add(cursor)
    listing.errors.append(ListingError("", "the list has no end: the rest of it is left out"))
    return listing


async def _take(listing: ToolListing, tools: "list[Tool]") -> None:
    for number, tool in enumerate(tools[: TOOLS - len(listing.tools)]):
        if number % AT_ONCE == 0:
            await anyio.lowlevel.checkpoint()
        error = _definition_error(tool)
        if error is None:
            listing.tools.append(tool)
        else:
            listing.errors.append(ListingError(tool.name, error))


def _definition_error(definition: "Tool") -> str | None:
    if not definition.name.strip() or len(definition.name) > NAME_LIMIT:
        return "its name is empty or far too long"
    return schema_problem(definition.input_schema) or _output_error(definition.output_schema)


def _output_error(schema: Mapping[str, Any] | None) -> str | None:
    if schema is None:
        return None
    error = schema_error(schema)
    return f"its output schema is broken{error}" if error else None
