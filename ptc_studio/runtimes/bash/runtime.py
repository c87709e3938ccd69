"""Executes shell scripts in bashkit, an interpreter of its own with files of its own, in a thread of this process."""

import asyncio
import logging
import re
import threading
import time

from bashkit import Bash, ExecResult

from ptc_studio.core import codec
from ptc_studio.core.failures import failure_of, message_of
from ptc_studio.core.scripts import Failure, Job, ScriptResult
from ptc_studio.runtimes.bash.commands import Commands, make_shell, prelude, used_up
from ptc_studio.runtimes.projections import ExecutesProjections

SYNTAX_STATUS, NOT_FOUND_STATUS = 2, 127
_AT_LINE = re.compile(r"\bline (\d+)(?:, column \d+)?: (.*)", re.DOTALL)
_ABORTED = (
    ("parse error", "SyntaxError"),
    ("syntax error", "SyntaxError"),
    ("memory limit", "MemoryError"),
    ("execution budget", "MemoryError"),
    ("depth exceeded", "RecursionError"),
    ("execution timeout", "TimeoutError"),
)


def script_result(result: ExecResult, commands: Commands, filename: str, stderr_end: str) -> ScriptResult:
    """How the script ended; `last_said` is the end of what it wrote to stderr."""
    if result.error is not None:
        return _aborted(result.error, filename)
    if result.exit_code == 0:
        return ScriptResult("ok", 0)
    failure = _failure(result.exit_code, commands, filename, stderr_end.rstrip("\n"))
    return ScriptResult("error", result.exit_code, failure)


def _aborted(error: str, filename: str) -> ScriptResult:
    kind = next((kind for part, kind in _ABORTED if part in error), "BashError")
    line, message = _placed(error)
    status = SYNTAX_STATUS if kind == "SyntaxError" else 1
    return ScriptResult("error", status, Failure(kind, message, _where(filename, line, error), line))


def _failure(status: int, commands: Commands, filename: str, said: str) -> Failure:
    """What was said last on stderr is the reason; a script that said nothing has its status alone."""
    failed = commands.failed
    if failed is not None and said.endswith(failed.said):
        remote = str(failure_of(failed.exception)["traceback"])
        where = _where(filename, failed.line, failed.said)
        kind = type(failed.exception).__name__
        return Failure(kind, message_of(failed.exception), f"{remote}\n{where}" if remote else where, failed.line)
    line, message = _placed(said.rpartition("\n")[2])
    if line is not None:
        if status == NOT_FOUND_STATUS and not commands.tools:
            message += " No tools are granted to this script."
        return Failure("BashError", message, _where(filename, line, message), line)
    message = f"The script ended with status {status}" + (f": {message}" if message else ".")
    return Failure("SystemExit", message, _where(filename, commands.exit_line, message), commands.exit_line)


def _placed(text: str) -> tuple[int | None, str]:
    found = _AT_LINE.search(text)
    return (int(found[1]), found[2]) if found else (None, text)


def _where(filename: str, line: int | None, text: str) -> str:
    return f"{filename}: line {line}: {text}\n" if line else f"{filename}: {text}\n"


log = logging.getLogger(__name__)

AFTER_DEADLINE = 0.5
"""The run's own clock goes first; the shell's is for what cannot be interrupted, such as an endless jq program."""
LONGEST_SECONDS = 1e8
GRACE_SECONDS = 0.1
"""A shell that ends by itself takes its background jobs with it; one that is abandoned may not."""
REMEMBERED = 4_000
CUT = "bash: {} is cut here: the shell passes on no more than 10 MiB of it\n"


class BashExecution:
    """From the first command to the last byte of output."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._stderr_end = ""
        """The end of what went to stderr."""
        self._stopped_at: Failure | None = None
        self._lock = threading.Lock()
        self._under_way: tuple[Bash, asyncio.Future[ExecResult], asyncio.AbstractEventLoop] | None = None
        """What there is to stop. Let go of at the end: a shell that its own commands lead back to is never freed."""

    def result(self) -> ScriptResult:
        """Runs the script in this thread."""
        try:
            return asyncio.run(self._run())
        except asyncio.CancelledError:
            return ScriptResult("error", None, self._stopped_at)
        except Exception as error:
            log.exception("A shell failed")
            return ScriptResult("crashed", None, Failure(type(error).__name__, f"The shell failed: {error}"))

    async def _run(self) -> ScriptResult:
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
            return ScriptResult("error", None, self._stopped_at)
        self._note_cuts(result)
        return script_result(result, commands, job.script.filename, self._stderr_end)

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
            self._stderr_end = (self._stderr_end + stderr)[-REMEMBERED:]
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


class BashRuntime(ExecutesProjections):
    """Gives each run a shell, and a thread with an event loop for the shell's commands."""

    id = "bash"
    isolation = "virtual shell"

    async def run(self, job: Job) -> ScriptResult:
        if job.run.stop_reason is not None:
            return ScriptResult("error", None)
        return await job.executor.workers.run(BashExecution(job).result)

    def warm(self) -> None:
        """Has the interpreter loaded: the first shell of a process takes a moment longer."""
        # Of its own: who warms up has no run yet, hence no workers.
        threading.Thread(target=used_up, name="ptc-bash-warm", daemon=True).start()

    def close(self) -> None:
        """There is nothing to close: a shell ends with its run."""
