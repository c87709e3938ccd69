"""Completes Python with jedi, which is told of the tools by stubs."""

import logging
import re
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from ptc_studio.locations import IMPORT_FOLDER, PYTHON
from ptc_studio.processes.json_pipe import JsonPipe
from ptc_studio.processes.process_tree import end_process_tree, kill_process_tree
from ptc_studio.ui.language.hints import ToolHint, shown_hint
from ptc_studio.ui.language.suggestions import MOST, Kind, Suggestion

GUEST = Path(__file__).with_name("jedi_guest.py")
# -P and a path at the end: a `json.py` beside that file, or in the working directory, is not meant.
_START = "import runpy, sys; sys.path.append(sys.argv[1]); runpy.run_path(sys.argv[2], run_name='__main__')"
COMMAND = (PYTHON, "-P", "-c", _START, str(IMPORT_FOLDER), str(GUEST))
ANSWER_SECONDS = 20.0
"""The first answer takes seconds, for jedi reads the library then."""
MOST_FAILURES = 3
Found = list[tuple[str, str]]


class JediFailed(Exception):
    """It gave no answer."""


class JediProcess:
    """Starts with the first question, and anew after a crash."""

    def __init__(self, command: tuple[str, ...] = COMMAND, seconds: float = ANSWER_SECONDS) -> None:
        self._command = command
        self._seconds = seconds
        self._asking = threading.Lock()
        self._changing = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._closed = False

    def ask(self, code: str, line: int, column: int, most: int) -> Found:
        """Names that may stand at that place, with what they are; the line counts from 1, the column from 0."""
        # Half a surrogate pair has no JSON form.
        code = code.encode(errors="replace").decode()
        question = {"code": code, "line": line, "column": column, "most": most}
        with self._asking:
            process = self._started()
            overdue = threading.Timer(self._seconds, kill_process_tree, (process.pid,))
            overdue.daemon = True
            overdue.start()
            found: Any = None
            with suppress(OSError, ValueError):
                pipe = _pipe_to(process)
                pipe.send(question)
                found = pipe.receive()
            overdue.cancel()
            if found is None:
                self._failures += 1
                self._end()
                raise JediFailed("The process that completes Python ended.")
            self._failures = 0
            return [(name, kind) for name, kind in found]

    def close(self) -> None:
        """Ends the process, from any thread; whoever waits for an answer gets none."""
        with self._changing:
            self._closed = True
            if self.process is not None:
                kill_process_tree(self.process.pid)
        with self._asking:
            self._end()

    def _started(self) -> "subprocess.Popen[bytes]":
        with self._changing:
            if self._closed or self._failures >= MOST_FAILURES:
                raise JediFailed("The process that completes Python is not started again.")
            if self.process is None:
                self.process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            return self.process

    def _end(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            end_process_tree(process)
            _pipe_to(process).close()


def _pipe_to(process: "subprocess.Popen[bytes]") -> JsonPipe:
    assert process.stdin is not None
    assert process.stdout is not None
    return JsonPipe(process.stdout, process.stdin)


log = logging.getLogger(__name__)
KINDS: dict[str, Kind] = {
    "function": "function",
    "class": "class",
    "module": "module",
    "keyword": "keyword",
    "namespace": "module",
    "param": "parameter",
}
_WORD = re.compile(r"[^\W\d]\w*")


class PythonCompletion:
    """Asks a process of its own, so its answers take their time: never for the thread of the window."""

    def __init__(self, jedi: JediProcess | None = None) -> None:
        self.jedi = jedi or JediProcess()

    def warm_up(self) -> None:
        """Has jedi loaded and what it needs; takes seconds the first time, all of them in its own process."""
        self._ask("import asyncio\nasyncio.", 2, 8)

    def complete(self, code: str, line: int, column: int, hints: tuple[ToolHint, ...]) -> list[Suggestion]:
        """What may stand at that place; the line counts from 1, the column from 0. Nothing if jedi has no answer."""
        words = set(_WORD.findall(code))
        # Of two thousand tools a script speaks of few, and jedi reads what stands before it anew at every word.
        prefix = stubs(tuple(hint for hint in hints if hint.name.partition(".")[0] in words))
        found = self._ask(prefix + code, line + prefix.count("\n"), column)
        return [Suggestion(name, KINDS.get(kind, "name"), kind) for name, kind in found]

    def _ask(self, code: str, line: int, column: int) -> Sequence[tuple[str, str]]:
        try:
            return self.jedi.ask(code, line, column, MOST)
        except (JediFailed, OSError) as error:
            log.warning("Python is not completed: %s", error)
            return []

    def close(self) -> None:
        """Ends the process."""
        self.jedi.close()


@lru_cache(maxsize=4)
def stubs(hints: tuple[ToolHint, ...]) -> str:
    """Definitions of the tools, as text to put before a script: the same that are exported for type checkers."""
    from ptc_studio.exports.pyi import pyi

    return pyi([shown_hint(hint) for hint in hints])
