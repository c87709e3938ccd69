"""Makes of what Monty raised the ending of the script: the user's lines, the tool's own error, a hint."""

import ast
import bisect
import builtins
import itertools
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

from pydantic_monty import (
    ExcType,
    Frame,
    MontyCrashedError,
    MontyError,
    MontyRuntimeError,
    MontySyntaxError,
    MontyTypingError,
    SourceRange,
)

from ptc_studio.core.failures import failure_of, message_of
from ptc_studio.core.scripts import Failure, Script, ScriptResult

KNOWN = frozenset(name for name in get_args(ExcType) if hasattr(builtins, name))
REMEMBERED = 50


class RaisedError:
    """Makes the exceptions for a script, and remembers the latest: of one that is not caught, the tool's own type
    and traceback are worth more than what Monty made of it."""

    def __init__(self) -> None:
        self._latest: deque[tuple[str, str, BaseException]] = deque(maxlen=REMEMBERED)

    def answer(self, error: BaseException) -> Any:
        """The answer that raises the exception in the script, under the nearest type that Monty knows."""
        name = nearest(type(error))
        text = _text(error) if isinstance(error, Exception) else f"{type(error).__name__}: {message_of(error)}"
        self._latest.append((name, text, error))
        return {"exc_type": name, "message": text}

    def original(self, caught: BaseException) -> BaseException | None:
        """The tool's exception of which this one was made."""
        text = str(caught.args[0]) if caught.args else ""
        for name, message, error in reversed(self._latest):
            if (name, message) == (type(caught).__name__, text):
                return error
        return None


def nearest(kind: type[BaseException]) -> str:
    """The name of the most derived of its types that Monty knows; what would end the script is a plain Exception."""
    if issubclass(kind, Exception):
        for base in kind.__mro__:
            if base.__name__ in KNOWN and base.__module__ == "builtins":
                return base.__name__
    return "Exception"


def _text(error: Exception) -> str:
    # Monty, as Python does, shows the text of a KeyError in quotes.
    if isinstance(error, KeyError) and len(error.args) == 1 and message_of(error) == repr(error.args[0]):
        return str(error.args[0])
    return message_of(error)


ELSEWHERE = "or choose the runtime python"

_MODULES = {
    "statistics": "sum(values) / len(values) is the mean, sorted(values)[len(values) // 2] the median",
    "enum": "plain constants do here",
    "uuid": "a text made with random does here",
    "secrets": "random does here",
    "string": "write the letters as a text",
    "operator": "a lambda does here",
    "heapq": "sorted() does here",
    "contextlib": "try and finally do here",
    "abc": "a plain class does here",
    "types": "a dict or a dataclass does here",
    "io": "collect the parts in a list and join them",
    "textwrap": "split and join the text yourself",
    "pprint": "print(json.dumps(value, indent=2)) does here",
    "logging": "print() does here",
    "traceback": "print(repr(error)) does here",
    "inspect": "help(tool) shows a tool",
    "fractions": "decimal does here",
    "calendar": "datetime does here",
    "zoneinfo": "datetime.timezone does here",
    "threading": "await asyncio.gather(aio.tool(...), ...) makes calls at once",
    "concurrent": "await asyncio.gather(aio.tool(...), ...) makes calls at once",
    "multiprocessing": "await asyncio.gather(aio.tool(...), ...) makes calls at once",
    "subprocess": "a script here starts no programs; have a tool do it",
    "socket": "a script here has no network; have a tool do it",
    "urllib": "a script here has no network; have a tool do it",
    "http": "a script here has no network; have a tool do it",
    "requests": "a script here has no network; have a tool do it",
    "httpx": "a script here has no network; have a tool do it",
    "aiohttp": "a script here has no network; have a tool do it",
    "shutil": "a script here has no files; have a tool read or write them",
    "tempfile": "a script here has no files; have a tool read or write them",
    "glob": "a script here has no files; have a tool read or write them",
    "sqlite3": "a script here has no files; have a tool read or write them",
    "numpy": "lists and sum() do here",
    "pandas": "lists of dicts do here",
}

_ERRORS = (
    (r"support yield", "Collect the values in a list and return it"),
    (r"support class inheritance", "Write one class without bases, and raise a built-in exception"),
    (r"support async context managers", "Await the calls themselves, with try and finally around them"),
    (r"support async for", "Await each value in a plain for loop"),
    (r"support the 'del' statement", "Use list.pop or dict.pop, or assign None"),
    (r"support type aliases", "Assign the type to a name"),
    (r"cannot suspend in this synchronous", "Call the tool in a loop or a comprehension: [tool(x) for x in items]"),
    (r"exceptions can only be called with", "Give the exception one text: ValueError(f'...')"),
    (r"module 'sys' has no attribute 'exit'", "exit(status) ends the script"),
    (r"module 'sys' has no attribute 'stdin'", "A script here has no input; write the data into it"),
    (r"TextIOWrapper' object has no attribute 'write'", "print(text, end='') writes, with file=sys.stderr if need be"),
    (r"TextIOWrapper' object has no attribute", "print() writes at once; there is nothing to flush"),
    (r"module 'asyncio' has no attribute 'TimeoutError'", "Catch TimeoutError"),
    (
        r"module 'asyncio' has no attribute 'wait_for'",
        "call_tool_async(name, {...}, timeout=seconds) bounds a call in time",
    ),
    (r"module 'asyncio' has no attribute", "asyncio has gather, run and sleep here: await asyncio.gather(...)"),
    (r"module '\w+' has no attribute", ""),
    (r"does not yet support", ""),
    (r"cannot create 'property' instances", "Write a method"),
)


def missing_module(name: str, namespaces: frozenset[str]) -> str:
    """The text of the ModuleNotFoundError for a module that Monty does not have."""
    if name in namespaces:
        return f"No module named {name!r}: its tools need no import, call {name}.tool(...)"
    advice = _MODULES.get(name.partition(".")[0])
    hint = f"{advice}, {ELSEWHERE}" if advice else f"Monty has a few modules alone, {ELSEWHERE}"
    return f"No module named {name!r}: {hint}"


def explained(message: str) -> str:
    """The message, with what to do about it where that is known."""
    for pattern, advice in _ERRORS:
        if re.search(pattern, message):
            hint = (
                f"{advice}, {ELSEWHERE}" if advice else f"{ELSEWHERE[:1].upper()}{ELSEWHERE[1:]}".replace("Or c", "C")
            )
            return f"{message.rstrip('.')}. {hint}."
    return message


SOURCE = "<python-input-0>"
"""What Monty calls the first text that a session is fed."""


def source_name(feeds: int) -> str:
    """What Monty calls the text that is fed after so many others."""
    return f"<python-input-{feeds}>"


class Positions:
    """Knows where the lines of a script begin."""

    def __init__(self, code: str, source: str = SOURCE) -> None:
        self._source = source
        data = code.encode("utf-8", "surrogatepass")
        self._starts = [0]
        while (newline := data.find(b"\n", self._starts[-1])) >= 0:
            self._starts.append(newline + 1)

    def line(self, position: SourceRange) -> int | None:
        """The line where the expression begins; None for what `eval` was given."""
        return bisect.bisect_right(self._starts, position.start) if position.filename == self._source else None

    def span(self, node: ast.expr) -> tuple[int, int]:
        """Where an expression of the script begins and ends, as Monty counts."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[node.end_lineno - 1] + node.end_col_offset


_CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
SHOWN_TIMES = 3


@dataclass(frozen=True, slots=True)
class ScriptLocation:
    """One line of a traceback."""

    filename: str
    line: int
    function: str | None
    source: str
    column: int


def script_result(
    error: MontyError, script: Script, raised: RaisedError, write: Callable[[str], None], source: str = SOURCE
) -> ScriptResult:
    """How the script ended; `write` takes what it says last on stderr."""
    if isinstance(error, MontyCrashedError):
        return ScriptResult("crashed", error.exit_status, Failure("Crashed", f"The script's worker is gone: {error}."))
    if isinstance(error, MontyTypingError):
        return _mistyped(error)
    exception = error.exception()
    frames = _frames(error, script, source)
    line = next((frame.line for frame in reversed(frames) if frame.filename == script.filename), None)
    if isinstance(exception, SystemExit):
        return _exit(exception, _traceback(frames, f"SystemExit: {message_of(exception)}"), line, write)
    original = raised.original(exception)
    shown = original or exception
    message = message_of(shown) if original else _message(exception)
    kind = type(shown).__name__
    text = _traceback(frames, f"{kind}: {message}" if message else kind)
    remote = str(failure_of(original)["traceback"]).rstrip("\n") if original else ""
    return ScriptResult("error", 1, Failure(kind, message, f"{remote}\n{_CAUSE}{text}" if remote else text, line))


def _mistyped(error: MontyTypingError) -> ScriptResult:
    """What the type checker refused before anything ran."""
    shown = error.display()
    found = re.search(r"^ *--> [^\n]*?:(\d+):\d+", shown, re.MULTILINE)
    first = shown.split("\n", 1)[0]
    return ScriptResult("error", 1, Failure("TypeError", first, shown, int(found[1]) if found else None))


def _message(exception: BaseException) -> str:
    message = message_of(exception)
    if isinstance(exception, MemoryError) and message.startswith("memory limit exceeded"):
        return f"The script needs more memory than it may have ({message})."
    return explained(message)


def _exit(error: SystemExit, traceback: str, line: int | None, write: Callable[[str], None]) -> ScriptResult:
    """As the interpreter does it: nothing is 0, a number is itself, anything else is printed and 1."""
    text = str(error.code or "")
    if text.lstrip("-").isdigit() or not text:
        status = int(text or 0) & 0xFF
    else:
        write(f"{text}\n")
        status = 1
    return (
        ScriptResult("error", status, Failure("SystemExit", text, traceback, line)) if status else ScriptResult("ok", 0)
    )


def _frames(error: MontyError, script: Script, source: str) -> list[ScriptLocation]:
    frames = error.traceback() if isinstance(error, MontyRuntimeError | MontySyntaxError) else []
    return [
        ScriptLocation(
            script.filename if frame.filename == source else frame.filename,
            frame.line,
            frame.function_name,
            _source(script, frame, source),
            frame.column,
        )
        for frame in frames
    ]


def _source(script: Script, frame: Frame, source: str) -> str:
    lines = script.code.split("\n")
    return lines[frame.line - 1] if frame.filename == source and 0 < frame.line <= len(lines) else ""


def _traceback(frames: list[ScriptLocation], last: str) -> str:
    if not frames:
        return f"{last}\n"
    shown = "".join(_shown(location, len(list(alike))) for location, alike in itertools.groupby(frames))
    head = "Traceback (most recent call last):\n" if frames[-1].function else ""
    return f"{head}{shown}{last}\n"


def _shown(location: ScriptLocation, times: int) -> str:
    """The place as Python shows it; one that recursion passed through again and again is shown a few times."""
    where = f'  File "{location.filename}", line {location.line}'
    text = location.source.lstrip()
    code = f"    {text.rstrip()}\n" if text else ""
    if location.function is None:
        # What was not understood at all: nothing was executed, and the column is what helps.
        caret = " " * max(location.column - 1 - (len(location.source) - len(text)), 0)
        return f"{where}\n{code}    {caret}^\n"
    shown = f"{where}, in {location.function}\n{code}"
    if times <= SHOWN_TIMES:
        return shown * times
    return f"{shown * SHOWN_TIMES}  [Previous line repeated {times - SHOWN_TIMES} more times]\n"
