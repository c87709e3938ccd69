"""A coroutine on the event loop of another thread, and its value for the thread that waits."""

import asyncio
import concurrent.futures
import contextlib
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

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
