"""The SDK's server over whatever tools there are; clients are told when these change, each in its protocol's way."""

import asyncio
from typing import Any, Protocol

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from ptc_studio import __version__

INSTRUCTIONS = (
    "The tools can be called one by one, or many of them from one script with run_script, which is quicker and keeps "
    "what lies between out of the conversation: only what the script prints and its last value come back."
)
MOST_CLIENTS = 200
Context = ServerRequestContext[Any, Any]


class ServedTools(Protocol):
    """What clients list and call."""

    async def list_tools(self, params: types.PaginatedRequestParams | None) -> types.ListToolsResult: ...

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult: ...


class ToolServer:
    """Serves the tools over any transport, and tells of changes. On one loop."""

    def __init__(self, tools: ServedTools) -> None:
        self._tools = tools
        self._bus = InMemorySubscriptionBus()
        self._listeners = ListenHandler(self._bus)
        self._clients: dict[str, Any] = {}
        """Of the older protocol, by their sessions: the last request of each leads to it."""
        self._telling: set[asyncio.Task[None]] = set()
        self.sdk = _Server(
            "ptc-studio",
            version=__version__,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=tools.call_tool,
            on_subscriptions_listen=self._listeners,
        )

    def tell_changed(self) -> None:
        """Has every client told that the list of tools is another."""
        # The loop keeps only weak references to its tasks.
        self._telling.add(task := asyncio.ensure_future(self._tell()))
        task.add_done_callback(self._telling.discard)

    def close(self) -> None:
        """Ends what clients listen to."""
        self._listeners.close()

    async def _list_tools(self, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if ctx.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
            self._remember(ctx)
        return await self._tools.list_tools(params)

    def _remember(self, ctx: Context) -> None:
        key = ctx.request.headers.get("mcp-session-id", "") if ctx.request is not None else ""
        self._clients.pop(key, None)
        self._clients[key] = ctx.session
        if len(self._clients) > MOST_CLIENTS:
            del self._clients[next(iter(self._clients))]

    async def _tell(self) -> None:
        await self._bus.publish(ToolsListChanged())
        for key, client in list(self._clients.items()):
            try:
                await client.send_tool_list_changed()
            except Exception:  # noqa: BLE001 - whoever is gone need not be told, in whatever way that shows
                self._clients.pop(key, None)


class _Server(Server[Any]):
    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *more: Any, **named: Any
    ) -> InitializationOptions:
        """Says of the older protocol, too, that the list may change."""
        changing = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(changing, *more, **named)
