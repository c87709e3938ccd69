"""An MCP server that a client starts: through the window of its workspace while there is one, by itself otherwise."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from contextlib import AbstractAsyncContextManager
from typing import Generic, Protocol, TypeVar

import httpx2
import mcp_types as types
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.exceptions import MCPError

from ptc_studio import __version__
from ptc_studio.serving.mcp_protocol import Context, ServedTools
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


UNKNOWN = "The window was closed while the call was under way; whether it was made is not known."
T = TypeVar("T")


class Windows(Protocol):
    """How the window of the workspace is found."""

    def announced(self) -> Address | None:
        """Where it is said to serve; whoever said so may be gone by now."""
        ...

    async def asked(self, dead: Address | None) -> Address | None:
        """Where a window serves that was asked to, and is not the dead one; each window is asked once."""
        ...


class SwitchedTools:
    """Clients start their servers when it suits them, and people open windows later, and close them. On one loop."""

    def __init__(self, windows: Windows, open_own: Callable[[], AbstractAsyncContextManager[ServedTools]]) -> None:
        self.on_changed: Callable[[], None] = lambda: None
        """Called when the list of tools may be another."""
        self._windows, self._open_own = windows, open_own
        self._turn = asyncio.Lock()
        self._address: Address | None = None
        self._dead: Address | None = None
        self._window: _Kept[WindowTools | None] | None = None
        self._own: _Kept[ServedTools] | None = None

    async def open(self) -> None:
        """Finds who answers; raises what keeps the own tools from being opened, if it is those."""
        await self._current()

    async def close(self) -> None:
        """Ends what was opened."""
        await self._leave_window()
        if self._own is not None:
            await self._own.close()

    async def list_tools(self, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return await self._with_tools(lambda tools: tools.list_tools(params))

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tools = await self._current()
        try:
            return await tools.call_tool(ctx, params)
        except WindowGone:
            # Not made again: it may have been.
            text = types.TextContent(type="text", text=UNKNOWN)
            return types.CallToolResult(content=[text], is_error=True)

    async def _with_tools(self, ask: Callable[[ServedTools], Awaitable[T]]) -> T:
        try:
            return await ask(await self._current())
        except WindowGone:
            return await ask(await self._current())

    async def _current(self) -> ServedTools:
        async with self._turn:
            address = await self._find()
            if address != self._address:
                await self._leave_window()
                if address is not None:
                    await self._enter_window(address)
                self.on_changed()
            window = await self._window.value() if self._window else None
            return window or await self._own_tools()

    async def _find(self) -> Address | None:
        window = await self._window.value() if self._window else None
        if window is not None and (window.gone or (self._window and self._window.is_over)):
            # It may be there all the same, for one broken answer ends the SDK's client: then it is entered anew.
            await self._leave_window()
        address = self._windows.announced()
        return address if address not in (None, self._dead) else await self._windows.asked(self._dead)

    async def _enter_window(self, address: Address) -> None:
        self._window = _Kept(through_window(address, lambda: self.on_changed()))
        if await self._window.value() is None:
            self._dead = address
            await self._leave_window()
        else:
            self._address = address

    async def _leave_window(self) -> None:
        window, self._window, self._address = self._window, None, None
        if window is not None:
            await window.close()

    async def _own_tools(self) -> ServedTools:
        if self._own is None:
            self._own = _Kept(self._open_own())
        return await self._own.value()


class _Kept(Generic[T]):
    """A context that one task enters and leaves, whoever asks for what it gives: the SDK's must be."""

    def __init__(self, context: AbstractAsyncContextManager[T]) -> None:
        self._entered: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._over = asyncio.Event()
        self._task = asyncio.ensure_future(self._keep(context))

    async def value(self) -> T:
        """What the context gives; raises what kept it from being entered."""
        return await asyncio.shield(self._entered)

    async def close(self) -> None:
        """Leaves it."""
        self._over.set()
        await asyncio.wait([self._task])

    @property
    def is_over(self) -> bool:
        """Whether it was left, by itself or by us."""
        return self._task.done()

    async def _keep(self, context: AbstractAsyncContextManager[T]) -> None:
        try:
            async with context as value:
                self._entered.set_result(value)
                await self._over.wait()
        except Exception as error:  # noqa: BLE001 - what goes wrong later is told to whoever asks the value for something
            if not self._entered.done():
                self._entered.set_exception(error)
