"""The one event loop that all MCP servers share, in a thread of its own."""

import asyncio
import logging
import threading

from ptc_studio.sources.warden import Warden

JOIN_SECONDS = 2.0
_NOISY = ("mcp", "client", "httpx2", "httpcore2")


class LoopThread:
    """Runs while somebody holds it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holders = 0
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.warden = Warden()

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
            warden, self.warden = self.warden, Warden()
        loop.call_soon_threadsafe(loop.stop)
        if thread is not threading.current_thread():
            thread.join(JOIN_SECONDS)
        warden.close()


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
