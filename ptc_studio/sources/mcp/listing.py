"""The tools that a server lists, page by page, within bounds."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ptc_studio.sources.mcp.checked_messages import FAULTS

if TYPE_CHECKING:
    from mcp.client.session import ClientSession
    from mcp_types import Tool

PAGES = 200
TOOLS = 10_000


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
        listing.tools += page.tools
        listing.faults += [Fault(name, message) for name, message in (page.meta or {}).get(FAULTS, ())]
        cursor = page.next_cursor
        if not cursor:
            return listing
        if cursor in seen or len(listing.tools) > TOOLS:
            break
        seen.add(cursor)
    listing.faults.append(Fault("", "the list has no end: the rest of it is left out"))
    return listing
