"""Runs a program to its end, with bounded output, and leaves nothing behind: its whole process group ends with it."""

import contextlib
import os
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import dataclass, field
from typing import IO, Any

from ptc_studio.core import codec
from ptc_studio.core.errors import PtcError
from ptc_studio.core.tools import Ticket
from ptc_studio.core.workers import Workers
from ptc_studio.processes.process_tree import (
    VARIABLE,
    OrphanReaper,
    kill_left_behind,
    kill_process_tree,
    new_mark,
    signal_name,
)
from ptc_studio.sources.command.entry import CommandFields
from ptc_studio.sources.references import UsedSecrets

CHUNK = 2**16
STDERR_LIMIT = 2**16
GRACE = 0.5
"""For the last of the output, after the program's end; who holds the pipes open then has left its group."""


_PIPES = Workers("ptc-command")


@dataclass(frozen=True, slots=True)
class CommandLaunch:
    """What is started; all that may hold a secret stays out of its repr."""

    argv: list[str] = field(repr=False)
    cwd: str
    env: dict[str, str] = field(repr=False)
    stdin: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Finished:
    """What came of it."""

    status: int
    stdout: bytes = field(repr=False)
    stderr: bytes = field(repr=False)
    too_long: bool = False


class Running:
    """The programs of one source that run now."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._programs: set[_Program] = set()
        self._closed = False
        self._reaper = OrphanReaper()

    def run_to_end(self, launch: CommandLaunch, limit: int, ticket: Ticket) -> Finished:
        """Waits for the program; it is killed when its call is given up or it writes too much. Raises OSError."""
        mark = new_mark()
        self._reaper.watch()
        program = _Program(_started(launch, mark))
        self._add(program)
        try:
            ticket.on_abandon(program.kill)
            return _finished(program, launch, limit, mark)
        finally:
            with self._lock:
                self._programs.discard(program)

    def close(self) -> None:
        """Kills them all."""
        with self._lock:
            self._closed = True
            programs = tuple(self._programs)
        for program in programs:
            program.kill()
        self._reaper.close()

    def _add(self, program: "_Program") -> None:
        with self._lock:
            self._programs.add(program)
            closed = self._closed
        if closed:
            program.kill()


def _started(launch: CommandLaunch, mark: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        launch.argv,
        stdin=subprocess.DEVNULL if launch.stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=launch.cwd,
        env={**launch.env, VARIABLE: mark},
        start_new_session=True,
    )


def _finished(program: "_Program", launch: CommandLaunch, limit: int, mark: str) -> Finished:
    process = program.process
    assert process.stdout is not None
    assert process.stderr is not None
    out = _PipeReader(process.stdout, limit, whole=True, too_long=program.kill)
    err = _PipeReader(process.stderr, STDERR_LIMIT, whole=False)
    pipes = [_PIPES.submit(out.read), _PIPES.submit(err.read)]
    if process.stdin is not None:
        stdin, data = process.stdin, launch.stdin or b""
        pipes.append(_PIPES.submit(lambda: _write(stdin, data)))
    status = program.wait()
    if not program.killed:
        wait(pipes, GRACE)
    if program.killed or not all(pipe.done() for pipe in pipes):
        kill_left_behind(mark)
        wait(pipes, GRACE)
    return Finished(status, out.data, err.data, out.overflowed)


class _Program:
    """The process and its group, which is killed at most while the number is still theirs."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._lock = threading.Lock()
        self._over = False
        self.killed = False

    def kill(self) -> None:
        """From any thread."""
        with self._lock:
            if not self._over:
                self.killed = True
                kill_process_tree(self.process.pid)

    def wait(self) -> int:
        """Waits for the end, and ends whatever the program left in its group."""
        if hasattr(os, "waitid"):
            # The number stays the program's own until it is waited for in earnest.
            os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT)
            with self._lock:
                kill_process_tree(self.process.pid)
                self._over = True
            return self.process.wait()
        status = self.process.wait()
        with self._lock:
            self._over = True
        return status


class _PipeReader:
    """Reads a pipe: the beginning up to the limit, or the end of it."""

    def __init__(self, pipe: IO[bytes], limit: int, *, whole: bool, too_long: Callable[[], None] | None = None) -> None:
        self._pipe = pipe
        self._limit = limit
        self._whole = whole
        self._too_long = too_long
        self._data = bytearray()
        self.overflowed = False

    @property
    def data(self) -> bytes:
        return bytes(self._data)

    def read(self) -> None:
        with contextlib.suppress(OSError, ValueError), self._pipe:
            while chunk := self._pipe.read1(CHUNK):  # type: ignore[attr-defined]
                self._take(chunk)

    def _take(self, chunk: bytes) -> None:
        if self.overflowed and self._whole:
            return
        self._data += chunk
        if len(self._data) <= self._limit:
            return
        self.overflowed = True
        if self._whole:
            del self._data[self._limit :]
        else:
            del self._data[: -self._limit]
        if self._too_long is not None:
            self._too_long()


def _write(pipe: IO[bytes], data: bytes) -> None:
    # A program need not read its input.
    with contextlib.suppress(OSError, ValueError), pipe:
        pipe.write(data)


class CommandFailed(PtcError):
    """The program says that it did not work."""

    def __init__(self, message: str, status: int = 0, stderr: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.stderr = stderr


class CommandMissing(PtcError, FileNotFoundError):
    """There is nothing to start."""


class CommandUnusable(PtcError, ValueError):
    """Output that cannot be used."""


class CommandRefused(PtcError, ValueError):
    """A command that was not started."""


STDERR_SHOWN = 2000
_ECHO = 80


def value_of(finished: Finished, fields: CommandFields, label: str, used: UsedSecrets) -> Any:
    """The value; raises CommandFailed or CommandUnusable."""
    if finished.too_long:
        raise CommandUnusable(
            f"{label} wrote more than {fields.max_output} bytes: have it write less, or raise its `max_output`."
        )
    if finished.status not in fields.ok:
        raise _failure(finished, label, used)
    text = finished.stdout.decode(errors="replace")
    if fields.output == "json":
        return _json(text, label, used)
    if fields.output == "lines":
        return text.splitlines()
    # As a shell takes over the output of a command.
    return text.rstrip("\n")


def _failure(finished: Finished, label: str, used: UsedSecrets) -> CommandFailed:
    stderr = used.hidden(finished.stderr.decode(errors="replace").strip())
    text = stderr or used.hidden(finished.stdout[-STDERR_SHOWN:].decode(errors="replace").strip())
    text = text if len(text) <= STDERR_SHOWN else "…" + text[1 - STDERR_SHOWN :]
    return CommandFailed(f"{label} {_end(finished.status)}" + (f": {text}" if text else ""), finished.status, text)


def _end(status: int) -> str:
    name = signal_name(status)
    return f"was ended by {name}" if name else f"ended with exit status {status}"


def _json(text: str, label: str, used: UsedSecrets) -> Any:
    try:
        return codec.decode(text)
    except ValueError:
        shown = " ".join(used.hidden(text[: 20 * _ECHO]).split())
        shown = shown if len(shown) <= _ECHO else shown[: _ECHO - 1] + "…"
        raise CommandUnusable(f"{label} wrote no JSON but {shown!r}.") from None
