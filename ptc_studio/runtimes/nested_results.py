"""What a call is answered with by the script that is its tool."""

import ast
import builtins
import threading
from typing import Any

from ptc_studio.core import codec
from ptc_studio.core.failures import rebuilt
from ptc_studio.core.scripts import Ending, Failure, ScriptCall


class ScriptCrashed(RuntimeError):
    """The script's process or sandbox broke down, or could not be had."""


class ScriptExited(RuntimeError):
    """The script ended itself with a status that means failure."""


class Printed:
    """What a script wrote to its standard output, up to a bound. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._length = 0
        self._pieces: list[str] = []
        self._lock = threading.Lock()

    def add(self, text: str) -> None:
        with self._lock:
            self._length += len(text)
            if self._length <= self._most:
                self._pieces.append(text)

    @property
    def text(self) -> str:
        """All of it; raises ValueError if that is more than is kept."""
        if self._length > self._most:
            raise ValueError(
                f"The script printed {self._length} characters, more than a result may have ({self._most}): "
                "let it end with a value, or print less."
            )
        return "".join(self._pieces)


def result_of(ending: Ending, printed: Printed, wanted: ScriptCall) -> Any:
    """The script's value; without one what it printed: as JSON if it is that, else the text without its last newline.

    Raises what the script failed with.
    """
    if ending.status != "ok":
        raise exception_of(ending, wanted.script.filename)
    if ending.value is not None:
        return ending.value
    text = printed.text
    if not text:
        return None
    if not wanted.prints_text:
        try:
            return codec.decode(text)
        except ValueError:
            """It is a text, then."""
    return text.removesuffix("\n")


def exception_of(ending: Ending, filename: str) -> BaseException:
    """The script's failure as the exception that whoever called it catches: of its own type, as far as one is known."""
    failure = ending.failure
    if ending.status == "crashed":
        reason = failure.message if failure else f"It ended with status {ending.return_code}."
        return ScriptCrashed(f"The script {filename!r} crashed: {reason}")
    if failure is None:
        return ScriptExited(f"The script {filename!r} ended with status {ending.return_code}.")
    known = getattr(builtins, failure.type, None)
    if isinstance(known, type) and issubclass(known, BaseException) and not issubclass(known, Exception):
        # Such as SystemExit: it is the script that ends, and not whoever called it.
        return ScriptExited(f"The script {filename!r} ended with status {ending.return_code}.")
    return rebuilt(_carried(failure))


def _carried(failure: Failure) -> dict[str, Any]:
    """The failure as `rebuilt` reads it: of a type that is not Python's own only the name is known."""
    return {
        "mro": [failure.type, "Exception"],
        "message": failure.message,
        "args": _arguments(failure),
        "state": None,
        "notes": [],
        "traceback": failure.traceback,
    }


def _arguments(failure: Failure) -> list[Any] | None:
    """Those of a KeyError, whose text is the key as Python writes it; all others are made of their text."""
    if failure.type != "KeyError":
        return None
    try:
        return [ast.literal_eval(failure.message)]
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
