"""One script in one shell, on an event loop in a thread of its own."""

import asyncio
import logging
import threading
import time
from concurrent.futures import Future

from bashkit import Bash, ExecResult

from ptc_studio.core import codec
from ptc_studio.core.scripts import Ending, Failure, Job
from ptc_studio.runtimes.bash.commands import Commands
from ptc_studio.runtimes.bash.endings import ending_of
from ptc_studio.runtimes.bash.shell import make_shell, prelude

log = logging.getLogger(__name__)

AFTER_DEADLINE = 0.5
"""The run's own clock goes first; the shell's is for what cannot be interrupted, such as an endless jq program."""
LONGEST_SECONDS = 1e8
GRACE_SECONDS = 0.1
"""A shell that ends by itself takes its background jobs with it; one that is abandoned may not."""
REMEMBERED = 4_000
CUT = "bash: {} is cut here: the shell passes on no more than 10 MiB of it\n"


class Execution:
    """From the first command to the last byte of output."""

    def __init__(self, job: Job, ending: "Future[Ending]") -> None:
        self._job = job
        self._ending = ending
        self._said = ""
        """The end of what went to stderr."""
        self._stopped_at: Failure | None = None
        self._lock = threading.Lock()
        self._under_way: tuple[Bash, asyncio.Future[ExecResult], asyncio.AbstractEventLoop] | None = None
        """What there is to stop. Let go of at the end: a shell that its own commands lead back to is never freed."""

    def begin(self) -> None:
        """Runs the script in this thread."""
        try:
            ending = asyncio.run(self._run())
        except asyncio.CancelledError:
            ending = Ending("error", None, self._stopped_at)
        except Exception as error:
            log.exception("A shell failed")
            ending = Ending("crashed", None, Failure(type(error).__name__, f"The shell failed: {error}"))
        self._ending.set_result(ending)

    async def _run(self) -> Ending:
        job = self._job
        self._commands = commands = Commands(job)
        seconds = min(max(job.run.deadline - time.monotonic(), 0) + AFTER_DEADLINE, LONGEST_SECONDS)
        variables = {name: _word(value) for name, value in job.extra_globals.items()}
        shell = make_shell(commands.table(), variables, seconds)
        work = asyncio.ensure_future(self._execute(shell))
        self._under_way = (shell, work, asyncio.get_running_loop())
        job.run.on_stop(self._stop)
        try:
            result = await work
        finally:
            with self._lock:
                self._under_way = None
        if self._stopped_at is not None:
            return Ending("error", None, self._stopped_at)
        self._note_cuts(result)
        return ending_of(result, commands, job.script.filename, self._said)

    async def _execute(self, shell: Bash) -> ExecResult:
        code = self._job.script.code
        await shell.execute(prelude(self._commands.names, code))
        # Told by the shell itself after each command: what takes its output in turns of the loop would lose what was
        # written before a command that never ends.
        return await shell.execute(code, on_output=self._write)

    def _write(self, stdout: str, stderr: str) -> None:
        if stdout:
            self._job.write("stdout", stdout)
        if stderr:
            self._said = (self._said + stderr)[-REMEMBERED:]
            self._job.write("stderr", stderr)

    def _stop(self) -> None:
        """Ends the script at its next command, which calls that are given up soon lead to; else without its help."""
        waiting = self._commands.waiting
        line = (waiting[-1] if waiting else 0) or None
        where = f"{self._job.script.filename}: line {line}\n" if line else ""
        self._stopped_at = Failure("ScriptStopped", "The script was stopped.", where, line)
        with self._lock:
            if self._under_way is not None:
                shell, work, loop = self._under_way
                shell.cancel()
                loop.call_soon_threadsafe(loop.call_later, GRACE_SECONDS, work.cancel)

    def _note_cuts(self, result: ExecResult) -> None:
        for stream, cut in (("stdout", result.stdout_truncated), ("stderr", result.stderr_truncated)):
            if cut:
                self._job.write("stderr", CUT.format(stream))


def _word(value: object) -> str:
    return value if isinstance(value, str) else codec.encode(value).decode()
