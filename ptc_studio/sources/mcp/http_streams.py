"""Messages over streamable HTTP, and the faults of it that the library does not pass on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ptc_studio.sources.mcp.launch import Launch
from ptc_studio.sources.mcp.process import MESSAGE_LIMIT

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

CONNECT_SECONDS = 10.0
READ_SECONDS = 310.0
_REMEDIES = {
    401: "give it a valid token under `headers`",
    403: "give it a token that may do this under `headers`",
    404: "check the path of its address",
    405: "check the path of its address",
}


@dataclass(slots=True)
class HttpFaults:
    """The last answer that was a refusal, in words; empty after one that was none."""

    last: str = ""

    async def note(self, response: Any) -> None:
        """Looks at an answer; that there is no stream of notices (GET) is usual."""
        if response.request.method != "POST":
            return
        self.last = ""
        if response.status_code >= 400:
            remedy = _REMEDIES.get(response.status_code, "look at the server's own log")
            self.last = f"answered {response.status_code} {response.reason_phrase}: {remedy}"


@asynccontextmanager
async def http_streams(launch: Launch, faults: HttpFaults) -> "AsyncIterator[TransportStreams]":
    """The streams; raises the library's errors, in groups."""
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    client = httpx2.AsyncClient(
        headers=launch.headers,
        timeout=httpx2.Timeout(CONNECT_SECONDS, read=READ_SECONDS),
        event_hooks={"response": [faults.note]},
    )
    async with (
        client,
        streamable_http_client(launch.url, http_client=client, max_sse_event_size=MESSAGE_LIMIT) as streams,
    ):
        yield streams
