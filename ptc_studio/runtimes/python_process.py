"""The `python` runtime: a process of its own for every run, from a warm pool."""

import asyncio
import re
import signal
import sys
import threading
from concurrent.futures import Future

from ptc_studio.core.errors import UnserialisableValue
from ptc_studio.core.scripts import Ending, Failure, Job
from ptc_studio.gateway.frames import FrameWriter
from ptc_studio.gateway.service import Service, Told, start_frame
from ptc_studio.locations import PYTHON_KIT
from ptc_studio.runtimes.guest import Guest, signal_name
from ptc_studio.runtimes.pool import GuestPool
from ptc_studio.runtimes.projections import ExecutesProjections
from ptc_studio.runtimes.streams import pump

# Isolated from the user's environment, unbuffered so that nothing written is lost in a kill, text always UTF-8.
OPTIONS = ("-I", "-u", "-X", "utf8")


class PythonProcess(ExecutesProjections):
    """Executes Python scripts in processes; tools are called over the channel."""

    id = "python"

    def __init__(self, executable: str | None = None, *, spare: int = 1) -> None:
        command = (executable or sys.executable, *OPTIONS, str(PYTHON_KIT / "main.py"))
        self.pool = GuestPool(lambda: Guest(command, reports=True), spare)

    async def run(self, job: Job) -> Ending:
        ending: Future[Ending] = Future()
        job.executor.workers.submit(lambda: _Execution(job, ending).begin(self.pool))
        try:
            return await asyncio.wrap_future(ending)
        finally:
            self.pool.refill()

    def warm(self) -> None:
        """Has a process made ready for the first run."""
        self.pool.warm()

    def close(self) -> None:
        """Ends the processes that wait for a script."""
        self.pool.close()


class _Execution:
    """One script in one guest, from checkout to the last byte of output."""

    def __init__(self, job: Job, ending: Future[Ending]) -> None:
        self._job = job
        self._ending = ending
        self._pumped = threading.Event()

    def begin(self, pool: GuestPool) -> None:
        try:
            frame = start_frame(self._job)
            self._guest = guest = pool.checkout()
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for the ending
            self._ending.set_result(Ending("crashed", None, _unavailable(error)))
            return
        workers = self._job.executor.workers
        self._writer = FrameWriter(guest.write_fd, workers.submit)
        self._service = Service(self._job, guest.reader, self._writer, lambda: workers.submit(self._finish))
        workers.submit(self._pump)
        # A run that was stopped before this ends the guest here, and the script does not begin.
        self._job.run.on_stop(self._stop)
        self._writer.write(frame)
        self._service.serve()

    def _pump(self) -> None:
        process = self._guest.process
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            streams = {"stdout": process.stdout, "stderr": process.stderr}
            pump(streams, self._job.write, self._gone)  # type: ignore[arg-type]
        finally:
            self._pumped.set()
        # The streams are closed a moment before the process has ended.
        _await_exit(self._guest)
        self._gone()

    def _gone(self) -> bool:
        """True once the process has ended; what it left behind is ended too, or the channel would stay open."""
        if self._guest.return_code is None and self._guest.process.poll() is not None:
            self._guest.end()
            self._service.read_on()
        return self._guest.return_code is not None

    def _stop(self) -> None:
        self._guest.locate(signal.SIGUSR2)
        self._guest.end()

    def _finish(self) -> None:
        told, guest = self._service.told, self._guest
        if told.done is None:
            # A process that closed the channel is about to end by itself, and its exit status is worth having.
            _await_exit(guest)
        code = guest.end()
        self._pumped.wait()
        self._writer.close()
        guest.close()
        self._ending.set_result(_ending(told, code, guest.report, self._job.script.filename))


def _unavailable(error: Exception) -> Failure:
    if isinstance(error, UnserialisableValue):
        return Failure("TypeError", f"The script cannot be sent to its process: {error}")
    return Failure("RuntimeUnavailable", f"Python: {error}")


def _await_exit(guest: Guest) -> None:
    import subprocess

    try:
        guest.process.wait(timeout=0.5)
    except subprocess.TimeoutExpired:
        return


def _ending(told: Told, code: int, report: str, filename: str) -> Ending:
    if told.done is not None:
        error, status = told.done.get("error"), told.done.get("code") or 0
        failure = error and Failure(error["type"], error["message"], error["traceback"], error.get("line"))
        return Ending("error" if status or failure else "ok", status, failure, told.done.get("value"))
    # A fault's own report is the latest word; what the script announced may have been survived.
    line = line_in_report(report, filename) or (told.position or {}).get("line") or told.last_line
    name = signal_name(code)
    if name is None and code == 0:
        return Ending("ok", 0)
    why = f"was killed by {name}" if name else f"ended with status {code} without a word"
    note = (told.position or {}).get("message") if not report else None
    message = f"The script's process {why}" + (f": {note}" if note else "") + "."
    status = "crashed" if name else "error"
    return Ending(status, code, Failure("Crashed" if name else "SystemExit", message, readable_report(report), line))


def readable_report(report: str) -> str:
    """A report of faulthandler in the order of a traceback, without the kit's frames."""
    lines = [line for line in report.splitlines() if str(PYTHON_KIT) not in line]
    head = [line for line in lines if not line.startswith(("  File", "Current thread", "Thread"))]
    frames = [line for line in lines if line.startswith("  File")]
    return "\n".join((*head, *reversed(frames))).strip("\n")


def line_in_report(report: str, filename: str) -> int | None:
    """The script's line in a report of faulthandler; of the main thread's part, which comes last, if it is there."""
    shown = filename.encode("ascii", "backslashreplace").decode()
    pattern = re.compile(rf'File "{re.escape(shown)}", line (\d+)')
    for part in reversed(re.split(r"^(?:Current t|T)hread .*$", report, flags=re.MULTILINE)):
        found = pattern.search(part)
        if found:
            return int(found[1])
    return None
