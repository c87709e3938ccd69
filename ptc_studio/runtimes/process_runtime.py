"""Executes scripts in processes of their own, whatever the language: what differs stands in its runtime.toml."""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from ptc_studio.core.errors import UnserialisableValue
from ptc_studio.core.events import Stream
from ptc_studio.core.scripts import Container, Failure, Job, ScriptResult
from ptc_studio.gateway.frames import FrameWriter
from ptc_studio.gateway.guest_connection import GuestConnection, GuestReport, start_frame
from ptc_studio.locations import RUNTIMES
from ptc_studio.processes.process_tree import signal_name
from ptc_studio.runtimes.build import Build, Builder, BuildFailed
from ptc_studio.runtimes.discovery import FoundToolchain, Manifest, filled, filled_values
from ptc_studio.runtimes.guest_process import STARTER, Guest, GuestPool, GuestProcessError, WarmScript, pump
from ptc_studio.runtimes.projections import ExecutesProjections
from ptc_studio.runtimes.sandbox import MEBIBYTE, Bounds, Confiner, PlainProcess
from ptc_studio.runtimes.sandbox.bounds import hidden_folder, named_in, real, too_wide
from ptc_studio.runtimes.sandbox.repositories import repositories_in

KIT_MEGABYTES = 12
"""What the kit itself has of an engine's memory."""
OUT_OF_MEMORY = "<--- Last few GCs --->"
"""With this V8 begins its last words when its memory is bounded and used up."""
MISSED = re.compile(
    r"(?i)not ?found|no such file|no module named|ENOENT|cannot find|cannot resolve|permission ?denied|read-only"
)
"""How scripts say that a file or a module was not there."""


def script_result(guest_report: GuestReport, guest: Guest, filename: str) -> ScriptResult:
    """The script's own words where it left any, else what its process's status and report tell."""
    code = guest.return_code or 0
    if guest.excess is not None:
        line = line_in_report(guest.report, filename) or guest_report.last_line
        return ScriptResult("crashed", code, Failure("MemoryError", guest.excess, "", line))
    if guest_report.done is not None:
        memory = guest_report.done.get("memory", guest.memory_seen or None)
        error, status = guest_report.done.get("error"), guest_report.done.get("code") or 0
        failure = error and Failure(error["type"], error["message"], error["traceback"], error.get("line"))
        value, report = guest_report.done.get("value"), guest_report.done.get("report")
        return ScriptResult("error" if status or failure else "ok", status, failure, value, report, memory)
    if code == 0:
        return ScriptResult("ok", 0)
    return _sudden(guest_report, code, guest.report, filename)


def _sudden(guest_report: GuestReport, code: int, report: str, filename: str) -> ScriptResult:
    # A fault's own report is the latest word; what the script announced may have been survived.
    line = line_in_report(report, filename) or (guest_report.position or {}).get("line") or guest_report.last_line
    name = signal_name(code)
    why = f"was killed by {name}" if name else f"ended with status {code} without a word"
    note = (guest_report.position or {}).get("message") if not report else None
    message = f"The script's process {why}" + (f": {note}" if note else "") + "."
    status = "crashed" if name else "error"
    return ScriptResult(
        status, code, Failure("Crashed" if name else "SystemExit", message, readable_report(report), line)
    )


def readable_report(report: str) -> str:
    """A report of faulthandler in the order of a traceback, without the kit's frames."""
    lines = [line for line in report.splitlines() if str(RUNTIMES) not in line]
    head = [line for line in lines if not line.startswith(("  File", "Current thread", "Thread"))]
    frames = [line for line in lines if line.startswith("  File")]
    return "\n".join((*head, *reversed(frames))).strip("\n")


def line_in_report(report: str, filename: str) -> int | None:
    """The script's line in a report of faulthandler; of the main thread's part, which comes last, if it is there."""
    shown = filename.encode("ascii", "backslashreplace").decode()
    # As Python writes it, or as most others do.
    pattern = re.compile(rf'(?:File "{re.escape(shown)}", line |(?<![\w/]){re.escape(shown)}:)(\d+)')
    for part in reversed(re.split(r"^(?:Current t|T)hread .*$", report, flags=re.MULTILINE)):
        found = pattern.search(part)
        if found:
            return int(found[1])
    return None


@dataclass(frozen=True, slots=True)
class RuntimeHost:
    """What all process runtimes of a studio share."""

    confiner: Confiner
    cache: Path
    workspace: Path | None = None
    spare: int = 1


@dataclass(frozen=True, slots=True)
class Freedoms:
    """What the workspace grants the scripts of a runtime beyond the usual."""

    network: bool = False
    workspace_writable: bool = False
    memory_mb: int | None = None
    protected: tuple[Path, ...] = ()
    """What stays as it is in a workspace that may be written: whatever the studio or git executes or believes."""

    def describe(self, isolation: str) -> str:
        """How a script is kept apart, and what it was granted all the same; the first word says which confiner."""
        granted = (("network", self.network), ("workspace writable", self.workspace_writable))
        # A process that nothing bounds has both anyhow.
        names = [name for name, given in granted if given and isolation != PlainProcess.id]
        return ", ".join((isolation, *names))


class ProcessRuntime(ExecutesProjections):
    """A language with its toolchain; tools are called over the channel."""

    def __init__(
        self, manifest: Manifest, found: FoundToolchain, host: RuntimeHost, freedoms: Freedoms | None = None
    ) -> None:
        self.id = manifest.id
        self._manifest = manifest
        self._found = found
        self._host = host
        self._freedoms = freedoms or Freedoms()
        self._written = host.workspace if self._freedoms.workspace_writable else None
        self.isolation = self._freedoms.describe(host.confiner.id)
        self.imports_modules = manifest.language == "python"
        self._builder = Builder(manifest, found, host.cache, host.confiner)
        self.warm_script = WarmScript()
        self._latest: tuple[Build, Path | None, str] | None = None
        self.pool = GuestPool(lambda: self._start(self._unbuilt(), host.workspace), host.spare)
        self._bounded: dict[int, GuestPool] = {}
        """Those whose memory is bounded as a target does it, by the megabytes."""

    async def run(self, job: Job) -> ScriptResult:
        result: Future[ScriptResult] = Future()
        job.executor.workers.submit(lambda: self._start_run(job, result))
        try:
            return await asyncio.wrap_future(result)
        finally:
            if self._is_warm:
                self._pool(job.memory_mb).refill()
            elif self._host.spare and self._written is None:
                job.executor.workers.submit(self._make_ready_again)

    def warm(self, memory_mb: int | None = None) -> None:
        """Has a process made ready for the first run, where that can be before the script is known."""
        if self._is_warm:
            self._pool(memory_mb).warm()

    def close(self) -> None:
        """Ends the processes that wait for a script."""
        for pool in (self.pool, *self._bounded.values()):
            pool.close()
        self.warm_script.close()

    @property
    def _is_warm(self) -> bool:
        """Not where the workspace may be written: what is protected there has to be that of the moment."""
        return self._manifest.run.warm and self._written is None

    def _start_run(self, job: Job, result: Future[ScriptResult]) -> None:
        # Making ready is not the script's time, be it a target's check, compiling or waiting for a process.
        job.pause_clock()
        try:
            directory, there = self._directory(job), repositories_in(self._written)
            frame = start_frame(job, str(directory) if directory else None, self._compilation(job))
            guest = self._guest(job, directory)
        except BuildFailed as error:
            failure = Failure("CompileError", str(error), error.output, error.line)
            result.set_result(ScriptResult("error", 1, failure))
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for the result
            result.set_result(ScriptResult("crashed", None, self._unavailable(error)))
        else:
            _Execution(job, guest, result, self.bounds(directory).notes(), there.set_aside_new).start(frame)

    def _compilation(self, job: Job) -> Mapping[str, Any]:
        """What the kit has to know of the script's syntax, where its language is one that we read for it."""
        if job.frame is not None:
            return job.frame.compile()
        if self._manifest.language not in ("javascript", "typescript"):
            return {}
        from ptc_studio.runtimes.javascript_syntax import compilation, dialect_of

        return compilation(job.script.code, dialect_of(job.script.filename, self._manifest.extensions)).frame

    def _directory(self, job: Job) -> Path | None:
        """The script's folder; none where that must not be shown: then it starts in a temporary one."""
        directory = Path(job.script.directory) if job.script.directory else None
        if directory is None or self._host.confiner.id == PlainProcess.id or not too_wide(real(directory)):
            return directory
        job.write("stderr", f"{hidden_folder(directory)}\n")
        return None

    def _guest(self, job: Job, directory: Path | None) -> Guest:
        """A process for the script: one that waits for it, where there is one in its folder, else a new one."""
        kept = job.container.take() if job.container else None
        if isinstance(kept, Guest):
            if kept.alive:
                job.begun(None)
                return kept
            kept.dispose()
        if self._is_warm and directory in (None, self._host.workspace) and not job.environment:
            guest = self._pool(job.memory_mb).checkout()
            job.begun(None)
            return guest
        build = self._builder.build(job)
        ready = None if job.environment else self.warm_script.take((build.folder, directory))
        memory, code = job.memory_mb, job.script.code
        guest = ready or STARTER.submit(lambda: self._start(build, directory, job.environment, memory, code)).result()
        job.begun(build.milliseconds)
        self._latest = (build, directory, code)
        return guest

    def _make_ready_again(self) -> None:
        """The same script is often run again, unchanged: then its process need not be waited for."""
        if self._manifest.run.again and self._latest is not None:
            build, directory, code = self._latest
            start = partial(self._start, build, directory, code=code)
            with contextlib.suppress(GuestProcessError):
                self.warm_script.prepare((build.folder, directory), start)

    def _unbuilt(self) -> Build:
        return Build({"program": self._found.program, "kit": str(self._manifest.folder)}, None)

    def _pool(self, memory: int | None) -> GuestPool:
        if memory is None or self._found.probe.run:
            return self.pool
        start = partial(self._start, self._unbuilt(), self._host.workspace, None, memory)
        return self._bounded.setdefault(memory, GuestPool(start, self._host.spare))

    def _start(
        self,
        build: Build,
        directory: Path | None,
        variables: Mapping[str, str] | None = None,
        memory: int | None = None,
        code: str = "",
    ) -> Guest:
        manifest, confiner = self._manifest, self._host.confiner
        command = filled(self._found.probe.run or manifest.run.command, build.places)
        # Another program than the usual one may not know the options, and be larger than the limit by itself.
        if memory is not None and not self._found.probe.run:
            bound = [option.format(megabytes=memory + KIT_MEGABYTES) for option in manifest.run.heap]
            command = [command[0], *bound, *command[1:]]
        environment = {**(variables or {}), **filled_values(manifest.run.environment, build.places)}
        bounds = self.bounds(directory, build, code, None if manifest.run.heap else memory)
        return Guest(command, environment, confiner, bounds, reports=manifest.run.report)

    def bounds(
        self, directory: Path | None, build: Build | None = None, code: str = "", there: int | None = None
    ) -> Bounds:
        """What a script in that folder may use, of memory what its target allows `there`; outside of a workspace it
        sees what it names."""
        build = build or self._unbuilt()
        manifest, freedoms = self._manifest, self._freedoms
        memory = min(filter(None, (there, freedoms.memory_mb)), default=manifest.isolation.memory_mb)
        shown = [*self._found.roots, str(RUNTIMES), str(manifest.folder), *manifest.isolation.readable]
        shown += [build.places[name] for name in ("build", "kit_build") if name in build.places]
        workspace = self._host.workspace
        parted = directory is not None and not (workspace and real(directory).is_relative_to(real(workspace)))
        listed = (directory,) if directory and parted else ()
        bounds = Bounds(
            readable=(*map(Path, shown), *(path for folder in listed for path in named_in(code, folder))),
            listed=listed,
            workspace=workspace,
            workspace_writable=freedoms.workspace_writable,
            protected=(*freedoms.protected, *repositories_in(self._written).protected),
            network=freedoms.network,
        )
        return replace(bounds, memory_bytes=memory * MEBIBYTE) if memory else bounds

    def _unavailable(self, error: Exception) -> Failure:
        if isinstance(error, UnserialisableValue):
            return Failure("TypeError", f"The script cannot be sent to its process: {error}")
        return Failure("RuntimeUnavailable", f"{self._manifest.name}: {error}")


class _Execution:
    """One script in one guest, from the start frame to the last byte of output."""

    def __init__(
        self,
        job: Job,
        guest: Guest,
        result: Future[ScriptResult],
        notes: Sequence[str] = (),
        look_after: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._job = job
        self._look_after = look_after
        """Looks at what the script left, and gives a sentence for each thing worth telling."""
        self._notes = notes
        """What to say of a script that missed something: what it is not shown, or cannot write."""
        self._guest = guest
        guest.memory_seen = 0
        self._result = result
        self._pumped = threading.Event()
        self._misbehaved: str | None = None
        self._last_words = ""
        self._left = False
        """Whether the guest is the next run's by now."""
        self._over: tuple[int, int] | None = os.pipe() if job.container else None
        """Tells the pump of a guest that is kept that its script is over."""
        workers = job.executor.workers
        self._writer = FrameWriter(guest.write_fd, workers.submit)
        self._connection = GuestConnection(job, guest.reader, self._writer, lambda: workers.submit(self._finish))

    def start(self, frame: bytes) -> None:
        self._job.executor.workers.submit(self._pump)
        # A run that was stopped before this ends the guest here, and the script does not begin.
        self._job.run.on_stop(self._stop)
        self._writer.write(frame)
        self._serve()

    def _serve(self) -> None:
        try:
            # A program with a main of its own may come to its end without ever using the kit.
            if self._guest.greeted or self._guest.greet(None):
                self._connection.serve()
                return
        except GuestProcessError as error:
            self._misbehaved = str(error)
        self._finish()

    def _pump(self) -> None:
        process = self._guest.process
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            streams = {"stdout": process.stdout, "stderr": process.stderr}
            pump(streams, self._write, self._gone, self._over and self._over[0])  # type: ignore[arg-type]
        finally:
            self._pumped.set()
        if self._left:
            return
        # The streams are closed a moment before the process has ended.
        _await_exit(self._guest)
        self._gone()

    def _write(self, stream: Stream, text: str) -> None:
        """Passes on what the script writes; the engine's last words are for nobody, and tell why it ended."""
        if self._last_words or (self._job.memory_mb and stream == "stderr" and OUT_OF_MEMORY in text):
            before, mark, after = text.partition(OUT_OF_MEMORY) if not self._last_words else ("", "", text)
            self._last_words += mark + after
            text = before.rstrip("\n") + "\n" if before.strip() else ""
        if text:
            self._job.write(stream, text)

    def _gone(self) -> bool:
        """True once the process has ended; what it left behind is ended too, or the channel would stay open."""
        if self._guest.return_code is None and self._guest.process.poll() is not None:
            self._guest.end()
            self._connection.read_on()
        return self._guest.return_code is not None

    def _stop(self) -> None:
        if not self._left:
            self._guest.locate(signal.SIGUSR2)
            self._guest.end()

    def _keep(self, container: Container) -> bool:
        """Leaves the guest to the next run of the container, if it waits for one."""
        done, guest = self._connection.report.done, self._guest
        container.state = (done or {}).get("state")
        if not (done or {}).get("kept") or not guest.alive or self._job.run.stop_reason is not None:
            return False
        self._left = True
        assert self._over is not None
        os.write(self._over[1], b"x")
        self._pumped.wait()
        container.keep(guest, guest.dispose)
        return True

    def _finish(self) -> None:
        guest_report, guest = self._connection.report, self._guest
        if self._job.container is not None and self._keep(self._job.container):
            self._settle(script_result(guest_report, guest, self._job.script.filename))
            return
        if guest_report.done is None:
            # A process that closed the channel is about to end by itself, and its exit status is worth having.
            _await_exit(guest)
        code = guest.end()
        self._pumped.wait()
        self._tell_excess(code)
        self._writer.close()
        guest.close()
        if self._misbehaved:
            self._settle(ScriptResult("crashed", code, Failure("RuntimeUnavailable", f"{self._misbehaved}.")))
        else:
            self._settle(script_result(guest_report, guest, self._job.script.filename))

    def _tell_excess(self, code: int) -> None:
        if self._last_words and code and guest_aborted(code):
            most = f"{self._job.memory_mb} MB of memory"
            self._guest.excess = f"The script used more than {most}, which is the limit there."
        elif self._last_words:
            self._job.write("stderr", self._last_words)

    def _settle(self, result: ScriptResult) -> None:
        if result.failure and MISSED.search(f"{result.failure.type} {result.failure.message}"):
            self._job.write("stderr", "".join(f"{note}\n" for note in self._notes))
        if said := "".join(f"{each}\n" for each in self._look_after()):
            self._job.write("stderr", said)
        for fd in self._over or ():
            os.close(fd)
        self._result.set_result(result)


def guest_aborted(code: int) -> bool:
    """Whether the process ended itself as an engine does that cannot go on."""
    return signal_name(code) in ("SIGABRT", "SIGTRAP", "SIGILL")


def _await_exit(guest: Guest) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        guest.process.wait(timeout=0.5)
