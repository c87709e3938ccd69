"""The source: what the studio asks of an MCP server, from any thread."""

import concurrent.futures
import contextlib
import importlib
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ptc_studio.core.tools import LoadedTools, Ticket
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.launch import McpServerDown
from ptc_studio.sources.mcp.message_log import MessageLog
from ptc_studio.sources.mcp.oauth import SavedTokens
from ptc_studio.sources.mcp.server import Restarts
from ptc_studio.sources.mcp.server_threads import SHARED, LoopThread
from ptc_studio.sources.references import References
from ptc_studio.sources.sign_in import OpenBrowser, SignIns
from ptc_studio.sources.source import Listeners, SourceFailed, Status

if TYPE_CHECKING:
    from ptc_studio.sources.mcp.server_threads import ServerHandle
    from ptc_studio.sources.mcp.tool_cache import Method, ToolCache


CLOSE_SECONDS = 5.0


class McpSource:
    """The tools of one MCP server. The constructor starts nothing; the first `refresh` does."""

    def __init__(
        self,
        entry: McpEntry,
        *,
        folder: Path | None = None,
        references: References | None = None,
        restarts: Restarts | None = None,
        thread: LoopThread = SHARED,
        sign_ins: SignIns | None = None,
    ) -> None:
        self._sign_ins = sign_ins or SignIns()
        self._open_browser: OpenBrowser | None = None
        self._entry = entry
        self._folder = folder or Path.cwd()
        self._references = references or References()
        self._restarts = restarts or Restarts()
        self._thread = thread
        self._lock = threading.Lock()
        self._attachment: ServerHandle | None = None
        self._past: concurrent.futures.Future[None] | None = None
        self._cache: ToolCache | None = None
        self._closed = False
        self._listeners = Listeners(f"MCP server {entry.name!r}")

    @property
    def status(self) -> Status:
        with self._lock:
            attachment, closed = self._attachment, self._closed
        if attachment is None:
            return Status("closed" if closed else "new")
        status = attachment.status
        return Status("closed", log=status.log) if closed else status

    @property
    def messages(self) -> MessageLog:
        """The last messages between the studio and the server."""
        with self._lock:
            attachment = self._attachment
        return MessageLog() if attachment is None else attachment.messages

    def refresh(self) -> LoadedTools:
        """The tools; starts the server if need be, and waits for it."""
        return self._attached().loaded()

    def reload(self) -> None:
        """Ends the server, in the background; the next `refresh` starts it anew."""
        with self._lock:
            attachment, self._attachment = self._attachment, None
            if attachment is not None:
                self._past = attachment.close()
        self._listeners.notify()

    @property
    def can_sign_in(self) -> bool:
        """Whether it is a server elsewhere, which may ask for that."""
        return self._entry.url is not None

    def sign_in(self, open_browser: OpenBrowser) -> None:
        """Has the next start of the server sign in with the browser, if it asks for that; ends it now."""
        with self._lock:
            self._open_browser = open_browser
        self.reload()

    def sign_out(self) -> bool:
        """Forgets the tokens and starts anew without them; False if nobody was signed in."""
        url = self._references.resolved(self._entry.url)
        known = SavedTokens(self._entry.name, url, self._sign_ins).forget()
        self.reload()
        return known

    def listen(self, changed: Callable[[], None]) -> None:
        self._listeners.add(changed)

    def close(self) -> None:
        """Ends the server with all that it started; calls under way fail."""
        with self._lock:
            self._closed = True
            attachment, past = self._attachment, self._past
        if attachment is not None:
            past = attachment.close()
        if past is not None:
            with contextlib.suppress(concurrent.futures.TimeoutError, concurrent.futures.CancelledError):
                past.exception(CLOSE_SECONDS)

    def _attached(self) -> "ServerHandle":
        load_library()
        from ptc_studio.sources.mcp.connection import SignInRequest
        from ptc_studio.sources.mcp.launch import launch_of
        from ptc_studio.sources.mcp.server_threads import ServerHandle
        from ptc_studio.sources.mcp.tool_cache import ToolCache

        with self._lock:
            if self._closed:
                raise SourceFailed(f"The MCP server {self._entry.name!r} is closed.")
            if self._cache is None:
                self._cache = ToolCache(self._entry, self._ask)
            if self._attachment is None:
                self._attachment = ServerHandle(
                    self._entry,
                    lambda: launch_of(self._entry, self._folder, self._references),
                    self._restarts,
                    self._cache,
                    self._listeners.notify,
                    self._thread,
                    self._past,
                    SignInRequest(self._sign_ins, self._open_browser),
                )
                self._open_browser = None
            return self._attachment

    def _ask(self, method: "Method", params: "Mapping[str, Any]", ticket: Ticket) -> Any:
        try:
            attachment = self._attached()
        except SourceFailed as failure:
            raise McpServerDown(str(failure)) from None
        return attachment.request(method, params, ticket)


_PARTS = ("mcp.client.client", "mcp.client.streamable_http", "mcp_types.methods", "httpx2")


def load_library() -> None:
    """Imports what connections use; at once the second time."""
    for part in _PARTS:
        importlib.import_module(part)
