"""The two transports over HTTP, and the refusals of a server there in words."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ptc_studio.sources.mcp.launch import ServerLaunch
from ptc_studio.sources.mcp.process import MESSAGE_LIMIT

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

ResponseHook = Callable[[Any], Awaitable[None]]
CONNECT_SECONDS = 10.0
READ_SECONDS = 310.0
_REMEDIES = {
    401: "sign in at the source, or give it a valid token under `headers`",
    403: "give it a token that may do this under `headers`",
    404: "check the path of its address",
    405: "check the path of its address",
}


OLDER = (400, 404, 405)
"""How a server of the older transport answers to the first message of the newer one."""


@dataclass(slots=True)
class HttpErrors:
    """The last answer that was a refusal, in words; empty after one that was none."""

    last: str = ""
    status: int = 0

    async def note(self, response: Any) -> None:
        """Looks at an answer; that there is no stream of notices (GET) is usual."""
        if response.request.method != "POST":
            return
        self.last, self.status = "", response.status_code
        if response.status_code >= 400:
            remedy = _REMEDIES.get(response.status_code, "look at the server's own log")
            self.last = f"answered {response.status_code} {response.reason_phrase}: {remedy}"


@asynccontextmanager
async def http_streams(
    launch: ServerLaunch, errors: HttpErrors, auth: Any, hooks: "Sequence[ResponseHook]"
) -> "AsyncIterator[TransportStreams]":
    """The streams; raises the library's errors, in groups."""
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    client = httpx2.AsyncClient(
        headers=launch.headers,
        auth=auth,
        timeout=httpx2.Timeout(CONNECT_SECONDS, read=READ_SECONDS),
        event_hooks={"response": [errors.note, *hooks]},
    )
    async with (
        client,
        streamable_http_client(launch.url, http_client=client, max_sse_event_size=MESSAGE_LIMIT) as streams,
    ):
        yield streams


@asynccontextmanager
async def sse_streams(
    launch: ServerLaunch, errors: HttpErrors, auth: Any, hooks: "Sequence[ResponseHook]"
) -> "AsyncIterator[TransportStreams]":
    """The same for a server of the older transport: one stream of events, and an address for messages in it."""
    import httpx2
    from mcp.client.sse import sse_client

    def client(headers: Any = None, timeout: Any = None, auth: Any = None) -> Any:
        noted = {"response": [errors.note, *hooks]}
        return httpx2.AsyncClient(headers=headers, timeout=timeout, auth=auth, event_hooks=noted)

    waits: dict[str, Any] = {"timeout": CONNECT_SECONDS, "sse_read_timeout": READ_SECONDS}
    async with sse_client(launch.url, launch.headers, auth=auth, httpx_client_factory=client, **waits) as streams:
        yield streams
