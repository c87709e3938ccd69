"""One life of a server: from its start until it ends, is lost or is let go; all in the server's owner task."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
from pydantic import ValidationError

from ptc_studio.core.errors import PtcError
from ptc_studio.core.tools import Ticket
from ptc_studio.sources.mcp.http_transport import OLDER, HttpErrors, ResponseHook, http_streams, sse_streams
from ptc_studio.sources.mcp.launch import McpProtocolError, McpServerDown, ServerLaunch
from ptc_studio.sources.mcp.listing import CheckedMessages, ToolListing, list_all
from ptc_studio.sources.mcp.message_log import LoggedStream
from ptc_studio.sources.mcp.oauth import OAuthSettings, SignIn, tell_step
from ptc_studio.sources.mcp.process import MESSAGE_LIMIT, LogLines, MessageTooLong, ServerProcess, stdio_streams
from ptc_studio.sources.mcp.server_requests import LINKS_WANTED, ServerRequests
from ptc_studio.sources.mcp.tool_cache import FORGOTTEN, Method, request_of, result_of_task
from ptc_studio.sources.sign_in import OpenBrowser, SignInFailed, SignIns

if TYPE_CHECKING:
    from mcp.client.client import Client
    from mcp.client.session import ClientSession
    from mcp.shared.dispatcher import ProgressFnT


LIMIT = 300
_ENDS = ("Connection closed", "Session terminated", "SSE stream")


def leaf_of(error: BaseException) -> BaseException:
    """The error that says most: the first in the group that is more than the end of the connection."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    leaves = [leaf_of(part) for part in error.exceptions]
    return next((leaf for leaf in leaves if not is_end(leaf)), leaves[0])


def is_end(error: BaseException | None) -> bool:
    """Whether the connection is gone; by the words, for servers use the library's code for anything."""
    from mcp.shared.exceptions import MCPError

    leaf = None if error is None else leaf_of(error)
    return isinstance(leaf, EOFError) or (isinstance(leaf, MCPError) and leaf.message.startswith(_ENDS))


def refuses_handshake(error: BaseException) -> bool:
    """Whether the server speaks only the newer protocol, or may."""
    from mcp.shared.exceptions import MCPError
    from mcp_types import METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION

    leaf = leaf_of(error)
    return isinstance(leaf, MCPError) and leaf.code in (METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION)


def error_text(error: BaseException) -> str:
    """The error in words: what the server did, and the remedy where there is one."""
    import httpx2
    from mcp.client.auth import OAuthFlowError
    from mcp.shared.exceptions import MCPError

    error = leaf_of(error)
    if isinstance(error, SignInFailed):
        return f"was not signed in to: {_cut(str(error))}"
    if isinstance(error, OAuthFlowError):
        return f"was not signed in to: {_cut(str(error))} (the log has each step)"
    if isinstance(error, MCPError):
        return f"answered with an error: {_cut(error.message)} (code {error.code})"
    if isinstance(error, MessageTooLong):
        return f"sent a message of more than {MESSAGE_LIMIT // 1_000_000} MB"
    if isinstance(error, httpx2.ConnectError):
        return "cannot be reached: start it, or check its address"
    if isinstance(error, httpx2.TimeoutException | TimeoutError):
        return "does not answer in time"
    if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        return f"has an address that is none: {_cut(str(error))}"
    if isinstance(error, httpx2.HTTPError):
        return f"broke the connection: {_cut(str(error)) or type(error).__name__}"
    if isinstance(error, ValidationError):
        return f"answered with something that the protocol does not know: {_cut(_first(error))}"
    return _cut(str(error)) or type(error).__name__


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "…"


class SessionForgotten(Exception):
    """The server does not know the session any longer, and did nothing of what it was asked."""


@dataclass(frozen=True, slots=True)
class SignInRequest:
    """What a connection may use to sign in, and the browser if a person asked for it."""

    sign_ins: SignIns = field(default_factory=SignIns)
    open_browser: OpenBrowser | None = None


LIST_CHANGES = tuple(f"notifications/{kind}/list_changed" for kind in ("tools", "resources", "prompts"))
ROUNDS = 10
STATE_PAUSE = 0.1
FAREWELL = 1.0
NOTICE_PAUSE = 0.1
END_SECONDS = 3.0
Listed = Callable[[ToolListing], None]


class Connection:
    """A connection to a server, of which it has one at a time."""

    def __init__(
        self,
        name: str,
        launch: ServerLaunch,
        log: LogLines,
        start_timeout: float,
        listed: Listed,
        sign_in: SignInRequest,
    ) -> None:
        self._name = name
        self._launch = launch
        self._log = log
        self._start_timeout = start_timeout
        self._listed = listed
        self._sign_in = sign_in
        self._http = HttpErrors()
        self._requests = ServerRequests(name, launch.root, log)
        self._process: ServerProcess | None = None
        self._session: ClientSession | None = None
        self._scope = anyio.CancelScope()
        self._wake = asyncio.Event()
        self._over = False
        self._relist = False
        self._expired = False
        self._lost: BaseException | None = None
        self._ready_since: float | None = None
        self.wants_newer_protocol = False
        self.was_forgotten = False
        """Whether it ended because the server does not know the session any longer."""
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """How it ended, in words."""

    @property
    def is_ready(self) -> bool:
        return self._session is not None and not self._over

    @property
    def seconds_up(self) -> float:
        """How long it has been ready; 0 if it never was."""
        return 0.0 if self._ready_since is None else time.monotonic() - self._ready_since

    @property
    def was_ready(self) -> bool:
        return self._ready_since is not None

    @property
    def wants_older_transport(self) -> bool:
        """Whether the server refused the first message as one of the older transport over HTTP does."""
        refused = not self.was_ready and self._http.status in OLDER
        return bool(self._launch.url) and not self._launch.legacy_sse and refused

    async def run(self, mode: str = "legacy") -> None:
        """The whole life; `ended` says how it went."""
        error: BaseException | None = None
        try:
            await self._live(mode)
        except Exception as raised:  # noqa: BLE001 - whatever the server or the library does, it is an end
            error = raised
            self.wants_newer_protocol = not self.was_ready and refuses_handshake(raised)
        finally:
            self._over = True
            if not self.ended.done():
                self.ended.set_result(self._log.hidden(await self._reason(error or self._lost)))
            if self._process is not None:
                await self._process.stop()

    def let_go(self) -> None:
        """Ends it: politely, then firmly."""
        self._finish(None)
        asyncio.get_running_loop().call_later(FAREWELL, self._scope.cancel)

    async def request(self, method: Method, params: Mapping[str, Any], ticket: Ticket, progress: "ProgressFnT") -> Any:
        """What the server answers; cancelling it tells the server."""
        with self._requests.under_way(ticket):
            for _ in range(ROUNDS):
                result = await self._answered(method, params, ticket, progress)
                if getattr(result, "result_type", "") != "input_required":
                    return result
                given = await self._requests.answers(result.input_requests or {}, ticket)
                params = {**params, "input_responses": given or None, "request_state": result.request_state}
                if not given:
                    await anyio.sleep(STATE_PAUSE)
        raise McpProtocolError(f"The MCP server {self._name!r} asked {ROUNDS} times for more before it answered.")

    async def _answered(
        self, method: Method, params: Mapping[str, Any], ticket: Ticket, progress: "ProgressFnT"
    ) -> Any:
        """The answer; a server that wants an address opened first is asked once more after that."""
        from mcp.shared.exceptions import MCPError

        assert self._session is not None
        request, adapter = request_of(method, params)
        try:
            try:
                answer = await self._session.send_request(request, adapter, progress_callback=progress)
                begun = getattr(answer, "task", None)
                return answer if begun is None else await result_of_task(self._session, begun, progress)
            except MCPError as error:
                if error.code != LINKS_WANTED or not await self._requests.opened_links(error.data, ticket):
                    raise
                return await self._session.send_request(request, adapter, progress_callback=progress)
        except MCPError as error:
            if error.message == FORGOTTEN and self._launch.url and not self.was_forgotten:
                self.was_forgotten = True
                self._finish(error)
                raise SessionForgotten from None
            if self.was_forgotten:
                raise SessionForgotten from None
            if is_end(error):
                raise await self._down(error) from None
            refusal = f" It {self._http.last}." if self._http.last else ""
            message = f"The MCP server {self._name!r} refused the call: {error.message} (code {error.code}).{refusal}"
            raise McpProtocolError(self._log.hidden(message), error.code) from None
        except ValidationError as error:
            raise McpProtocolError(f"The MCP server {self._name!r} {error_text(error)}.") from None

    async def _live(self, mode: str) -> None:
        if self._launch.program:
            self._process = await ServerProcess.start(self._launch, self._log)
        with self._scope:
            timer = asyncio.get_running_loop().call_later(self._start_timeout, self._expire)
            try:
                async with self._client(mode) as client:
                    listing = await list_all(client.session)
                    timer.cancel()
                    self._session, self._ready_since = client.session, time.monotonic()
                    self._listed(listing)
                    await self._attend(client)
            finally:
                timer.cancel()

    def _client(self, mode: str) -> "Client":
        from mcp.client.client import Client
        from mcp_types import Implementation

        return Client(
            self._streams(),
            mode=mode,
            cache=None,
            client_info=Implementation(name="ptc-studio", version="1"),
            list_roots_callback=self._requests.roots,
            elicitation_callback=self._requests.elicit,
            sampling_callback=self._requests.sample,
            logging_callback=self._on_log,
            message_handler=self._on_message,
        )

    @asynccontextmanager
    async def _streams(self) -> AsyncIterator[Any]:
        if self._process is not None:
            async with stdio_streams(self._process, self._log) as (messages, outgoing):
                yield CheckedMessages(messages, self._finish, None), outgoing
            return
        log = self._log.messages
        async with self._signed_in_streams() as (messages, outgoing):
            yield CheckedMessages(messages, self._finish, log), LoggedStream(outgoing, log)

    @asynccontextmanager
    async def _signed_in_streams(self) -> AsyncIterator[Any]:
        """With the tokens of a sign-in, where there are some or a person is about to sign in."""
        launch, wanted = self._launch, self._sign_in
        own = OAuthSettings(**launch.oauth)
        sign_in = SignIn(self._name, launch.url, own, wanted.sign_ins, self._log)
        named = any(name.lower() == "authorization" for name in launch.headers)
        known = wanted.open_browser is not None or await asyncio.to_thread(lambda: sign_in.tokens.has_tokens)
        if named or not known:
            async with self._transport(None, ()) as streams:
                yield streams
            return
        provider, redirect = await sign_in.provider(wanted.open_browser, self._may_browse)
        try:
            tell = partial(tell_step, log=self._log, server_url=launch.url)
            async with self._transport(provider, (tell,)) as streams:
                yield streams
        finally:
            redirect.close()

    def _transport(self, auth: Any, hooks: "Sequence[ResponseHook]") -> Any:
        streams = sse_streams if self._launch.legacy_sse else http_streams
        return streams(self._launch, self._http, auth, hooks)

    def _may_browse(self) -> bool:
        """A person is asked while somebody waits for it: at the start, or in a call that needs more rights."""
        return not self._over and (self._session is None or self._requests.calls > 0)

    async def _attend(self, client: "Client") -> None:
        """Waits for the end, and lists the tools anew whenever the server says that they changed."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._listen, client)
            while not self._over:
                await self._wake.wait()
                self._wake.clear()
                if self._relist and not self._over:
                    self._relist = False
                    with anyio.fail_after(self._start_timeout):
                        self._listed(await list_all(client.session))
                    await anyio.sleep(NOTICE_PAUSE)
            group.cancel_scope.cancel()

    async def _listen(self, client: "Client") -> None:
        """Servers of the newer protocol tell of changes to those only who ask for it."""
        from mcp.shared.exceptions import MCPError
        from mcp_types.version import MODERN_PROTOCOL_VERSIONS

        if client.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            return
        try:
            async with client.listen(
                tools_list_changed=True, resources_list_changed=True, prompts_list_changed=True
            ) as changes:
                async for _ in changes:
                    self._tools_changed()
        except (MCPError, TimeoutError, OSError, RuntimeError):
            self._log.add("The server tells nothing of changes to its tools.")

    async def _on_log(self, params: Any) -> None:
        data = params.data if isinstance(params.data, str) else repr(params.data)
        self._log.add(f"{params.level}: {data}")

    async def _on_message(self, message: Any) -> None:
        if getattr(message, "method", "") in LIST_CHANGES:
            self._tools_changed()

    def _tools_changed(self) -> None:
        self._relist = True
        self._wake.set()

    def _expire(self) -> None:
        self._expired = True
        self._scope.cancel()

    def _finish(self, error: BaseException | None) -> None:
        self._over = True
        self._lost = self._lost or error
        self._wake.set()

    async def _down(self, error: BaseException) -> McpServerDown:
        """The error of a call that was under way when the connection was lost."""
        self._finish(error)
        try:
            async with asyncio.timeout(END_SECONDS):
                how = await asyncio.shield(self.ended)
        except TimeoutError:
            how = "closed its output"
        return McpServerDown(f"The MCP server {self._name!r} {how}. The call was under way, it is not repeated.")

    async def _reason(self, error: BaseException | None) -> str:
        if self._expired:
            heard = self._log.telling
            hint = f". Its last line was: {heard}" if heard else ""
            return f"did not list its tools within {self._start_timeout:g} s; `start_timeout` gives it more{hint}"
        if self._process is not None and is_end(error) and (text := await self._process.end_text()):
            return text
        if self._http.last and not isinstance(leaf_of(error) if error else None, PtcError):
            return self._http.last
        if error is None:
            return "was ended"
        return "closed its output" if is_end(error) else error_text(error)
