"""The threads' side of a server: from the first start to the close, through all restarts."""

import asyncio
import concurrent.futures
import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from ptc_studio.core.tools import LoadedTools, Ticket
from ptc_studio.processes.process_tree import OrphanReaper
from ptc_studio.sources.async_thread import LoopJob
from ptc_studio.sources.mcp.connection import SignInRequest
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.listing import ToolListing
from ptc_studio.sources.mcp.message_log import MessageLog
from ptc_studio.sources.mcp.process import LogLines
from ptc_studio.sources.mcp.server import Condition, FindLaunch, McpServer, Restarts
from ptc_studio.sources.mcp.tool_cache import Method, ToolCache
from ptc_studio.sources.sign_in import WAIT_SECONDS
from ptc_studio.sources.source import SourceFailed, Status

JOIN_SECONDS = 2.0
_NOISY = ("mcp", "client", "httpx2", "httpcore2")


class LoopThread:
    """Runs while somebody holds it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holders = 0
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.reaper = OrphanReaper()

    def hold(self) -> asyncio.AbstractEventLoop:
        """The loop, started if need be; each hold needs a `release`."""
        with self._lock:
            self._holders += 1
            if self._loop is None:
                _quieten()
                # The policy of the program may make loops of the window's kind.
                self._loop = asyncio.DefaultEventLoopPolicy().new_event_loop()
                self._thread = threading.Thread(target=_run, args=(self._loop,), name="ptc-mcp", daemon=True)
                self._thread.start()
            return self._loop

    def release(self) -> None:
        """Ends the loop with its last holder."""
        with self._lock:
            self._holders -= 1
            if self._holders or self._loop is None or self._thread is None:
                return
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
            reaper, self.reaper = self.reaper, OrphanReaper()
        loop.call_soon_threadsafe(loop.stop)
        if thread is not threading.current_thread():
            thread.join(JOIN_SECONDS)
        reaper.close()


SHARED = LoopThread()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left, timeout=JOIN_SECONDS))
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


def _quieten() -> None:
    """The library logs what servers do wrong with its own tracebacks; users read it in the server's status."""
    for name in _NOISY:
        logger = logging.getLogger(name)
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
        if name.startswith("http"):
            # They log addresses, which may hold secrets.
            logger.setLevel(logging.WARNING)


SPACING = 0.02
MESSAGE_LIMIT = 500


class ProgressReport:
    """Passes on how far a call is; a server that tells it too often is heard now and then."""

    def __init__(self, ticket: Ticket) -> None:
        self._ticket = ticket
        self._next = 0.0

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        now = time.monotonic()
        if now >= self._next or progress == total:
            self._next = now + SPACING
            self._ticket.progress(progress, total, (message or "")[:MESSAGE_LIMIT])


SLACK = 5.0
Ended = concurrent.futures.Future[None]


class ServerHandle:
    """Starts the server on the loop's thread, and speaks with it from any other."""

    def __init__(
        self,
        entry: McpEntry,
        launch: FindLaunch,
        restarts: Restarts,
        cache: ToolCache,
        changed: Callable[[], None],
        thread: LoopThread,
        after: Ended | None,
        sign_in: SignInRequest,
    ) -> None:
        self._sign_in = sign_in
        self._entry = entry
        self._launch = launch
        self._restarts = restarts
        self._cache = cache
        self._changed = changed
        self._thread = thread
        self._after = after
        self._turn = threading.Condition()
        self._condition = Condition("loading")
        self._loaded: LoadedTools | None = None
        self._counts = ""
        self._log = LogLines()
        self._loop = thread.hold()
        self._server: asyncio.Future[McpServer] = self._loop.create_future()
        self._job = LoopJob(self._own(), self._loop)
        self._job.answer.add_done_callback(lambda _: thread.release())

    @property
    def status(self) -> Status:
        with self._turn:
            condition, counts = self._condition, self._counts
        return Status(condition.state, _detail(condition, counts), self._log.lines)

    @property
    def messages(self) -> MessageLog:
        """What went to and fro since the source was loaded."""
        return self._log.messages

    def loaded(self) -> LoadedTools:
        """What the server has; waits for its first start, within a bound."""
        # Twice, because a server of the newer protocol may be started once more.
        bound = 2 * self._entry.start_timeout + SLACK + (WAIT_SECONDS if self._sign_in.open_browser else 0.0)
        with self._turn:
            self._turn.wait_for(
                lambda: self._loaded is not None or self._condition.state in ("failed", "closed"), bound
            )
            condition, loaded = self._condition, self._loaded
        if condition.state == "failed":
            raise SourceFailed(condition.detail)
        if loaded is None:
            raise SourceFailed(f"The MCP server {self._entry.name!r} is not ready: {condition.detail or 'closed'}.")
        return loaded

    def request(self, method: Method, params: Mapping[str, Any], ticket: Ticket) -> Any:
        """Waits for what the server answers; lets go at once when nobody waits for the call any longer."""
        job = LoopJob(self._request(method, params, ticket), self._loop)
        ticket.on_abandon(job.abandon)
        try:
            return job.answer.result()
        except Exception as error:  # noqa: BLE001
            # The frames of the loop say nothing to whoever called.
            raise error.with_traceback(None) from None

    def close(self) -> Ended:
        """Has the server ended; the future is done when it has."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._close)
        return self._job.answer

    async def _own(self) -> None:
        if self._after is not None:
            # Two lives of one server would fight over its files and ports.
            await asyncio.wait({asyncio.wrap_future(self._after)}, timeout=SLACK)
        if self._entry.command:
            self._thread.reaper.watch()
        told = (self._on_change, self._on_listing)
        server = McpServer(self._entry, self._launch, self._restarts, *told, self._log, self._once)
        self._server.set_result(server)
        await server.own()

    def _once(self) -> SignInRequest:
        """A browser is opened by the first start alone: nobody is there at a restart in the night."""
        wanted, self._sign_in = self._sign_in, SignInRequest(self._sign_in.sign_ins)
        return wanted

    async def _request(self, method: Method, params: Mapping[str, Any], ticket: Ticket) -> Any:
        server = await asyncio.shield(self._server)
        return await server.request(method, params, ticket, ProgressReport(ticket))

    def _close(self) -> None:
        self._server.add_done_callback(lambda server: server.result().close())

    def _on_listing(self, listing: ToolListing) -> None:
        with self._turn:
            self._loaded = self._cache.filled(listing)
            count = len(listing.tools)
            tools = f"{count} tool{'' if count == 1 else 's'} over {self._entry.transport}"
            self._counts = ", ".join(filter(None, (tools, listing.library.counts)))

    def _on_change(self, condition: Condition) -> None:
        with self._turn:
            self._condition = condition
            self._turn.notify_all()
        self._changed()


def _detail(condition: Condition, counts: str) -> str:
    if condition.state == "ready" and counts:
        return counts
    if condition.state == "restarting":
        left = max(0, math.ceil(condition.again_at - time.monotonic()))
        return f"{condition.detail}. Restarting in {left} s"
    return condition.detail
