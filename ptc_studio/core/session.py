"""Runs scripts: wires a runtime to the executor, bounds it in time, redacts its output and makes the record."""

import asyncio
import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ptc_studio.core.calls import CallRequest
from ptc_studio.core.codec import printable, showable
from ptc_studio.core.cost import cost_of
from ptc_studio.core.errors import PtcError
from ptc_studio.core.events import OutputWritten, RunFinished, RunStarted, RunStatus, ScriptFailure, Stream
from ptc_studio.core.executor import Executor
from ptc_studio.core.names import words_of
from ptc_studio.core.redaction import Redacted, StreamRedactor
from ptc_studio.core.registry import EVERYTHING, Grant, Target
from ptc_studio.core.run import Limits, Run, StopReason
from ptc_studio.core.scripts import Deployment, Failure, Job, Runtime, Script, ScriptResult, Visible
from ptc_studio.core.trace import NO_TARGET, CallRecord, RunRecord, Trace

log = logging.getLogger(__name__)

STREAMS: tuple[Stream, ...] = ("stdout", "stderr")
LONG_RUN = 50
"""Calls from which on a record and its cost take longer to make than the loop should wait."""
SETTLING_SECONDS = 60.0
"""How long a finished run waits for the reports of its last calls: redacting many megabytes takes its time."""
BREATH_SECONDS = 0.0005
PLAIN = Deployment(NO_TARGET)
"""Nowhere in particular: the studio as it is."""


class Session:
    """One run from its start to its record."""

    def __init__(
        self,
        executor: Executor,
        *,
        grant: Grant = EVERYTHING,
        limits: Limits | None = None,
        run_id: str | None = None,
    ) -> None:
        self.run = Run(run_id or secrets.token_hex(6), grant=grant, limits=limits)
        self.trace = Trace(self.run.run_id)
        self._executor = executor
        self._stopping = False
        self._output = _Output(executor, self.run)

    async def execute(
        self,
        script: Script,
        runtime: Runtime,
        extra_globals: Mapping[str, Any] | None = None,
        deployment: Deployment = PLAIN,
    ) -> RunRecord:
        """Runs the script and gives its record; being cancelled stops the run and still gives the record."""
        bus = self._executor.bus
        unsubscribe = bus.subscribe(self.trace.observe)
        try:
            bus.publish(RunStarted(self.run.run_id, runtime.id, runtime.isolation, deployment.target))
            unwatch = self._executor.deadlines.watch(self.run)
            ending = await self._run_framed(script, runtime, extra_globals or {}, deployment)
            unwatch()
            reason = self._why_it_ended(ending)
            await self._settle_calls()
            self.close_output()
            bus.publish(await self._with_reply(self._finished(ending, reason), ending, deployment))
            bus.flush()
            return await self._record(script)
        finally:
            unsubscribe()

    def _why_it_ended(self, ending: ScriptResult) -> StopReason | None:
        """None for a script that came to its end: that was not stopped by what comes now."""
        if self.run.stop_reason is not None or ending.status == "ok":
            return self.run.stop_reason
        # The end from outside may be late on a busy machine. Whatever the script says of what it was denied by then,
        # be it withdrawn by a stop or refused for want of time, is not what ended it.
        if self._stopping:
            return "cancelled"
        return "timeout" if time.monotonic() >= self.run.deadline else None

    async def call(self, request: CallRequest) -> CallRecord:
        """One call by hand, in the place of a script; gives its record."""
        unsubscribe = self._executor.bus.subscribe(self.trace.observe)
        try:
            call = asyncio.ensure_future(self._executor.call_async(request))
            await asyncio.wait([call])
            call.exception()
            # The answer comes before the report of it.
            while self.run.busy:  # noqa: ASYNC110 - it ends in another thread, within a moment
                await asyncio.sleep(0.001)
            self.close_output()
            self._executor.bus.flush()
        finally:
            unsubscribe()
        return next(self.trace.calls())

    def write(self, stream: Stream, text: str) -> None:
        """Takes what the script, or a tool on its behalf, writes; from any thread."""
        self._output.write(stream, text)

    def close_output(self) -> None:
        """Gives out what was held back as the possible beginning of a secret; nothing can be written afterwards."""
        self._output.close()

    def stop(self) -> None:
        """Cancels the run; from any thread."""
        if not self._stopping:
            self._stopping = True
            self._executor.workers.submit(lambda: self.run.stop("cancelled"))

    async def _run_framed(
        self, script: Script, runtime: Runtime, extra_globals: Mapping[str, Any], deployment: Deployment
    ) -> ScriptResult:
        tools = self.visible_tools(script.code)
        try:
            frame = deployment.frame(tools)
        except PtcError as error:
            return ScriptResult("error", 1, Failure(type(error).__name__, str(error)))
        job = Job(
            script,
            self.run,
            self._executor,
            tools,
            self.write,
            {**extra_globals, **deployment.inputs},
            frame=frame,
            container=deployment.container,
            environment=deployment.environment,
        )
        return await self._conduct(job, runtime)

    async def _with_reply(self, finished: RunFinished, ending: ScriptResult, deployment: Deployment) -> RunFinished:
        """The end with what the model is given back, made in a thread: it may be long, and is redacted as a whole."""
        if deployment is PLAIN:
            return finished
        # The output that the reply is made of is on its way to the trace.
        self._executor.bus.flush()
        record, calls = self.trace.record_with(finished), self.trace.script_calls
        made = asyncio.ensure_future(
            self._executor.workers.run(lambda: self._replied(finished, ending, deployment, record, calls))
        )
        while not made.done():
            # Whoever cancels now gets the record all the same.
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([made])
        return made.result()

    def _replied(
        self, finished: RunFinished, ending: ScriptResult, deployment: Deployment, record: RunRecord, calls: int
    ) -> RunFinished:
        redactor = self._executor.redactor
        try:
            reply = deployment.reply(record, ending.report)
            warnings = deployment.warnings(record, calls, ending.memory)
        except Exception:
            # The run is over, and its record is worth more than the reply.
            log.exception("The reply of the target %s could not be made", deployment.target)
            return finished
        return replace(
            finished,
            model_sees=None if reply is None else redactor.value(showable(reply), "model_sees"),
            warnings=tuple((warning.line, redactor.text(warning.message, "warning")) for warning in warnings),
        )

    async def _conduct(self, job: Job, runtime: Runtime) -> ScriptResult:
        task = asyncio.ensure_future(runtime.run(job))
        while True:
            try:
                return await asyncio.shield(task)
            except asyncio.CancelledError:
                # Whoever cancels wants the script gone, and the record of what it did.
                if task.cancelled():
                    return ScriptResult("error", None)
                if not task.done():
                    self.stop()
            except Exception as error:
                log.exception("The runtime %s failed", runtime.id)
                return ScriptResult("crashed", None, Failure(type(error).__name__, f"The runtime failed: {error}"))

    def visible_tools(self, code: str = "") -> tuple[Visible, ...]:
        """The tools that its script may call, with every name that leads to each; of those that they have only in
        exports, the names that the script uses."""
        registry = self._executor.registry_of(self.run)
        exported: dict[str, list[str]] = {}
        for flat, name in registry.flat_names(words_of(code)).items():
            exported.setdefault(name, []).append(flat)
        tools = [
            Visible((*registry.names_of(found), *exported.get(found.spec.name, ())), found)
            for found in registry.targets(self.run.grant)
        ]
        return (*tools, *self._own_tools())

    def _own_tools(self) -> list[Visible]:
        """What only this run knows."""
        names: dict[str, list[str]] = {}
        targets: dict[str, Target] = {}
        for name, target in self.run.targets.items():
            if self._executor.registry_of(self.run).find(name) is None and target.granted_by(self.run.grant):
                targets[target.spec.name] = target
                names.setdefault(target.spec.name, []).append(name)
        return [Visible(tuple(names[name]), target) for name, target in targets.items()]

    async def _settle_calls(self) -> None:
        """Nobody can receive an answer any longer: gives up on what is under way, waits for the last reports."""

        def settle() -> None:
            self.run.end_calls()
            end = time.monotonic() + SETTLING_SECONDS
            while self.run.busy and time.monotonic() < end:
                time.sleep(0.001)

        if not self.run.busy:
            return
        settled = asyncio.wrap_future(self._executor.workers.submit(settle))
        while not settled.done():
            # Whoever cancels now gets the record all the same: it is only a moment away.
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait([settled])

    async def _record(self, script: Script) -> RunRecord:
        """The record; of a long run in a thread, for the loop has others to serve."""

        def make(breathe: Callable[[], None] | None = None) -> RunRecord:
            record = self.trace.record(breathe)
            record["cost"] = self.trace.cost = cost_of(record, script.code)
            return record

        if self.trace.call_count < LONG_RUN:
            return make()
        # A sleep gives the interpreter away: else the loop would wait for it again and again until this is done.
        return await self._executor.workers.run(lambda: make(lambda: time.sleep(BREATH_SECONDS)))

    def _finished(self, ending: ScriptResult, reason: StopReason | None) -> RunFinished:
        redactor, waited = self._executor.redactor, self._executor.deadlines.waited_ms(self.run)
        status: RunStatus = reason or ending.status
        failure = self._stopped(ending.failure, reason) if reason else ending.failure
        return RunFinished(
            self.run.run_id,
            status,
            ending.return_code,
            failure
            and ScriptFailure(
                printable(failure.type),
                redactor.text(printable(failure.message), "error"),
                redactor.text(printable(failure.traceback), "traceback"),
                failure.line,
            ),
            None if ending.value is None else redactor.value(showable(ending.value), "value"),
            round(max(self.run.elapsed_ms() - waited, 0.0), 3),
            waited,
        )

    def _stopped(self, failure: Failure | None, reason: StopReason) -> Failure:
        """Why a stopped script has no proper end; where it was, as far as the runtime could tell."""
        line = failure.line if failure else None
        where = f" at line {line}" if line else ""
        traceback = failure.traceback if failure else ""
        if reason == "timeout":
            message = f"The script was stopped{where}: its time limit of {self.run.limits.timeout:g} s is up."
            return Failure("TimeoutError", message, traceback, line)
        return Failure("Cancelled", f"The script was cancelled{where}.", traceback, line)


class _Output:
    """What the script writes, redacted and capped, as events."""

    def __init__(self, executor: Executor, run: Run) -> None:
        self._executor = executor
        self._run = run
        self._redactors: dict[Stream, StreamRedactor] = {name: executor.redactor.stream(name) for name in STREAMS}
        self._left: dict[Stream, int] = dict.fromkeys(STREAMS, run.limits.output_bytes)
        self._dropped: dict[Stream, int] = dict.fromkeys(STREAMS, 0)
        self._lock = threading.Lock()
        self._closed = False

    def write(self, stream: Stream, text: str) -> None:
        with self._lock:
            if self._closed:
                return
            text = printable(text)
            kept = text[: self._left[stream]]
            self._left[stream] -= len(kept)
            self._dropped[stream] += len(text) - len(kept)
            if kept:
                self._publish(stream, self._redactors[stream].feed(kept))

    def close(self) -> None:
        """Gives out what was held back; what a stray thread writes afterwards is nobody's."""
        with self._lock:
            self._closed = True
            for stream in STREAMS:
                self._publish(stream, self._redactors[stream].flush())
                if self._dropped[stream]:
                    note = f"\n[cut here: {self._dropped[stream]} more characters were written]\n"
                    self._publish(stream, self._executor.redactor.text(note, stream))

    def _publish(self, stream: Stream, text: Redacted) -> None:
        if text.value:
            self._executor.bus.publish(OutputWritten(self._run.run_id, stream, text))
