"""Makes of a shell's exit status, and of what it said last, the ending of the script."""

import re

from bashkit import ExecResult

from ptc_studio.core.failures import failure_of, message_of
from ptc_studio.core.scripts import Ending, Failure
from ptc_studio.runtimes.bash.commands import Commands

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


def ending_of(result: ExecResult, commands: Commands, filename: str, last_said: str) -> Ending:
    """How the script ended; `last_said` is the end of what it wrote to stderr."""
    if result.error is not None:
        return _aborted(result.error, filename)
    if result.exit_code == 0:
        return Ending("ok", 0)
    failure = _failure(result.exit_code, commands, filename, last_said.rstrip("\n"))
    return Ending("error", result.exit_code, failure)


def _aborted(error: str, filename: str) -> Ending:
    kind = next((kind for part, kind in _ABORTED if part in error), "BashError")
    line, message = _placed(error)
    status = SYNTAX_STATUS if kind == "SyntaxError" else 1
    return Ending("error", status, Failure(kind, message, _where(filename, line, error), line))


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
