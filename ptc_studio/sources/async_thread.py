"""Coroutines on the event loop of another thread: the user's async functions have one that they may block."""

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

from ptc_studio.core.tools import Ticket

T = TypeVar("T")


class LoopJob(Generic[T]):
    """Begins as soon as the loop can; on a loop that is closed it is cancelled at once."""

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
        # Nothing may pass: it is the waiting thread's, and a SystemExit would end the loop.
        try:
            value = await self._coroutine
        except BaseException as error:  # noqa: BLE001
            self._fail(error)
        else:
            with contextlib.suppress(concurrent.futures.InvalidStateError):
                self.answer.set_result(value)

    def _fail(self, error: BaseException) -> None:
        with contextlib.suppress(concurrent.futures.InvalidStateError):
            self.answer.set_exception(error)


PATIENCE = 0.2
WATCH = "ptc-loop-watch"
"""The name of a thread that sees whether a loop still reacts."""


class AsyncThread:
    """The event loop that async tools share; started at first use, replaced when a tool blocks it for good."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._current: _LoopThread | None = None

    def run(self, coroutine: Coroutine[Any, Any, Any], ticket: Ticket) -> Any:
        """Waits for the coroutine's value, from any thread but the loop's; raises whatever it raises."""
        # One lock for both steps: a loop that is to retire takes no job any more.
        with self._lock:
            thread = self._thread()
            job = LoopJob(coroutine, thread.loop)
        ticket.on_abandon(lambda: self._abandon(thread, job))
        return job.answer.result()

    def close(self) -> None:
        """Cancels what is under way and ends the loop."""
        with self._lock:
            thread, self._current = self._current, None
        if thread is not None:
            thread.retire(cancel=True)
            thread.join(1.0)

    def _thread(self) -> "_LoopThread":
        if self._current is None:
            self._current = _LoopThread()
            self._current.start()
        return self._current

    def _abandon(self, thread: "_LoopThread", job: LoopJob[Any]) -> None:
        """Returns at once: it may be the window's thread that gives up."""
        reacted = threading.Event()
        with contextlib.suppress(RuntimeError):
            thread.loop.call_soon_threadsafe(reacted.set)
            # Of its own: so a worker process needs no pool for what hardly ever happens.
            watch = threading.Thread(target=self._replace_unless, args=(reacted, thread), name=WATCH, daemon=True)
            watch.start()
        # Last: whoever waits for the job goes on when the loop is being watched.
        job.abandon()

    def _replace_unless(self, reacted: threading.Event, thread: "_LoopThread") -> None:
        if reacted.wait(PATIENCE):
            return
        with self._lock:
            if self._current is thread:
                self._current = None
        thread.retire()


class _LoopThread(threading.Thread):
    """One event loop in one thread."""

    def __init__(self) -> None:
        super().__init__(name="ptc-async-tools", daemon=True)
        # The policy of the program may make loops of the window's kind.
        self.loop = asyncio.DefaultEventLoopPolicy().new_event_loop()
        self._ended = False

    def run(self) -> None:
        asyncio.set_event_loop(self.loop)
        while not self._ended:
            # A task that a tool left behind may raise SystemExit; the others go on.
            with contextlib.suppress(SystemExit, KeyboardInterrupt):
                self.loop.run_forever()
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()

    def retire(self, *, cancel: bool = False) -> None:
        """Ends the loop once its tasks are done."""
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(lambda: self.loop.create_task(self._finish(cancel)))

    async def _finish(self, cancel: bool) -> None:
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in others:
                if cancel:
                    task.cancel()
            await asyncio.wait(others)
        self._ended = True
        self.loop.stop()
