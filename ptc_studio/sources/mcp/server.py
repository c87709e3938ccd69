"""A server over all its lives: the task that owns its connection and starts it again when it ends."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ptc_studio.core.tools import Ticket
from ptc_studio.sources.mcp.connection import Connection, SessionForgotten, SignInRequest
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.launch import McpServerDown, ServerLaunch
from ptc_studio.sources.mcp.listing import ToolListing
from ptc_studio.sources.mcp.process import LogLines
from ptc_studio.sources.mcp.tool_cache import Method
from ptc_studio.sources.sign_in import WAIT_SECONDS
from ptc_studio.sources.source import SourceFailed, State

if TYPE_CHECKING:
    from mcp.shared.dispatcher import ProgressFnT


@dataclass(frozen=True, slots=True)
class Restarts:
    """The pauses between restarts: each twice the one before."""

    first: float = 0.5
    longest: float = 30.0
    steady: float = 60.0
    """A server that stayed up for so many seconds has all its restarts again."""
    tries: int = 6
    patience: float | None = None
    """So many seconds a call waits for a server that is being restarted; None: as long as it may take to start."""


class Pauses:
    """Counts the quick ends of one server."""

    def __init__(self, restarts: Restarts) -> None:
        self._restarts = restarts
        self.quick_ends = 0

    def after(self, seconds_up: float) -> float | None:
        """The pause before the next start; None if it ended too often."""
        if seconds_up >= self._restarts.steady:
            self.quick_ends = 0
        self.quick_ends += 1
        if self.quick_ends > self._restarts.tries:
            return None
        return min(self._restarts.first * 2 ** (self.quick_ends - 1), self._restarts.longest)


REMEDY = "Mend it, then reload the source."
Listed = Callable[[ToolListing], None]
FindLaunch = Callable[[], ServerLaunch]


@dataclass(frozen=True, slots=True)
class Condition:
    """How a server is."""

    state: State = "new"
    detail: str = ""
    again_at: float = 0.0
    """When it is started again, on the monotonic clock."""


@dataclass(frozen=True, slots=True)
class _End:
    """How one life of the server ended."""

    reason: str
    seconds_up: float = 0.0
    wants_newer_protocol: bool = False
    was_forgotten: bool = False
    wants_older_transport: bool = False


class McpServer:
    """Made and used on the loop alone; `changed` and `listed` tell the source."""

    def __init__(
        self,
        entry: McpEntry,
        launch: FindLaunch,
        restarts: Restarts,
        changed: Callable[[Condition], None],
        listed: Listed,
        log: LogLines,
        sign_in: Callable[[], SignInRequest] = SignInRequest,
    ) -> None:
        self._entry = entry
        self._sign_in = sign_in
        self._launch = launch
        self._restarts = restarts
        self._pauses = Pauses(restarts)
        self._changed = changed
        self._listed = listed
        self._log = log
        self._mode = "legacy"
        self._legacy_sse = False
        self._first_reason = ""
        """How the newer transport was refused, which says more than how the older one was."""
        self._known = False
        self._connection: Connection | None = None
        self._closing = asyncio.Event()
        self._turn = asyncio.Event()
        self._condition = Condition()

    async def own(self) -> None:
        """The owner task: runs until the server is closed or given up."""
        while not self._closing.is_set():
            self._set(Condition("loading", f"Starting {self._entry.location}"))
            end = await self._one_life()
            if self._closing.is_set():
                break
            pause = self._pause_after(end)
            if pause is None:
                self._give_up(self._first_reason if self._first_reason and not self._known else end.reason)
                return
            await self._wait(pause, end.reason)
        self._set(Condition("closed"))

    def close(self) -> None:
        """Ends the server; `own` returns when it has ended."""
        self._closing.set()
        self._turn.set()
        if self._connection is not None:
            self._connection.let_go()

    async def request(self, method: Method, params: Mapping[str, Any], ticket: Ticket, progress: "ProgressFnT") -> Any:
        """What the server answers; waits for one that is being restarted."""
        connection = await self._ready()
        try:
            return await connection.request(method, params, ticket, progress)
        except SessionForgotten:
            # The server refused the call without a look at it: with a session of its own it may be made again, once.
            connection = await self._ready(after=connection)
        try:
            return await connection.request(method, params, ticket, progress)
        except SessionForgotten:
            name = self._entry.name
            raise McpServerDown(f"The MCP server {name!r} forgets its sessions at once: look at its own log.") from None

    async def _one_life(self) -> _End:
        try:
            launch = self._launch()
        except SourceFailed as failure:
            return _End(str(failure))
        self._log.hide(launch.secrets)
        wanted = self._sign_in()
        # A person takes longer than a server.
        seconds = self._entry.start_timeout + (WAIT_SECONDS if wanted.open_browser else 0.0)
        launch = replace(launch, legacy_sse=self._legacy_sse)
        connection = Connection(self._entry.name, launch, self._log, seconds, self._on_listing, wanted)
        self._connection = connection
        try:
            await connection.run(self._mode)
        finally:
            self._connection = None
        reason = f"The MCP server {self._entry.name!r} {connection.ended.result()}"
        return _End(
            reason,
            connection.seconds_up,
            connection.wants_newer_protocol,
            connection.was_forgotten,
            connection.wants_older_transport,
        )

    def _pause_after(self, end: _End) -> float | None:
        """Seconds until the next start; None for never."""
        if end.wants_newer_protocol and self._mode == "legacy":
            self._mode = "auto"
            return 0.0
        if end.was_forgotten:
            return 0.0
        if end.wants_older_transport and not self._legacy_sse:
            self._legacy_sse, self._first_reason = True, end.reason
            return 0.0
        # What is wrong with the first start will be wrong a second later, too.
        return self._pauses.after(end.seconds_up) if self._known else None

    def _give_up(self, reason: str) -> None:
        ends = self._pauses.quick_ends
        often = f" It ended {ends} times in a row and is not started again." if ends > 1 else ""
        self._set(Condition("failed", f"{reason.rstrip('.')}.{often} {REMEDY}"))

    async def _wait(self, pause: float, reason: str) -> None:
        if pause:
            self._set(Condition("restarting", reason, time.monotonic() + pause))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause):
                await self._closing.wait()

    @property
    def _patience(self) -> float:
        patience = self._restarts.patience
        return self._entry.start_timeout if patience is None else patience

    async def _ready(self, after: Connection | None = None) -> Connection:
        """The connection, or the next one after this."""
        end = time.monotonic() + self._patience
        while True:
            if self._connection is not None and self._connection is not after and self._connection.is_ready:
                return self._connection
            left = end - time.monotonic()
            if self._closing.is_set() or self._condition.state == "failed" or left <= 0:
                raise McpServerDown(self._absence())
            self._turn.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._turn.wait()

    def _absence(self) -> str:
        if self._condition.state == "failed":
            return self._condition.detail
        name = self._entry.name
        if self._closing.is_set():
            return f"The MCP server {name!r} is closed: reload the source."
        return f"The MCP server {name!r} is being started and was not ready within {self._patience:g} s."

    def _on_listing(self, listing: ToolListing) -> None:
        self._known = True
        self._listed(listing)
        self._set(Condition("ready"))

    def _set(self, condition: Condition) -> None:
        self._condition = condition
        self._turn.set()
        self._changed(condition)
