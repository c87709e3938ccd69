"""Executes Python scripts in Monty's workers: processes that know no file, no network and no other process."""

import asyncio
import contextlib
import logging
import os
import shlex
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic_monty import (
    FunctionSnapshot,
    FutureSnapshot,
    Monty,
    MontyComplete,
    MontyError,
    MontyRuntimeError,
    MontySession,
    MontySyntaxError,
    MontyTypingError,
    NameLookupSnapshot,
    SyncSnapshot,
)
from pydantic_monty._binary import find_monty_binary

from ptc_studio.core import codec
from ptc_studio.core.calls import CallRequest, Outcome
from ptc_studio.core.run import MEGABYTE
from ptc_studio.core.scripts import Failure, Job, ScriptResult
from ptc_studio.core.workers import SerialWorker
from ptc_studio.processes.process_tree import KILL
from ptc_studio.runtimes.monty import names
from ptc_studio.runtimes.monty.calls import ConcurrentCalls, Convention, WantedCall, answer, awaited_spans, plain
from ptc_studio.runtimes.monty.errors import Positions, RaisedError, script_result, source_name
from ptc_studio.runtimes.projections import ExecutesProjections

log = logging.getLogger(__name__)

MOST_WORKERS = 256
"""A run beyond these waits until another has ended."""
_STARTER = SerialWorker("ptc-monty-starter")
"""A worker dies with the thread that started it, so that has to be one that stays."""


class MontyWorkerPool:
    """Hands out sessions, one worker each; Monty itself replaces a worker that died. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._monty: Monty | None = None
        self._folder: Path | None = None

    def checkout(self, filename: str, *, memory: int, seconds: float, convention: Convention) -> MontySession:
        """A session with a worker of its own, to be left with `__exit__`."""
        stubs = convention.stubs()
        session = self._ready().checkout(
            script_name=filename,
            # The session's own clock ends a run in time; this is for a worker that it cannot reach.
            limits={"max_memory": memory, "max_feed_duration_secs": seconds, "max_suspensions": 2**31},
            type_check=stubs is not None,
            type_check_stubs=stubs,
            os_policy=convention.policy,
        )
        return _STARTER.submit(session.__enter__).result()

    def warm(self) -> None:
        """Has a worker started; does not wait."""
        # Of its own: who warms up has no run yet, hence no workers.
        threading.Thread(target=self._warm, name="ptc-monty-warm", daemon=True).start()

    def close(self) -> None:
        """Ends every worker; the next run starts new ones."""
        with self._lock:
            monty, self._monty = self._monty, None
            folder, self._folder = self._folder, None
        if monty is not None:
            monty.__exit__(None, None, None)
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def _warm(self) -> None:
        try:
            self._ready()
        except Exception:
            # The run that comes will say what is wrong.
            log.debug("No worker of Monty could be started ahead", exc_info=True)

    def _ready(self) -> Monty:
        with self._lock:
            if self._monty is None:
                monty = Monty(binary_path=self._program(), min_processes=1, max_processes=MOST_WORKERS)
                self._monty = _STARTER.submit(monty.__enter__).result()
            return self._monty

    def _program(self) -> Path | None:
        """The worker's program, started so that it ends with the studio, also when that is killed; Linux only."""
        setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
        worker = find_monty_binary()
        if setpriv is None or not Path(worker).exists():
            return None
        self._folder = Path(tempfile.mkdtemp(prefix="ptc-monty-"))
        program = self._folder / "monty"
        command = shlex.join([setpriv, "--pdeathsig", "KILL", worker])
        program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        program.chmod(0o700)
        return program


ORPHAN_SECONDS = 5.0
"""How much longer than the run may take a worker computes, if nobody ends it."""
LONGEST_SECONDS = 10 * 365 * 24 * 3600.0
Step = Callable[[], SyncSnapshot]


class MontyExecution:
    """Drives the script in a thread: each step runs it up to the next call, whose answer is the step after it."""

    def __init__(self, job: Job, result: "Future[ScriptResult]", memory: int, pool: MontyWorkerPool) -> None:
        self._job = job
        self._result = result
        self._memory = memory
        self._pool = pool
        make = job.frame.driver if job.frame is not None else None
        self._convention: Convention = (make or Convention)(job)
        self._wanted: dict[int, WantedCall] = {}
        self._slept = 0.0
        self._printed = 0
        self._feeds = 0
        """How many scripts the session has been fed before this one."""
        self._positions = Positions(job.script.code)
        self._awaited = awaited_spans(job.script.code, self._positions)
        self._raised = RaisedError()
        self._calls = ConcurrentCalls(job)
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._session: MontySession | None = None
        self._worker: int | None = None
        """The worker's process while it is this script's."""
        self._line: int | None = None
        """Where the script waits; None while it computes, for then nobody can tell."""
        self._stop_failure: Failure | None = None

    def start(self) -> None:
        """Runs the script from its beginning, in this thread and those that take over from it."""
        try:
            self._session = self._kept_session() or self._new_session()
            self._worker = self._session.worker_pid
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for the result
            self._result.set_result(ScriptResult("crashed", None, Failure("RuntimeUnavailable", f"Monty: {error}")))
            return
        # A run that was stopped before this ends the worker here, and the script does not begin.
        self._job.run.on_stop(self._stop)
        self._drive(self._feed)

    def _kept_session(self) -> MontySession | None:
        """The one of the run before in the same container."""
        kept = self._job.container.take() if self._job.container else None
        if not isinstance(kept, tuple):
            return None
        session, self._feeds = kept
        self._positions = Positions(self._job.script.code, source_name(self._feeds))
        return session

    def _new_session(self) -> MontySession:
        convention = self._convention
        seconds = min(self._job.run.limits.timeout + ORPHAN_SECONDS, LONGEST_SECONDS)
        return self._pool.checkout(
            convention.filename or self._job.script.filename,
            memory=convention.memory or self._memory,
            seconds=min(convention.seconds or seconds, seconds),
            convention=convention,
        )

    def _feed(self) -> SyncSnapshot:
        assert self._session is not None
        inputs = self._convention.given_ahead(self._job.extra_globals)
        snapshot = self._session.feed_start(
            self._job.script.code,
            inputs=inputs,
            print_callback=self._print if self._convention.printed else self._job.write,
            # What the runs before defined is unknown to the checker.
            skip_type_check=bool(self._feeds),
        )
        self._convention.type_checked()
        return snapshot

    def _print(self, stream: Any, text: str) -> None:
        """Where the target bounds what is printed: beyond that it is an error of the script's."""
        most = self._convention.printed or 0
        self._printed += len(text.encode("utf-8", "replace"))
        if self._printed > most:
            raise MemoryError(f"memory limit exceeded: {self._printed} bytes > {most} bytes")
        self._job.write(stream, text)

    def _drive(self, step: Step | None) -> None:
        """Goes on in this thread until the end, or until another thread has taken over (None)."""
        try:
            while step is not None:
                self._line = None
                snapshot = step()
                if isinstance(snapshot, MontyComplete):
                    self._end(ScriptResult(value=codec.displayable(plain(snapshot.output))))
                    return
                self._line = self._positions.line(snapshot.position)
                step = self._next_step(snapshot)
        except MontyError as error:
            self._end(self._failed(error))
        except Exception as error:
            log.exception("A script in Monty could not be driven on")
            self._end(ScriptResult("crashed", None, Failure(type(error).__name__, f"Monty could not go on: {error}")))

    def _failed(self, error: MontyError) -> ScriptResult:
        result = script_result(error, self._job.script, self._raised, self._say, source_name(self._feeds))
        if self._job.frame is None:
            return result
        # What the target's host is told, for the reply.
        shown = error.display() if isinstance(error, MontyRuntimeError | MontySyntaxError | MontyTypingError) else ""
        return replace(result, report=self._convention.report(type(error).__name__, str(error), shown))

    def _next_step(self, snapshot: Any) -> Step | None:
        match snapshot:
            case NameLookupSnapshot():
                return self._look_up(snapshot)
            case FutureSnapshot():
                return self._await(snapshot)
            case FunctionSnapshot() if snapshot.is_os_function:
                return self._ask_system(snapshot)
            case _:
                return self._call(snapshot)

    def _look_up(self, snapshot: NameLookupSnapshot) -> Step:
        name = snapshot.variable_name
        if snapshot.object_id is not None:
            return snapshot.resume
        try:
            value = self._convention.value(name)
        except KeyError:
            return snapshot.resume
        return lambda: snapshot.resume(value=value)

    def _ask_system(self, snapshot: FunctionSnapshot) -> Step:
        name, args = snapshot.function_name, snapshot.args
        if name in (names.SLEEP, names.ASYNC_SLEEP):
            return self._sleep(snapshot, float(args[0]))
        response: Any = self._convention.answer_system(name, args)
        return snapshot.resume_auto if response is None else lambda: snapshot.resume(response)

    def _sleep(self, snapshot: FunctionSnapshot, seconds: float) -> Step:
        most = self._convention.sleep_seconds
        if most is not None and self._slept + seconds > most:
            refusal = TimeoutError(
                f"sleeping {seconds:g}s would exceed the {most:g}s this code may sleep "
                f"(max_duration_secs); {most - self._slept:g}s left"
            )
            return lambda: snapshot.resume(self._raised.answer(refusal))
        self._slept += seconds
        if snapshot.function_name == names.SLEEP:
            self._stopped.wait(min(seconds, threading.TIMEOUT_MAX))
            return lambda: snapshot.resume({"return_value": None})
        self._calls.sleep(snapshot.call_id, seconds)
        return lambda: snapshot.resume({"future": ...})

    def _call(self, snapshot: FunctionSnapshot) -> Step | None:
        try:
            place = (snapshot.position.start, snapshot.position.end)
            wanted = self._convention.wanted(snapshot, awaited=place in self._awaited)
        except Exception as error:  # noqa: BLE001 - the script's own mistake, to be caught there
            response: Any = self._raised.answer(error)
            return lambda: snapshot.resume(response)
        if wanted is None:
            response = self._convention.answer_other(snapshot)
            return lambda: snapshot.resume(response)
        self._wanted[snapshot.call_id] = wanted
        if wanted.concurrent:
            self._calls.start(snapshot.call_id, self._request(wanted))
            return lambda: snapshot.resume({"future": ...})
        return self._call_and_wait(self._request(wanted), snapshot)

    def _call_and_wait(self, request: CallRequest, snapshot: FunctionSnapshot) -> Step | None:
        """Has the call performed in this very thread, which is quickest; if it is given up while its tool is stuck
        here, another thread drives the script on."""
        outcomes: list[Outcome] = []
        delivered, turn = threading.Event(), threading.Lock()

        def deliver(outcome: Outcome) -> None:
            outcomes.append(outcome)
            delivered.set()

        def resume() -> SyncSnapshot:
            return snapshot.resume(self._settled(snapshot.call_id, outcomes[0]))

        def take_over() -> None:
            if turn.acquire(blocking=False):
                self._job.executor.workers.submit(lambda: self._drive(resume))

        call = self._job.executor.admit(request, deliver)
        call.on_abandon(take_over)
        self._job.executor.perform(call)
        if not turn.acquire(blocking=False):
            return None
        delivered.wait()
        return resume

    def _await(self, snapshot: FutureSnapshot) -> Step:
        """Answers what has been settled among the calls that the script awaits."""
        pending = set(snapshot.pending_call_ids)
        results: dict[int, Any] = {}
        while not results and not self._stopped.is_set():
            settled = self._calls.settled()
            results = {
                number: self._settled(number, outcome) for number, outcome in settled.items() if number in pending
            }
        return lambda: snapshot.resume(results)

    def _settled(self, number: int, outcome: Outcome) -> Any:
        wanted = self._wanted.pop(number, None)
        if outcome.exception is not None:
            error = self._convention.failed(wanted, outcome.exception) if wanted else outcome.exception
            return self._raised.answer(error)
        value = answer(outcome)
        return {"return_value": self._convention.given(wanted, value) if wanted else value}

    def _request(self, wanted: WantedCall) -> CallRequest:
        return self._job.request(wanted.tool, wanted.args, wanted.kwargs, timeout=wanted.timeout, line=self._line)

    def _say(self, text: str) -> None:
        self._job.write("stderr", text)

    def _stop(self) -> None:
        """Kills the worker: whatever the script is about, it ends at once, and Monty makes another."""
        with self._lock:
            line, worker = self._line, self._worker
            self._worker = None
            if worker is not None:
                where = f'  File "{self._job.script.filename}", line {line}\n' if line else ""
                self._stop_failure = Failure("ScriptStopped", "The script was stopped.", where, line)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker, KILL)
        self._stopped.set()
        self._calls.wake()

    def _end(self, result: ScriptResult) -> None:
        with self._lock:
            # From here on the process is the pool's again, or another one's.
            self._worker = None
        session, container, feeds = self._session, self._job.container, self._feeds + 1
        assert session is not None
        try:
            if container is not None and result.status != "crashed" and self._stop_failure is None:
                container.keep((session, feeds), lambda: session.__exit__(None, None, None))
            else:
                session.__exit__(None, None, None)
        finally:
            stopped = self._stop_failure
            self._result.set_result(ScriptResult("error", None, stopped) if stopped else result)


MEMORY_MB = 512


class MontyRuntime(ExecutesProjections):
    """Executes scripts in a pool of workers, each driven step by step from a thread of its own."""

    id = "monty"
    isolation = "Monty sandbox"

    def __init__(self, *, memory_mb: int = MEMORY_MB) -> None:
        self.pool = MontyWorkerPool()
        self._memory = memory_mb * MEGABYTE

    async def run(self, job: Job) -> ScriptResult:
        if job.run.stop_reason is not None:
            return ScriptResult("error", None)
        result: Future[ScriptResult] = Future()
        job.executor.workers.submit(MontyExecution(job, result, self._memory, self.pool).start)
        return await asyncio.wrap_future(result)

    def warm(self, memory_mb: int | None = None) -> None:  # noqa: ARG002 - a runtime's method
        """Has a worker started for the first run."""
        self.pool.warm()

    def close(self) -> None:
        """Ends the workers."""
        self.pool.close()
