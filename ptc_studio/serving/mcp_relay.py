"""The tools as the window of a workspace serves them, for an MCP server that a client started."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Generator

import httpx2
import mcp_types as types
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError

from ptc_studio import __version__
from ptc_studio.serving.mcp_protocol import Context
from ptc_studio.serving.tool_service import MCP_PATH, Address

CONNECT_SECONDS = 5.0
LONGEST_CALL = 3_600.0


class WindowGone(Exception):
    """The window does not serve any longer; whether it did what it was asked is not known."""


class WindowTools:
    """Hands everything on to a window, so that the calls are made and seen there."""

    def __init__(self, client: Client, http: httpx2.AsyncClient, address: Address) -> None:
        self._client, self._http, self._address = client, http, address
        self.gone = False
        """Whether it serves no longer."""

    async def list_tools(self, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        with self._while_there():
            return await self._client.list_tools(cursor=params.cursor if params else None)

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            await ctx.session.report_progress(progress, total, message)

        with self._while_there():
            return await self._client.call_tool(params.name, params.arguments, progress_callback=on_progress)

    async def is_there(self) -> bool:
        """Also whether it is the one that was announced: its job is known there."""
        url = f"{self._address.url}/worker/{self._address.job_id}/tools"
        try:
            answer = await self._http.get(url, timeout=CONNECT_SECONDS)
        except httpx2.HTTPError:
            return False
        return answer.status_code == 200

    async def listen(self, changed: Callable[[], None]) -> None:
        """Tells of each change of the tools, and of the end of the window, which is the last."""
        try:
            async with self._client.listen(tools_list_changed=True) as events:
                async for _ in events:
                    changed()
        except (MCPError, SubscriptionLost, httpx2.HTTPError, TimeoutError):
            """It was not told before."""
        self.gone = True
        changed()

    @contextlib.contextmanager
    def _while_there(self) -> Generator[None]:
        try:
            yield
        except (httpx2.HTTPError, OSError, MCPError) as error:
            if isinstance(error, MCPError) and error.code != types.CONNECTION_CLOSED:
                raise
            raise WindowGone(f"The window of this workspace did not answer: {error}") from error


@contextlib.asynccontextmanager
async def through_window(address: Address, changed: Callable[[], None]) -> AsyncIterator[WindowTools | None]:
    """Its tools, as long as this lasts; None if nobody answers there. It is told when they change, or are gone."""
    headers = {"Authorization": f"Bearer {address.token}"}
    limits = httpx2.Timeout(LONGEST_CALL, connect=CONNECT_SECONDS)
    async with httpx2.AsyncClient(headers=headers, timeout=limits) as http:
        transport = streamable_http_client(f"{address.url}{MCP_PATH}", http_client=http)
        client = Client(transport, client_info=types.Implementation(name="ptc-studio mcp", version=__version__))
        tools = WindowTools(client, http, address)
        if not await tools.is_there():
            yield None
            return
        async with client:
            listening = asyncio.ensure_future(tools.listen(changed))
            try:
                yield tools
            finally:
                listening.cancel()
                await asyncio.wait([listening])
