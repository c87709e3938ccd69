"""Executes shell scripts in bashkit, an interpreter of its own with files of its own, in a thread of this process.

A script finds a command for each tool in its shell, and a few of the studio's own.
"""

import asyncio
import logging
import re
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bashkit import Bash, BuiltinContext, BuiltinResult, ExecResult, ExecutionProfile

from ptc_studio.core import codec
from ptc_studio.core.calls import Outcome
from ptc_studio.core.errors import CallStatus
from ptc_studio.core.failures import failure_of, message_of
from ptc_studio.core.run import MEGABYTE
from ptc_studio.core.scripts import Failure, Job, ScriptResult
from ptc_studio.core.tools import Parameter, ToolSpec
from ptc_studio.runtimes.bash.arguments import (
    RESERVED,
    GivenArguments,
    PythonFunctions,
    WrongUse,
    kinds,
    read_arguments,
    read_object,
)
from ptc_studio.runtimes.projections import ExecutesProjections

log = logging.getLogger(__name__)

_READING_LOOP = re.compile(r"\b(?:while|until)\b[^\n]*\bread\b")


def reads_in_loops(code: str) -> bool:
    """Whether the script reads lines in a loop: a command in its body finds the lines that are still to be read."""
    return _READING_LOOP.search(code) is not None


NO_TOOLS = "No tools are granted to this script.\n"
USAGE = """\
Options of every tool: --help, --json (prints a text as JSON, too), --timeout SECONDS.
Bytes are printed in base64, and given so as --NAME:base64 TEXT. python3 -c 'print(add(1, 2))' calls tools, too.
Arguments may also come as one JSON object, as the only word or piped in.
call_tool NAME ... calls a tool by any of its names.
"""


def overview(commands: Iterable[tuple[str, ToolSpec]]) -> str:
    """Every tool in a line."""
    listed = "".join(f"  {_call(name, spec)}\n      {spec.description}\n" for name, spec in commands)
    return f"The tools of this script:\n{listed}\n{USAGE}" if listed else NO_TOOLS


def page(name: str, spec: ToolSpec) -> str:
    """All about one tool."""
    parameters = "".join(f"  --{_option(parameter, spec)}\n" for parameter in spec.signature)
    text = (spec.doc or spec.description).strip()
    return "\n".join(filter(None, (f"usage: {_call(name, spec)}\n", f"{text}\n" if text else "", parameters + USAGE)))


def _call(name: str, spec: ToolSpec) -> str:
    return " ".join((name, *(_short(parameter, spec) for parameter in spec.signature)))


def _short(parameter: Parameter, spec: ToolSpec) -> str:
    word = f"--{parameter.name}" if _is_flag(parameter, spec) else f"--{parameter.name} {_kind(parameter, spec)}"
    return word if parameter.required else f"[{word}]"


def _option(parameter: Parameter, spec: ToolSpec) -> str:
    about: Any = spec.parameters.get("properties", {}).get(parameter.name, {}).get("description", "")
    default = "" if parameter.required else f" (default {codec.encode(parameter.default).decode()})"
    return f"{parameter.name} {_kind(parameter, spec)}{default}{f'  {about}' if about else ''}"


def _is_flag(parameter: Parameter, spec: ToolSpec) -> bool:
    return kinds(spec.parameters.get("properties", {}).get(parameter.name), spec.parameters) == {"boolean"}


def _kind(parameter: Parameter, spec: ToolSpec) -> str:
    found = kinds(spec.parameters.get("properties", {}).get(parameter.name), spec.parameters)
    return parameter.annotation or "|".join(sorted(found)).upper() or "VALUE"


LINE = "PTC_LINE"
EXIT = "__ptc_exit"
UNBOUNDED = 2**62
"""Of commands and rounds of loops: the run's time is what bounds a script."""
MEMORY = 100 * MEGABYTE
"""Of the variables and files of one shell."""
_FUNCTION_NAME = re.compile(r"[A-Za-z_][\w.:-]*")
_EXIT_FUNCTION = f'exit() {{ set -- "${{1-$?}}"; {LINE}=${{BASH_LINENO[0]}} {EXIT}; builtin exit "$1"; }}'


def make_shell(
    commands: Mapping[str, Any], variables: Mapping[str, str], seconds: float, functions: PythonFunctions | None = None
) -> Bash:
    """A shell that knows the commands and nothing of this machine; no network is configured, so there is none.

    With functions it has a `python3`, in whose scripts they can be called.
    """
    python = {"python": True, "external_functions": functions.names, "external_handler": functions} if functions else {}
    return Bash(
        **python,
        custom_builtins=commands,
        env=variables,
        max_commands=UNBOUNDED,
        max_loop_iterations=UNBOUNDED,
        max_memory=MEMORY,
        timeout_seconds=seconds,
        profile=ExecutionProfile.Interactive,
    )


def prelude(names: Iterable[str], code: str) -> str:
    """Functions around the commands that the script may call, and around `exit`.

    A command is not told its line, but a function can see the line of its caller.
    """
    used = [name for name in names if name in code and _FUNCTION_NAME.fullmatch(name)]
    functions = [f'{name}() {{ {LINE}=${{BASH_LINENO[0]}} command {name} "$@"; }}' for name in used]
    return "\n".join((*functions, *([_EXIT_FUNCTION] if "exit" in code else ())))


def used_up() -> None:
    """Runs nothing in a shell, once."""
    Bash().execute_sync(":")


STATUSES: dict[CallStatus, int] = {"invalid": 2, "timeout": 124, "denied": 126, "not_found": 127, "cancelled": 130}
"""What a call that failed exits with, as commands of a shell do; 1 for all else."""

Command = Callable[[BuiltinContext], Awaitable[BuiltinResult]]


@dataclass(frozen=True, slots=True)
class FailedCall:
    """A tool's failure as the script was told of it."""

    said: str
    exception: BaseException
    line: int | None


class Commands:
    """Makes the commands of one script, and remembers what its ending may have to tell."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._specs = {name: visible.target.spec for visible in job.tools for name in visible.names}
        self._own_names = {name: visible.names[0] for visible in job.tools for name in visible.names}
        self._slots = asyncio.Semaphore(job.run.limits.concurrent_calls)
        self._merges_stdin = not reads_in_loops(job.script.code)
        self.failed: FailedCall | None = None
        """The latest of the calls that failed."""
        self.exit_line: int | None = None
        self.waiting: list[int] = []
        """The lines of the calls under way."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name under which a tool, or `call_tool`, is a command."""
        return (*self.tools, "call_tool")

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of tools that are commands of their own."""
        return tuple(name for name in self._specs if name not in RESERVED)

    @property
    def every_name(self) -> tuple[str, ...]:
        """The names of all tools, also of those that cannot be commands."""
        return tuple(self._specs)

    async def outcome(
        self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], timeout: float | None = None
    ) -> Outcome:
        """Calls a tool with values instead of words."""
        return await self._call(name, GivenArguments(list(args), dict(kwargs), timeout), None)

    def table(self) -> dict[str, Command]:
        """The commands by name. A tool wins over what the studio adds."""
        own: dict[str, Command] = {"tools": self._help, "help": self._help}
        return {**own, **dict.fromkeys(self.tools, self._tool), "call_tool": self._call_tool, EXIT: self._exit}

    async def _tool(self, context: BuiltinContext) -> BuiltinResult:
        return await self._use(context.name, context.argv, context)

    async def _call_tool(self, context: BuiltinContext) -> BuiltinResult:
        if not context.argv or context.argv[0] == "--help":
            return self._refused("usage: call_tool NAME [JSON | ARGUMENTS...]", context)
        return await self._use(context.argv[0], context.argv[1:], context, by_name=True)

    async def _help(self, context: BuiltinContext) -> BuiltinResult:
        name = context.argv[0] if context.argv else ""
        if name in self._specs:
            return BuiltinResult(page(self._shown(name), self._specs[name]))
        listed = [(self._shown(name), spec) for name, spec in sorted(self._specs.items()) if name == spec.name]
        return BuiltinResult(overview(listed))

    async def _exit(self, context: BuiltinContext) -> BuiltinResult:
        self.exit_line = _line(context)
        return BuiltinResult()

    async def _use(
        self, name: str, words: list[str], context: BuiltinContext, *, by_name: bool = False
    ) -> BuiltinResult:
        # Of a name that leads nowhere, or to what is not granted, the executor knows what to say.
        spec = self._specs.get(name) or ToolSpec(name, "", {"type": "object"}, "")
        try:
            given = read_arguments(words, spec, by_name=by_name)
            self._merge_stdin(given, context.stdin)
        except WrongUse as error:
            return self._refused(f"{name}: {error}; {self._shown(name)} --help shows how it is called", context)
        if given.wants_help:
            return BuiltinResult(page(self._shown(name), spec))
        line = _line(context)
        outcome = await self._call(name, given, line)
        return self._result(outcome, given, line)

    def _merge_stdin(self, given: GivenArguments, stdin: str | None) -> None:
        """What was piped in as a JSON object counts as options; those of the command itself win."""
        piped = read_object(stdin or "") if given.from_stdin or self._merges_stdin else None
        if given.from_stdin and piped is None:
            raise WrongUse("what is piped in is no JSON object")
        if piped:
            given.kwargs = {**piped, **given.kwargs}

    async def _call(self, name: str, given: GivenArguments, line: int | None) -> Outcome:
        executor = self._job.executor
        tool = self._own_names.get(name, name)
        request = self._job.request(tool, given.args, given.kwargs, timeout=given.timeout, line=line)
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Outcome] = loop.create_future()

        def deliver(outcome: Outcome) -> None:
            # The shell may be gone, and its loop closed, by the time an abandoned tool answers.
            if not loop.is_closed():
                loop.call_soon_threadsafe(lambda: answer.done() or answer.set_result(outcome))

        # Admitted before its turn, so that a call that waits is seen and ends with the run.
        call = executor.admit(request, deliver)
        self.waiting.append(line or 0)
        try:
            async with self._slots:
                executor.workers.submit(lambda: executor.perform(call))
                return await answer
        except asyncio.CancelledError:
            executor.workers.submit(call.cancel)
            raise
        finally:
            self.waiting.remove(line or 0)

    def _result(self, outcome: Outcome, given: GivenArguments, line: int | None) -> BuiltinResult:
        error = outcome.exception
        if error is None:
            return BuiltinResult(_printed(outcome, given.as_json))
        text = f"{type(error).__name__}: {message_of(error)}"
        self.failed = FailedCall(text, error, line)
        return BuiltinResult(stderr=f"{text}\n", exit_code=STATUSES.get(outcome.status, 1))

    def _refused(self, text: str, context: BuiltinContext) -> BuiltinResult:
        self.failed = FailedCall(text, TypeError(text), _line(context))
        return BuiltinResult(stderr=f"{text}\n", exit_code=STATUSES["invalid"])

    def _shown(self, name: str) -> str:
        return f"call_tool {name}" if name in RESERVED else name


def _printed(outcome: Outcome, as_json: bool) -> str:
    """A text as it is, so that `$(...)` can use it; everything else as JSON."""
    value = codec.decode(outcome.encoded) if outcome.bytes_at == [()] else outcome.value
    if isinstance(value, str) and not as_json:
        return f"{value}\n"
    return f"{outcome.encoded.decode()}\n"


def _line(context: BuiltinContext) -> int | None:
    text: Any = context.env.get(LINE, "")
    return int(text) if text.isdigit() and text != "0" else None


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
    """How the script ended; `stderr_end` is the end of what it wrote to stderr."""
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


def _failure(status: int, commands: Commands, filename: str, text: str) -> Failure:
    """What was said last on stderr is the reason; a script that said nothing has its status alone."""
    failed = commands.failed
    if failed is not None and text.endswith(failed.said):
        remote = str(failure_of(failed.exception)["traceback"])
        where = _where(filename, failed.line, failed.said)
        kind = type(failed.exception).__name__
        return Failure(kind, message_of(failed.exception), f"{remote}\n{where}" if remote else where, failed.line)
    line, message = _placed(text.rpartition("\n")[2])
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
        # Only for a script that speaks of it: a shell with a Python in it takes longer to make.
        functions = PythonFunctions(commands.outcome, commands.every_name) if "python" in job.script.code else None
        shell = make_shell(commands.table(), variables, seconds, functions)
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

    def warm(self, memory_mb: int | None = None) -> None:  # noqa: ARG002 - a runtime's method
        """Has the interpreter loaded: the first shell of a process takes a moment longer."""
        # Of its own: who warms up has no run yet, hence no workers.
        threading.Thread(target=used_up, name="ptc-bash-warm", daemon=True).start()

    def close(self) -> None:
        """There is nothing to close: a shell ends with its run."""
