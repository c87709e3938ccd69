"""Serves the tools of a studio from `start` to `stop`: address, job and token, and the loop's part of the work."""

import asyncio
import contextlib
import secrets
import time
import uuid
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.routing import Route

from ptc_studio.app import Studio
from ptc_studio.core.calls import Call
from ptc_studio.core.events import Event, RunFinished, RunStarted
from ptc_studio.core.registry import EVERYTHING, Grant
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.gateway.http.endpoint import Endpoint
from ptc_studio.gateway.http.gate import BoundedBody, Gate, HttpLimits
from ptc_studio.gateway.http.server import HOST, HttpServer, loopback_socket
from ptc_studio.serving.mcp_protocol import ToolServer
from ptc_studio.serving.mcp_server import McpTools
from ptc_studio.targets.catalog import PLAIN

ENDPOINT, MCP = "endpoint", "mcp"
"""What stands for the runtime in the record of a job."""
TITLES = {ENDPOINT: "served over HTTP", MCP: "served over MCP"}
"""What a job is called among the runs of scripts."""
FOR_EVER = 10 * 365 * 86_400.0
SETTLING_SECONDS = 10.0
KEPT_CALLS = 1_000
REFRESH_SECONDS = 2.0
"""How often files of tools that changed are read again."""


@contextlib.asynccontextmanager
async def served_job(studio: Studio, grant: Grant, kind: str = MCP) -> AsyncIterator[Session]:
    """The session of the job; at the end its calls are given up, and its run is over."""
    # It lasts until it is stopped; each call has a limit of its own.
    limits = replace(studio.limits, timeout=FOR_EVER)
    session = Session(studio.executor, grant=grant, limits=limits, run_id=str(uuid.uuid4()))
    if studio.history.recorder is None:
        # Nothing else keeps them, and it may last for weeks.
        session.trace.most_calls = KEPT_CALLS
    unwatch = studio.watch(session.trace.observe)
    studio.bus.publish(RunStarted(session.run.run_id, kind))
    try:
        async with studio.history.run(session, Script("", TITLES[kind]), kind, PLAIN, {}, endless=True):
            with studio.stdio.listening(session.run.run_id, session.write):
                refreshing = asyncio.ensure_future(_keep_tools_fresh(studio))
                try:
                    yield session
                finally:
                    refreshing.cancel()
                    await asyncio.wait([refreshing])
                    await _end(studio, session)
    finally:
        unwatch()


async def _keep_tools_fresh(studio: Studio) -> None:
    while True:
        await asyncio.sleep(REFRESH_SECONDS)
        await studio.refresh()


async def _end(studio: Studio, session: Session) -> None:
    run = session.run
    await studio.in_thread(lambda: run.stop("cancelled"))
    end = time.monotonic() + SETTLING_SECONDS
    while run.busy and time.monotonic() < end:  # noqa: ASYNC110 - it ends in another thread, within a moment
        await asyncio.sleep(0.002)
    session.close_output()
    # To be stopped is how a job ends well.
    studio.bus.publish(RunFinished(run.run_id, "ok", 0, None, None, run.elapsed_ms()))
    studio.bus.flush()


MCP_PATH = "/mcp"
MOST_MCP_SESSIONS = 200
CALL_TOKEN = "PTC_CALL_TOKEN"  # noqa: S105 - the name of a variable


@dataclass(frozen=True, slots=True)
class Address:
    """What a client must know."""

    url: str
    job_id: str
    token: str

    def variables(self) -> dict[str, str]:
        """For the environment of a script: our names and IronClaw's."""
        return {
            "PTC_URL": self.url,
            "PTC_JOB_ID": self.job_id,
            "PTC_TOKEN": self.token,
            "IRONCLAW_ORCHESTRATOR_URL": self.url,
            "IRONCLAW_JOB_ID": self.job_id,
            "IRONCLAW_WORKER_TOKEN": self.token,
        }


class ToolService:
    """One job of a studio, served over HTTP in IronClaw's way and in MCP's. On the studio's loop."""

    address: Address
    endpoint: Endpoint
    in_tree: Callable[[Sequence[Event]], list[Event]]
    """Those of some events that belong to the job, its scripts' among them, as one tree."""

    def __init__(
        self,
        studio: Studio,
        *,
        grant: Grant = EVERYTHING,
        port: int = 0,
        raw: bool = False,
        limits: HttpLimits | None = None,
    ) -> None:
        self._studio = studio
        self._grant = grant
        self._raw = raw
        self._limits = limits or HttpLimits()
        self._socket = loopback_socket(port)
        self._job = AsyncExitStack()
        self._server: HttpServer | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._stopped = asyncio.Event()

    @property
    def connections(self) -> int:
        """How many clients are connected at this moment."""
        return self._server.connections if self._server else 0

    async def start(self) -> None:
        """Takes calls from here on; processes of tools are told how to make some."""
        studio, port = self._studio, self._socket.getsockname()[1]
        session = await self._job.enter_async_context(served_job(studio, self._grant, ENDPOINT))
        self.address = Address(f"http://{HOST}:{port}", session.run.run_id, secrets.token_urlsafe(32))
        studio.hide("PTC_TOKEN", self.address.token)
        self.endpoint = Endpoint(studio.executor, session, redacted=not self._raw, limits=self._limits)
        tools = McpTools(studio, session, raw=self._raw, on_call=self.endpoint.count)
        self.in_tree = self.endpoint.events.in_tree = tools.script.scripts.in_tree
        server = ToolServer(tools)
        self._job.callback(server.close)
        self._job.callback(studio.on_tools_changed(server.tell_changed))
        sessions = StreamableHTTPSessionManager(
            server.sdk, max_sessions=MOST_MCP_SESSIONS, max_request_body_size=self._limits.body_bytes
        )
        bounded = BoundedBody(StreamableHTTPASGIApp(sessions), self._limits)
        self.endpoint.more_routes.append(Route(MCP_PATH, bounded))
        self._server = HttpServer(Gate(self.endpoint.app(), self.address.token, port, self._limits), self._socket)
        studio.executor.call_environment = self._environment
        self._tasks.append(asyncio.ensure_future(self._keep_mcp(sessions)))
        await self._server.start()

    async def stop(self) -> None:
        """Ends the job with its calls, and every connection."""
        self._studio.executor.call_environment = lambda _call: {}
        if self._server is not None:
            self._server.turn_away()
        self._stopped.set()
        if self._tasks:
            await asyncio.wait(self._tasks)
        if self._server is not None:
            # Both at once: streams end with the job, and the server waits for them.
            await asyncio.gather(self._server.stop(), self._end_job())

    async def _end_job(self) -> None:
        await self._job.aclose()
        self.endpoint.close()

    def _environment(self, call: Call) -> Mapping[str, str]:
        token = self._studio.executor.call_tokens.issue(call)
        self._studio.hide(CALL_TOKEN, token, passing=True)
        return {**self.address.variables(), CALL_TOKEN: token}

    async def _keep_mcp(self, sessions: StreamableHTTPSessionManager) -> None:
        """One task from beginning to end: the SDK wants what it opened closed by whoever opened it."""
        async with sessions.run():
            await self._stopped.wait()
