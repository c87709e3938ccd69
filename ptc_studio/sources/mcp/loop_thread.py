"""The one event loop that all MCP servers share, in a thread of its own."""

import asyncio
import concurrent.futures
import contextlib
import logging
import threading
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

from ptc_studio.sources.warden import Warden

T = TypeVar("T")
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


class Job(Generic[T]):
    """A coroutine on the loop, and its value for a thread that waits."""

    def __init__(self, coroutine: Coroutine[Any, Any, T], loop: asyncio.AbstractEventLoop) -> None:
        self.answer: concurrent.futures.Future[T] = concurrent.futures.Future()
        self._coroutine = coroutine
        self._loop = loop
        self._task: asyncio.Task[None] | None = None
        try:
            loop.call_soon_threadsafe(self._start)
        except RuntimeError:
            coroutine.close()
            self._fail(asyncio.CancelledError())

    def abandon(self) -> None:
        """Lets the waiting thread go at once, and cancels the task as soon as the loop can."""
        self._fail(asyncio.CancelledError())
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._cancel)

    def _start(self) -> None:
        if self.answer.done():
            self._coroutine.close()
            return
        self._task = self._loop.create_task(self._settle())
        # A task that is cancelled before its first step never awaits the coroutine, and Python would warn of it.
        self._task.add_done_callback(lambda _: self._coroutine.close())

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _settle(self) -> None:
        try:
            value = await self._coroutine
        except BaseException as error:  # noqa: BLE001 - it is the waiting thread's
            self._fail(error)
        else:
            with contextlib.suppress(concurrent.futures.InvalidStateError):
                self.answer.set_result(value)

    def _fail(self, error: BaseException) -> None:
        with contextlib.suppress(concurrent.futures.InvalidStateError):
            self.answer.set_exception(error)


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
