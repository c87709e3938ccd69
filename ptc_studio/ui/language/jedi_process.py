"""Jedi in a process of its own.

In a thread of ours it would hold the interpreter for a tenth of a second at a time, whenever it reads a library from
its cache; and it imports compiled modules to look at them, which may crash.
"""

import json
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

GUEST = Path(__file__).with_name("jedi_guest.py")
# -P: a `json.py` beside that file, or in the working directory, is not meant.
COMMAND = (sys.executable, "-P", str(GUEST))
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
        self._process: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._closed = False

    def ask(self, code: str, line: int, column: int, most: int) -> Found:
        """Names that may stand at that place, with what they are; the line counts from 1, the column from 0."""
        question = json.dumps({"code": code, "line": line, "column": column, "most": most})
        with self._asking:
            process = self._started()
            overdue = threading.Timer(self._seconds, process.kill)
            overdue.daemon = True
            overdue.start()
            found = _exchange(process, question)
            overdue.cancel()
            if found is None:
                self._failures += 1
                self._end()
                raise JediFailed("The process that completes Python ended.")
            self._failures = 0
            return found

    def close(self) -> None:
        """Ends the process, from any thread; whoever waits for an answer gets none."""
        with self._changing:
            self._closed = True
            if self._process is not None:
                self._process.kill()
        with self._asking:
            self._end()

    def _started(self) -> "subprocess.Popen[bytes]":
        with self._changing:
            if self._closed or self._failures >= MOST_FAILURES:
                raise JediFailed("The process that completes Python is not started again.")
            if self._process is None:
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
            return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    if pipe is not None:
                        pipe.close()


def _exchange(process: "subprocess.Popen[bytes]", question: str) -> Found | None:
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError, ValueError):
        process.stdin.write(question.encode() + b"\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if line.endswith(b"\n"):
            return [(name, kind) for name, kind in json.loads(line)]
    return None
