"""Work that may take its time, awaited without holding up the window."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ptc_studio.app import Studio

T = TypeVar("T")


async def in_thread(studio: "Studio", work: Callable[[], T]) -> T:
    """What the work gives, or raises; it goes on if nobody waits for it any longer."""
    done: Future[T] = Future()

    def do() -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - it is raised where it is awaited
            if not done.cancelled():
                done.set_exception(error)
        else:
            if not done.cancelled():
                done.set_result(result)

    studio.executor.workers.submit(do)
    return await asyncio.wrap_future(done)
