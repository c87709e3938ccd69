"""Uvicorn on the running loop, on a loopback address alone, with connections that cannot be held open for nothing."""

import asyncio
import contextlib
import math
import socket
from collections.abc import Generator
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ptc_studio.core.errors import PtcError
from ptc_studio.gateway.http.gate import Gate, HttpLimits

HOST = "127.0.0.1"
HEAD_SECONDS = 10.0
"""Within which the head of a request must have come, from the moment of the connection on."""
IDLE_SECONDS = 30
MOST_CONNECTIONS = 1_000
STOPPING_SECONDS = 3
BACKLOG = 512
_SAID = b'{"success":false,"error":"This is not a proper HTTP request."}'
MALFORMED = b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: %d\r\n" % len(_SAID)
MALFORMED += b"connection: close\r\n\r\n" + _SAID


class CannotServe(PtcError):
    """The address cannot be used; the message says why."""


def loopback_socket(port: int = 0) -> socket.socket:
    """A socket that only this machine can reach; raises CannotServe for a port that is taken."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((HOST, port))
    except OSError as error:
        opened.close()
        raise CannotServe(f"Port {port} of {HOST} cannot be used: {error.strerror}; choose another.") from None
    return opened


class GuardedProtocol(H11Protocol):
    """A connection that is closed if no request comes of it."""

    _due = math.inf
    """Until when the head of a request must have come; for ever while one is under way."""
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
            return
        self._expect_head(HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._due = math.inf

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._due == math.inf and not self.transport.is_closing():
            # The next head may begin any time before the connection counts as idle, but then it must come.
            self._expect_head(IDLE_SECONDS + HEAD_SECONDS)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's own words are not JSON
        self.transport.write(MALFORMED)
        self.transport.close()

    def _expect_head(self, seconds: float) -> None:
        """One timer for many requests: it looks at its time whether anything is due, and when it is next."""
        self._due = self.loop.time() + seconds
        if self._timer is None:
            self._timer = self.loop.call_later(seconds, self._look)

    def _look(self) -> None:
        self._timer = None
        left = self._due - self.loop.time()
        if left <= 0:
            self.transport.abort()
        elif left < math.inf:
            self._timer = self.loop.call_later(left, self._look)


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Signals are the program's, which may have a window."""
        yield


class HttpServer:
    """The application on a socket of this machine, from `start` to `stop`."""

    def __init__(self, app: Gate, bound: socket.socket) -> None:
        self._app = app
        self._socket = bound
        config = uvicorn.Config(
            app,
            http=GuardedProtocol,
            ws="none",
            lifespan="off",
            loop="none",
            log_config=None,
            # What clients get wrong is theirs to know, and no reason to fill a log.
            log_level="error",
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=STOPPING_SECONDS,
            h11_max_incomplete_event_size=HttpLimits().head_bytes,
            backlog=BACKLOG,
        )
        self._server = _Server(config)
        self._task: asyncio.Task[None] | None = None

    @property
    def connections(self) -> int:
        """Those that are open."""
        return len(self._server.server_state.connections)

    async def start(self) -> None:
        """Takes requests from here on."""
        self._task = asyncio.ensure_future(self._server.serve([self._socket]))
        while not self._server.started and not self._task.done():  # noqa: ASYNC110 - uvicorn tells in no other way
            await asyncio.sleep(0.005)
        if self._task.done():
            self._task.result()

    def turn_away(self) -> None:
        """Refuses what comes from here on, while things are ended."""
        self._app.closing = True

    async def stop(self) -> None:
        """Takes none any longer, and ends those under way within a few seconds."""
        self.turn_away()
        self._server.should_exit = True
        if self._task is not None:
            await asyncio.wait([self._task])
