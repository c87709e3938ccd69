"""Makes of what Monty raised the ending of the script: the user's lines, the tool's own error, a hint."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from pydantic_monty import Frame, MontyCrashedError, MontyError, MontyRuntimeError, MontySyntaxError

from ptc_studio.core.failures import failure_of, message_of
from ptc_studio.core.scripts import Ending, Failure, Script
from ptc_studio.runtimes.monty.exceptions import Raised
from ptc_studio.runtimes.monty.hints import explained
from ptc_studio.runtimes.monty.positions import SOURCE

_CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
SHOWN_TIMES = 3


@dataclass(frozen=True, slots=True)
class Place:
    """One line of a traceback."""

    filename: str
    line: int
    function: str | None
    source: str
    column: int


def ending_of(error: MontyError, script: Script, raised: Raised, write: Callable[[str], None]) -> Ending:
    """How the script ended; `write` takes what it says last on stderr."""
    if isinstance(error, MontyCrashedError):
        return Ending("crashed", error.exit_status, Failure("Crashed", f"The script's worker is gone: {error}."))
    exception = error.exception()
    frames = _frames(error, script)
    line = next((frame.line for frame in reversed(frames) if frame.filename == script.filename), None)
    if isinstance(exception, SystemExit):
        return _exit(exception, _traceback(frames, f"SystemExit: {message_of(exception)}"), line, write)
    original = raised.original(exception)
    told = original or exception
    message = message_of(told) if original else _message(exception)
    kind = type(told).__name__
    text = _traceback(frames, f"{kind}: {message}" if message else kind)
    remote = str(failure_of(original)["traceback"]).rstrip("\n") if original else ""
    return Ending("error", 1, Failure(kind, message, f"{remote}\n{_CAUSE}{text}" if remote else text, line))


def _message(exception: BaseException) -> str:
    message = message_of(exception)
    if isinstance(exception, MemoryError) and message.startswith("memory limit exceeded"):
        return f"The script needs more memory than it may have ({message})."
    return explained(message)


def _exit(error: SystemExit, traceback: str, line: int | None, write: Callable[[str], None]) -> Ending:
    """As the interpreter does it: nothing is 0, a number is itself, anything else is printed and 1."""
    text = str(error.code or "")
    if text.lstrip("-").isdigit() or not text:
        status = int(text or 0) & 0xFF
    else:
        write(f"{text}\n")
        status = 1
    return Ending("error", status, Failure("SystemExit", text, traceback, line)) if status else Ending("ok", 0)


def _frames(error: MontyError, script: Script) -> list[Place]:
    told = error.traceback() if isinstance(error, MontyRuntimeError | MontySyntaxError) else []
    return [
        Place(
            script.filename if frame.filename == SOURCE else frame.filename,
            frame.line,
            frame.function_name,
            _source(script, frame),
            frame.column,
        )
        for frame in told
    ]


def _source(script: Script, frame: Frame) -> str:
    lines = script.code.split("\n")
    return lines[frame.line - 1] if frame.filename == SOURCE and 0 < frame.line <= len(lines) else ""


def _traceback(frames: list[Place], last: str) -> str:
    if not frames:
        return f"{last}\n"
    shown = "".join(_shown(place, len(list(alike))) for place, alike in itertools.groupby(frames))
    head = "Traceback (most recent call last):\n" if frames[-1].function else ""
    return f"{head}{shown}{last}\n"


def _shown(place: Place, times: int) -> str:
    """The place as Python shows it; one that recursion passed through again and again is shown a few times."""
    where = f'  File "{place.filename}", line {place.line}'
    text = place.source.lstrip()
    code = f"    {text.rstrip()}\n" if text else ""
    if place.function is None:
        # What was not understood at all: nothing was executed, and the column is what helps.
        caret = " " * max(place.column - 1 - (len(place.source) - len(text)), 0)
        return f"{where}\n{code}    {caret}^\n"
    shown = f"{where}, in {place.function}\n{code}"
    if times <= SHOWN_TIMES:
        return shown * times
    return f"{shown * SHOWN_TIMES}  [Previous line repeated {times - SHOWN_TIMES} more times]\n"
