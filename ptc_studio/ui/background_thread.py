"""Work that may take its time, awaited without holding up the window."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from ptc_studio.core.errors import PtcError

if TYPE_CHECKING:
    from ptc_studio.app import Studio
    from ptc_studio.ui.main_window import MainWindow

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


def start_reported(window: "MainWindow", work: Coroutine[Any, Any, object]) -> None:
    """Does it, and tells the user what keeps it from being done."""

    async def done() -> None:
        try:
            await work
        except PtcError as error:
            window.show_message(str(error))

    # Where it is cancelled before its first step the work is never awaited, and Python would warn of it.
    window.workbench.start(done()).add_done_callback(lambda _: work.close())
