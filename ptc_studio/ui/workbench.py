"""What the window can do, without a widget: load tools, run, stop, close. Tells by signals what came of it."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from ptc_studio.core.events import Event
from ptc_studio.core.grants import EVERYTHING, Grant
from ptc_studio.ui.run_figures import RunFigures

if TYPE_CHECKING:
    from ptc_studio.app import Studio
    from ptc_studio.core.scripts import Script
    from ptc_studio.core.session import Session

FLOOD, FLOOD_MS = 60, 60
"""So many events in a frame are a flood, and are shown so often."""
CLOSING_SECONDS = 10
MOST_AT_ONCE, REST_MS = 2_000, 10
"""More events than that are shown in several goes, with pauses for whatever else the window has to do."""


class Workbench(QObject):
    """One open workspace and at most one run.

    Signals: adopted: there is a studio to work with; run_began; events_arrived(list); run_ended(dict); tools_loaded;
    failed(str).
    """

    adopted = Signal()
    run_began = Signal()
    events_arrived = Signal(object)
    run_ended = Signal(object)
    tools_loaded = Signal()
    failed = Signal(str)

    def __init__(self, studio: "Studio | None" = None) -> None:
        super().__init__()
        self._studio: Studio | None = None
        self.figures = RunFigures()
        self.grant: Grant = EVERYTHING
        self._session: Session | None = None
        self._run: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._started = 0.0
        self._ended = 0.0
        self._unwatch: Callable[[], None] = lambda: None
        self._waiting: list[Event] = []
        self._flood = QTimer(self, singleShot=True)
        self._flood.timeout.connect(self._tell_events)
        if studio is not None:
            self.adopt(studio)

    def adopt(self, studio: "Studio") -> None:
        """Works with this studio from now on: it takes longer to make than the window, which is shown before."""
        self._studio = studio
        self._unwatch = studio.watch(self._on_events)
        self.adopted.emit()

    @property
    def is_open(self) -> bool:
        """Whether there is a studio yet."""
        return self._studio is not None

    @property
    def studio(self) -> "Studio":
        assert self._studio is not None
        return self._studio

    @property
    def is_running(self) -> bool:
        return self._run is not None

    @property
    def elapsed(self) -> float:
        """Seconds of the run that goes on, or of the last one."""
        return (time.monotonic() if self.is_running else self._ended) - self._started

    @property
    def max_depth(self) -> int:
        return self.studio.limits.max_depth

    def load(self) -> None:
        """Reads the sources again."""
        if self._studio is not None:
            self.start(self._load())

    def run(self, script: "Script", runtime_id: str, timeout: float) -> None:
        """Starts the script, unless one is running."""
        if self.is_running or self._studio is None:
            return
        from ptc_studio.runtimes.catalog import UnknownRuntime

        try:
            info = self.studio.runtimes.choose(runtime_id, script.filename)
        except UnknownRuntime as error:
            self.failed.emit(str(error))
            return
        self._session = self.studio.session(grant=self.grant, timeout=timeout)
        self.figures = RunFigures()
        self._started = time.monotonic()
        self._run = self.start(self._execute(self._session, script, info))
        self.run_began.emit()

    def stop(self) -> None:
        """Cancels the run."""
        if self._session is not None:
            self._session.stop()

    async def close(self) -> None:
        """Stops the run, waits for its end, and leaves no process."""
        self.stop()
        # The run, and the reading of tools: a loop that ends before its tasks waits for them in vain.
        others = self._tasks - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=CLOSING_SECONDS)
        self._unwatch()
        if self._studio is not None:
            await self._studio.close()

    async def _load(self) -> None:
        await self.studio.load()
        self.tools_loaded.emit()

    async def _execute(self, session: "Session", script: "Script", info: Any) -> None:
        try:
            record = await self.studio.run(session, script, info)
        finally:
            self._ended = time.monotonic()
            await self._tell_rest()
            self._session = self._run = None
        self.tools_loaded.emit()
        self.run_ended.emit(record)

    def _on_events(self, batch: Sequence[Event]) -> None:
        session = self._session
        mine = [event for event in batch if session is not None and event.run_id == session.run.run_id]
        self._waiting += mine
        # Drawing takes as long for few as for many: in a flood it is done less often, and the script gets the time.
        if len(mine) < FLOOD and len(self._waiting) == len(mine):
            self._tell_events()
        elif not self._flood.isActive():
            self._flood.start(FLOOD_MS)

    async def _tell_rest(self) -> None:
        while self._waiting:
            self._tell_events()
            await asyncio.sleep(0)

    def _tell_events(self) -> None:
        self._flood.stop()
        batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
        if self._waiting:
            self._flood.start(REST_MS)
        if batch:
            self.figures.take(batch)
            self.events_arrived.emit(batch)

    def start(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Has the work done on the loop; what goes wrong in it is reported."""
        # The loop keeps only a weak reference to a task.
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)
        return task

    def _on_done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            task.get_loop().call_exception_handler({"message": str(error), "exception": error})
