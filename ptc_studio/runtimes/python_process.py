"""The `python` runtime: a process of its own for every run, from a warm pool."""

import asyncio
import re
import signal
import sys
import threading
from concurrent.futures import Future

from ptc_studio.core.scripts import Ending, Failure, Job
from ptc_studio.gateway.frames import FrameWriter
from ptc_studio.gateway.service import Service, Told, start_frame
from ptc_studio.locations import PYTHON_KIT
from ptc_studio.runtimes.guest import Guest, GuestError, signal_name
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
            self._guest = guest = pool.checkout()
        except GuestError as error:
            self._ending.set_result(Ending("crashed", None, Failure("RuntimeUnavailable", f"Python: {error}")))
            return
        workers = self._job.executor.workers
        self._writer = FrameWriter(guest.write_fd, workers.submit)
        self._service = Service(self._job, guest.reader, self._writer, lambda: workers.submit(self._finish))
        workers.submit(self._pump)
        self._writer.write(start_frame(self._job))
        self._job.run.on_stop(self._stop)
        self._service.serve()

    def _pump(self) -> None:
        process = self._guest.process
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            streams = {"stdout": process.stdout, "stderr": process.stderr}
            pump(streams, self._job.write, lambda: self._guest.return_code is not None)  # type: ignore[arg-type]
        finally:
            self._pumped.set()

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
    line = (told.position or {}).get("line") or line_in_report(report, filename) or told.last_line
    name = signal_name(code)
    if name is None and code == 0:
        return Ending("ok", 0)
    why = f"was killed by {name}" if name else f"ended with status {code} without a word"
    note = (told.position or {}).get("message")
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
