"""Resources and prompts of a server: listed within bounds, and read by two tools, `resource` and `prompt`."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ptc_studio.core.tools import JsonSchema, Ticket, ToolSpec
from ptc_studio.sources.schema_tool import SchemaTool, signature_of

if TYPE_CHECKING:
    from mcp.client.session import ClientSession

    from ptc_studio.sources.mcp.tool_cache import Ask


PAGES = 50
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
    for _ in range(PAGES):
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
