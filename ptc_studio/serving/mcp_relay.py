"""An MCP server that hands everything on to the window of its workspace, so that the calls are made and seen there."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import mcp_types as types
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from ptc_studio import __version__
from ptc_studio.serving.mcp_server import INSTRUCTIONS
from ptc_studio.serving.tool_service import MCP_PATH, Address

CONNECT_SECONDS = 5.0
LONGEST_CALL = 3_600.0
Context = ServerRequestContext[Any, Any]


@contextlib.asynccontextmanager
async def relay(address: Address) -> AsyncIterator[Server[Any] | None]:
    """The server, as long as this lasts; None if nobody answers there."""
    headers = {"Authorization": f"Bearer {address.token}"}
    limits = httpx2.Timeout(LONGEST_CALL, connect=CONNECT_SECONDS)
    async with httpx2.AsyncClient(headers=headers, timeout=limits) as http:
        if not await _is_there(http, address):
            yield None
            return
        async with Client(streamable_http_client(f"{address.url}{MCP_PATH}", http_client=http)) as client:
            yield _server(client)


async def _is_there(http: httpx2.AsyncClient, address: Address) -> bool:
    """Also whether it is the one that was announced: its job is known there."""
    try:
        answer = await http.get(f"{address.url}/worker/{address.job_id}/tools", timeout=CONNECT_SECONDS)
    except httpx2.HTTPError:
        return False
    return answer.status_code == 200


def _server(client: Client) -> Server[Any]:
    async def list_tools(_ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return await client.list_tools(cursor=params.cursor if params else None)

    async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            await ctx.session.report_progress(progress, total, message)

        return await client.call_tool(params.name, params.arguments, progress_callback=on_progress)

    return Server(
        "ptc-studio", version=__version__, instructions=INSTRUCTIONS, on_list_tools=list_tools, on_call_tool=call_tool
    )
