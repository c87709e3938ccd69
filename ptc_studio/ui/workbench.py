"""What the window can do, without a widget: load tools, run, stop, close. Tells by signals what came of it."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractEventDispatcher, QObject, QTimer, Signal

from ptc_studio.core.cost import RunStats
from ptc_studio.core.events import CallStarted, Event
from ptc_studio.core.registry import EVERYTHING, Grant
from ptc_studio.storage.saved_inputs import ArgumentSets

if TYPE_CHECKING:
    from ptc_studio.app import Studio
    from ptc_studio.core.run import Run
    from ptc_studio.core.scripts import Script
    from ptc_studio.core.session import Session
    from ptc_studio.core.trace import RunRecord, Trace
    from ptc_studio.core.workers import UiPriority
    from ptc_studio.runtimes.catalog import RuntimeInfo
    from ptc_studio.targets import Destination


class LoopTurnReporter:
    """Tells from `begin` to `end`: for the time of a run."""

    def __init__(self) -> None:
        self._told: UiPriority | None = None

    def begin(self, ui_priority: "UiPriority") -> None:
        self.end()
        self._told = ui_priority
        ui_priority.had_turn()
        # Qt tells it before it waits for more to do, hence when it has done what there was.
        QAbstractEventDispatcher.instance().aboutToBlock.connect(ui_priority.had_turn)

    def end(self) -> None:
        if self._told is not None:
            QAbstractEventDispatcher.instance().aboutToBlock.disconnect(self._told.had_turn)
            self._told.needs_no_turns()
            self._told = None


FLOODS = ((60, 200), (10, 50))
"""So many events in a frame are a flood, and are shown so often; so are the few that come right after one."""
CLOSING_SECONDS = 10
JOB_EVENTS = 5_000
"""So many of the last events of what is served are kept, to be shown when the run that took their place has ended."""
MOST_AT_ONCE, REST_MS = 500, 5
"""More events than that are shown in several goes, with pauses for whatever else the window has to do."""


@dataclass(frozen=True, slots=True)
class RunConditions:
    """What a run is granted and bounded by, where that is not what is chosen: as a past run was."""

    grant: Grant
    limits: Mapping[str, Any]


class Workbench(QObject):
    """One open workspace and at most one run.

    Signals: attached: there is a studio to work with; run_started; events_arrived(list); run_ended(dict); tools_loaded;
    failed(str). Of a script that is run in all runtimes: matrix_began(total); matrix_row_began(info);
    matrix_row_ended(info, record or None); matrix_ended. alias_renamed(former, name): told before the tools are read.
    closed: all has ended. job_shown(shown): the calls of what is served are shown, or nothing is served any longer.
    """

    attached = Signal()
    run_started = Signal()
    events_arrived = Signal(object)
    run_ended = Signal(object)
    tools_loaded = Signal()
    failed = Signal(str)
    matrix_began = Signal(int)
    matrix_row_began = Signal(object)
    matrix_row_ended = Signal(object, object)
    matrix_ended = Signal()
    alias_renamed = Signal(str, str)
    closed = Signal()
    job_shown = Signal(bool)

    def __init__(self, studio: "Studio | None" = None) -> None:
        super().__init__()
        self._studio: Studio | None = None
        self.figures = RunStats()
        self.grant: Grant = EVERYTHING
        self.argument_sets = ArgumentSets()
        """What was called by hand before; the window has them kept in a file."""
        self.trace: Trace | None = None
        """Of the run that goes on, or of the last one."""
        self.has_samples = False
        """Whether that run has the sample tools instead of the workspace's."""
        self.context: Callable[[Session], AbstractAsyncContextManager[object]] = lambda _session: nullcontext()
        """What lasts as long as a run, such as that its calls are answered from a cassette."""
        self._conditions: RunConditions | None = None
        self._session: Session | None = None
        self._by_hand: set[Session] = set()
        self._turns = LoopTurnReporter()
        self._compiles = False
        self._run: asyncio.Task[None] | None = None
        self._stop_asked = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._passing: set[asyncio.Task[Any]] = set()
        self._timed: Run | None = None
        self._ended = 0.0
        self._unwatch: Callable[[], None] = lambda: None
        self._tools_changed = False
        self._waiting: list[Event] = []
        self.before_closing: list[Callable[[], Coroutine[Any, Any, None]]] = []
        self._job: Run | None = None
        self._in_job: Callable[[Sequence[Event]], list[Event]] | None = None
        self._job_events: deque[Event] = deque(maxlen=JOB_EVENTS)
        self._job_figures = RunStats()
        self.shows_job = False
        self._flood = QTimer(self, singleShot=True)
        self._flood.timeout.connect(self._tell_events)
        self._flood_ms, self._flooded_until = 0, 0.0
        if studio is not None:
            self.attach(studio)

    def attach(self, studio: "Studio") -> None:
        """Works with this studio from now on: it takes longer to make than the window, which is shown before."""
        self._studio = studio
        self._unwatch = studio.watch(self._on_events)
        studio.on_tools_changed(self._on_tools_changed)
        self.attached.emit()

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
        if self._timed is None:
            return 0.0
        # A run's clock starts anew when its script begins, after it was compiled or a process was found for it.
        goes_on = self._session is not None or self.shows_job
        return (time.monotonic() if goes_on else self._ended) - self._timed.started

    @property
    def is_compiling(self) -> bool:
        """Whether the script that was started has yet to begin, because it is compiled first."""
        return self._session is not None and self._compiles and self.figures.prepare_ms is None

    @property
    def max_depth(self) -> int:
        """Of the run that goes on, or of the last one; else of the next."""
        return self._timed.limits.max_depth if self._timed is not None else self.studio.limits.max_depth

    def load(self) -> None:
        """Reads the sources again."""
        if self._studio is not None:
            self.start_passing(self._load())

    def run(
        self,
        script: "Script",
        runtime_id: str,
        timeout: float,
        choose: "Callable[[], Destination] | None" = None,
        *,
        samples: bool = False,
        conditions: RunConditions | None = None,
    ) -> None:
        """Starts the script, unless one is running; `choose` says, in a thread, where it is going.

        With `samples` it is an example, and has the sample tools.
        """
        if not self.is_running and self._studio is not None:
            self._stop_asked, self.has_samples, self._conditions = False, samples, conditions
            self._run = self.start(self._execute(script, runtime_id, timeout, choose))

    def run_in_all(self, script: "Script", timeout: float, *, samples: bool = False) -> None:
        """Starts the script in every runtime for its ending, one after the other, unless one is running."""
        if not self.is_running and self._studio is not None:
            self._stop_asked, self.has_samples, self._conditions = False, samples, None
            self._run = self.start(self._execute_in_all(script, timeout))
            self.matrix_began.emit(len(self.studio.runtimes.ids_for(script.filename)))

    def stop(self) -> None:
        """Cancels the run, or all that are still to come."""
        self._stop_asked = True
        if self._session is not None:
            self._session.stop()

    @contextmanager
    def by_hand(self, session: "Session") -> Generator[None]:
        """While this lasts, the session is one of calls by hand, beside a run; it is stopped when the bench closes."""
        self._by_hand.add(session)
        try:
            yield
        finally:
            self._by_hand.discard(session)

    def follow(self, job: "Run | None", in_job: Callable[[Sequence[Event]], list[Event]] | None) -> None:
        """Has the calls of a job shown whenever no script runs; `in_job` tells its events."""
        self._job, self._in_job = job, in_job
        self._job_events.clear()
        self._job_figures = RunStats()
        if self.shows_job:
            self.shows_job, self._ended = False, time.monotonic()
            self.job_shown.emit(False)
        if job is not None:
            self._turns.begin(self.studio.executor.ui_priority)
        elif not self.is_running:
            self._turns.end()

    def show_job(self) -> None:
        """Shows the calls of the job in the place of the last run's; not while a script runs."""
        if self._job is None or self.is_running or self.shows_job:
            return
        self.shows_job = True
        self.figures = self._job_figures
        self._timed = self._job
        self.job_shown.emit(True)
        self._waiting = list(self._job_events)
        self._tell_events()

    @property
    def job_calls_before(self) -> int:
        """How many calls of the job came before those whose events are kept."""
        return self._job_figures.calls - sum(isinstance(event, CallStarted) for event in self._job_events)

    async def close(self) -> None:
        """Stops the run, waits for its end, and leaves no process."""
        for end in self.before_closing:
            await end()
        self.stop()
        for session in self._by_hand:
            session.stop()
        # Whoever looks for runtimes or reads tools waits for programs and sources, of which one may hang.
        for task in self._passing:
            task.cancel()
        if self._studio is not None:
            # Before anybody is waited for: whoever asks for permission would be waited for as long as he waits.
            self._studio.executor.questions.close()
            # A run, too, may be waiting for a program to tell its version.
            await self._studio.in_thread(self._studio.runtimes.stop_looking)
        # The run, and the reading of tools: a loop that ends before its tasks waits for them in vain.
        others = self._tasks - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=CLOSING_SECONDS)
        self._unwatch()
        if self._studio is not None:
            await self._studio.close()
        self.closed.emit()

    async def _load(self) -> None:
        await self.studio.load()
        self._tools_changed = True
        self._tell_tools()

    def _on_tools_changed(self) -> None:
        self._tools_changed = True

    def _tell_tools(self) -> None:
        """Most runs find the files of the tools as they were, and nobody has to look at them again."""
        if self._tools_changed:
            self._tools_changed = False
            self.tools_loaded.emit()

    async def _execute(
        self, script: "Script", runtime_id: str, timeout: float, choose: "Callable[[], Destination] | None" = None
    ) -> None:
        from ptc_studio.core.errors import PtcError
        from ptc_studio.runtimes.catalog import UnknownRuntime

        try:
            destination = await self.studio.in_thread(choose) if choose is not None else None
            wanted = destination.target.runtime if destination is not None else ""
            info = await self.studio.choose_runtime(wanted or runtime_id, script.filename)
        except (PtcError, UnknownRuntime) as error:
            self._run = None
            self.failed.emit(str(error))
            return
        try:
            session = self._begin(info, timeout, destination)
            async with self.context(session):
                record = await self.studio.run(session, script, info, destination)
        finally:
            await self._tell_rest()
            self._end()
            self._run = None
        self._tell_tools()
        self.run_ended.emit(record)

    async def _execute_in_all(self, script: "Script", timeout: float) -> None:
        def begin(info: "RuntimeInfo") -> "Session":
            session = self._begin(info, timeout)
            self.matrix_row_began.emit(info)
            return session

        def ended(info: "RuntimeInfo", record: "RunRecord | None") -> None:
            if record is not None:
                self._end()
                self.run_ended.emit(record)
            self.matrix_row_ended.emit(info, record)

        try:
            await self.studio.run_matrix(script, begin, ended)
        finally:
            self._end()
            self._run = None
            self.matrix_ended.emit()
        self._tell_tools()

    def _begin(self, info: "RuntimeInfo", timeout: float, destination: "Destination | None" = None) -> "Session":
        traits = self.studio.runtimes.traits(info.id)
        self._compiles = traits is not None and traits.compiles
        self.shows_job = False
        then = self._conditions
        grant = then.grant if then else EVERYTHING if self.has_samples else self.grant
        target = destination.target if destination is not None else None
        self._session = session = self.studio.session(
            grant=grant,
            timeout=timeout,
            target=target,
            samples=self.has_samples,
            limits_then=then.limits if then else None,
        )
        self.trace = session.trace
        self.figures = RunStats()
        self._timed, self._ended = session.run, time.monotonic()
        self._turns.begin(self.studio.executor.ui_priority)
        self.run_started.emit()
        if self._stop_asked:
            # Asked for before there was anything to stop.
            session.stop()
        return session

    def _end(self) -> None:
        if self._session is not None:
            if self._job is None:
                self._turns.end()
            self._ended = time.monotonic()
            while self._waiting:
                self._tell_events()
            self._session = None

    def _on_events(self, batch: Sequence[Event]) -> None:
        session = self._session
        mine = [event for event in batch if session is not None and event.run_id == session.run.run_id]
        if self._in_job is not None:
            of_job = self._in_job(batch)
            self._job_events.extend(of_job)
            self._job_figures.take(of_job)
            if of_job and not self.is_running:
                mine = of_job if self.shows_job else []
                self.show_job()
        self._waiting += mine
        # Drawing takes as long for few as for many: in a flood it is done less often, and the script gets the time.
        now = time.monotonic()
        pause = next((ms for many, ms in FLOODS if len(mine) >= many), 0)
        if pause:
            self._flood_ms, self._flooded_until = pause, now + pause / 1000
        if now >= self._flooded_until and len(self._waiting) == len(mine):
            self._tell_events()
        elif not self._flood.isActive():
            self._flood.start(self._flood_ms)

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
            with self.undisturbed():
                if not self.shows_job:
                    self.figures.take(batch)
                self.events_arrived.emit(batch)

    @property
    def has_more_to_tell(self) -> bool:
        """Whether the events that were told last are a part of what has happened, and the rest follows in a moment."""
        return bool(self._waiting)

    def undisturbed(self) -> AbstractContextManager[None]:
        """While this lasts, calls of the run hold back: what the window draws would wait for each of them."""
        return (
            self._studio.executor.ui_priority.asked()
            if self._studio is not None and (self.is_running or self.shows_job)
            else nullcontext()
        )

    def start(self, work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Has the work done on the loop; what goes wrong in it is reported."""
        # The loop keeps only a weak reference to a task.
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)
        return task

    def start_passing(self, work: Coroutine[Any, Any, Any]) -> None:
        """Has the work done that nobody needs any longer once the bench closes: it is cancelled then."""
        task = self.start(work)
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)

    def _on_done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            task.get_loop().call_exception_handler({"message": str(error), "exception": error})
