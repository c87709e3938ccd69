"""The tools that a server lists, page by page, within bounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio.lowlevel

from ptc_studio.core.json_schema import schema_error
from ptc_studio.sources.mcp.checked_messages import FAULTS, TOOLS
from ptc_studio.sources.schema_tool import schema_fault

if TYPE_CHECKING:
    from mcp.client.session import ClientSession
    from mcp_types import Tool

PAGES = 200
NAME_LIMIT = 200
AT_ONCE = 20
"""So many tools are checked before others have their turn, and before it is seen that the time is up."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A part of the list that cannot be used."""

    tool: str
    message: str


@dataclass(slots=True)
class Listing:
    """What a server says that it has."""

    tools: "list[Tool]" = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list[Fault])


async def list_tools(session: "ClientSession") -> Listing:
    """Asks for all pages; a server without tools has an empty list."""
    from mcp.shared.exceptions import MCPError
    from mcp_types import METHOD_NOT_FOUND, PaginatedRequestParams

    listing = Listing()
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(PAGES):
        try:
            page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
        except MCPError as error:
            if error.code == METHOD_NOT_FOUND and not seen:
                return listing
            raise
        listing.faults += [Fault(name, message) for name, message in (page.meta or {}).get(FAULTS, ())]
        await _take(listing, page.tools)
        cursor = page.next_cursor
        if not cursor:
            return listing
        if cursor in seen or len(listing.tools) >= TOOLS:
            break
        seen.add(cursor)
    listing.faults.append(Fault("", "the list has no end: the rest of it is left out"))
    return listing


async def _take(listing: Listing, tools: "list[Tool]") -> None:
    for number, tool in enumerate(tools[: TOOLS - len(listing.tools)]):
        if number % AT_ONCE == 0:
            await anyio.lowlevel.checkpoint()
        fault = _fault(tool)
        if fault is None:
            listing.tools.append(tool)
        else:
            listing.faults.append(Fault(tool.name, fault))


def _fault(definition: "Tool") -> str | None:
    if not definition.name.strip() or len(definition.name) > NAME_LIMIT:
        return "its name is empty or far too long"
    return schema_fault(definition.input_schema) or _output_fault(definition.output_schema)


def _output_fault(schema: Mapping[str, Any] | None) -> str | None:
    if schema is None:
        return None
    error = schema_error(schema)
    return f"its output schema is broken{error}" if error else None
