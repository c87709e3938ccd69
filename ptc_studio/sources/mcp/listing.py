"""The tools, resources and prompts that a server lists, page by page, within bounds."""

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import anyio
import anyio.lowlevel
from pydantic import ValidationError

from ptc_studio.core.schema_validation import schema_error
from ptc_studio.core.tools import JsonSchema, Ticket, ToolSpec
from ptc_studio.sources.mcp.message_log import MessageLog
from ptc_studio.sources.schema_tool import SchemaTool, schema_problem, signature_of

if TYPE_CHECKING:
    from mcp.client._transport import ReadStream
    from mcp.client.session import ClientSession
    from mcp.shared.message import SessionMessage
    from mcp_types import Tool

    from ptc_studio.sources.mcp.tool_cache import Ask


RESOURCE_PAGES = 50
KEPT = 1000
NAMED = 40
"""So many are named in a tool's documentation."""
ABOUT = 160


@dataclass(frozen=True, slots=True)
class Offered:
    """A resource, a pattern of addresses, or a prompt."""

    name: str
    """The address, the pattern or the prompt's name."""
    about: str = ""
    arguments: tuple[tuple[str, bool], ...] = ()
    """Names of a prompt's arguments, and whether each is required."""

    @property
    def line(self) -> str:
        taken = ", ".join(name if required else f"{name}?" for name, required in self.arguments)
        words = " ".join(self.about.split())[:ABOUT]
        return f"{self.name}{f'({taken})' if taken else ''}{f': {words}' if words else ''}"


@dataclass(frozen=True, slots=True)
class Library:
    """What a server has beside its tools; None where it has no such thing at all."""

    resources: tuple[Offered, ...] | None = None
    templates: tuple[Offered, ...] = ()
    prompts: tuple[Offered, ...] | None = None

    @property
    def counts(self) -> str:
        """`7 resources, 4 prompts`; empty without any."""
        named = ((len(self.resources or ()), "resource"), (len(self.prompts or ()), "prompt"))
        return ", ".join(f"{count} {word}{'' if count == 1 else 's'}" for count, word in named if count)


async def list_library(session: "ClientSession") -> Library:
    """Asks for what the server says that it has; a list that it does not give after all is empty."""
    has = session.server_capabilities
    resources = templates = prompts = None
    if has is not None and has.resources is not None:
        resources = await _all(session.list_resources, "resources", "uri")
        templates = await _all(session.list_resource_templates, "resource_templates", "uri_template")
    if has is not None and has.prompts is not None:
        prompts = await _all(session.list_prompts, "prompts", "name")
    return Library(resources, templates or (), prompts)


async def _all(ask: Callable[..., Awaitable[Any]], field: str, name: str) -> tuple[Offered, ...]:
    from mcp.shared.exceptions import MCPError
    from mcp_types import PaginatedRequestParams
    from pydantic import ValidationError

    from ptc_studio.sources.mcp.connection import is_end

    found: list[Offered] = []
    cursor: str | None = None
    for _ in range(RESOURCE_PAGES):
        try:
            page = await ask(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
        except ValidationError:
            break
        except MCPError as error:
            if is_end(error):
                raise
            break
        found += [_offered(item, name) for item in getattr(page, field)]
        cursor = page.next_cursor
        if not cursor or len(found) >= KEPT:
            break
    return tuple(found[:KEPT])


def _offered(item: Any, name: str) -> Offered:
    own = str(getattr(item, name))
    about = item.description or item.title or (item.name if item.name != own else "") or ""
    arguments = tuple((each.name, bool(each.required)) for each in getattr(item, "arguments", None) or ())
    return Offered(own, about, arguments)


def library_tools(library: Library, source: str, taken: Iterable[str], ask: "Ask") -> list[SchemaTool]:
    """The two tools, for as much as there is; a tool of the server's that has the name already goes first."""
    made: list[SchemaTool] = []
    if library.resources is not None and "resource" not in taken:
        made.append(_resource_tool(library, source, ask))
    if library.prompts is not None and "prompt" not in taken:
        made.append(_prompt_tool(library.prompts, source, ask))
    return made


def _resource_tool(library: Library, source: str, ask: "Ask") -> SchemaTool:
    about = "Reads a resource of the server by its address."
    schema = {
        "type": "object",
        "properties": {
            "uri": {
                "type": "string",
                "description": "The address of the resource.",
                "examples": [each.name for each in (library.resources or ())[:NAMED]],
            }
        },
        "required": ["uri"],
        "additionalProperties": False,
    }
    parts = [about, *_listed("Resources", library.resources or ()), *_listed("Patterns", library.templates)]

    def answer(arguments: dict[str, Any], ticket: Ticket) -> Any:
        return resource_value(ask("resources/read", {"uri": arguments["uri"]}, ticket))

    return SchemaTool(_spec(source, "resource", about, schema, parts), answer)


def _prompt_tool(prompts: tuple[Offered, ...], source: str, ask: "Ask") -> SchemaTool:
    about = "Gives the messages of a prompt of the server, filled in with the arguments."
    schema = {
        "type": "object",
        "properties": {
            "name": {
                "type": "string",
                "description": "The prompt's name.",
                "examples": [each.name for each in prompts[:NAMED]],
            },
            "arguments": {
                "type": "object",
                "description": "What the prompt is filled in with.",
                "additionalProperties": {"type": "string"},
                "default": {},
            },
        },
        "required": ["name"],
        "additionalProperties": False,
    }

    def answer(arguments: dict[str, Any], ticket: Ticket) -> Any:
        result = ask("prompts/get", {"arguments": {}, **arguments}, ticket)
        return result.model_dump(mode="json", by_alias=True, exclude_none=True, include={"description", "messages"})

    return SchemaTool(_spec(source, "prompt", about, schema, [about, *_listed("Prompts", prompts)]), answer)


def _spec(source: str, name: str, about: str, schema: JsonSchema, parts: list[str]) -> ToolSpec:
    return ToolSpec(
        name=f"{source}.{name}",
        description=about,
        parameters=schema,
        source=source,
        signature=signature_of(schema),
        doc="\n\n".join(parts),
        origin=f"MCP server {source}",
    )


def _listed(title: str, offered: tuple[Offered, ...]) -> list[str]:
    if not offered:
        return []
    more = f"{len(offered) - NAMED:,} more" if len(offered) > NAMED else ""
    return [f"{title}:", *(each.line for each in offered[:NAMED]), *filter(None, [more])]


def resource_value(result: Any) -> Any:
    """The text of a resource that is one text; else its parts as the protocol has them."""
    parts: list[Mapping[str, Any]] = [
        part.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"meta"}) for part in result.contents
    ]
    if len(parts) == 1:
        return parts[0].get("text", parts[0])
    return parts


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
