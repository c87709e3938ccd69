"""The ends of a served job's calls, a line each, in files beside the database until that has them.

Whoever was answered elsewhere is not there to call once more after a crash. So the line is handed to the system before
the answer is sent: a killed program loses none of them. Whoever marks the run as interrupted takes them into the
database.
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.codec import decode
from ptc_studio.core.events import CallEdited, CallFinished, CallStarted, Event
from ptc_studio.core.trace import Trace, call_record
from ptc_studio.storage.history.database import json_text, pack, unpack
from ptc_studio.storage.settings import MEGABYTE

MOST_BYTES = 64 * MEGABYTE
"""Of what waits for the database: where that cannot be written, the disk must not fill up."""
CALLS_IN_A_CHUNK = 250
SLACK_MS = 60_000.0
"""Calls stand in the database about in the order in which they began; none is so much out of its place."""


def stored_call(started: CallStarted, end: CallFinished | None) -> dict[str, Any]:
    """The record of a call, and what replaying it needs beyond that."""
    record = dict(call_record(started, end))
    if end and end.error and end.error.base not in ("", end.error.type):
        record["error_base"] = end.error.base
    return record


@dataclass(slots=True)
class _Part:
    """One file of a journal."""

    path: Path
    descriptor: int
    waiting: set[str] = field(default_factory=set[str])
    """The calls in it whose end the trace was not yet seen to know."""

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def remove(self) -> None:
        self.close()
        with suppress(OSError):
            self.path.unlink()


class CallJournal:
    """What one job answered. `observe` is told from any thread, the rest is the recorder's."""

    def __init__(self, database: Path, run_id: str, on_fault: Callable[[str], None]) -> None:
        self._folder, self._run_id = folder_of(database), run_id
        self._on_fault = on_fault
        self._started: dict[str, CallStarted] = {}
        self._lock = threading.Lock()
        self._number = self._bytes = 0
        self._open: _Part | None = None
        self._before: list[_Part] = []

    def observe(self, event: Event) -> None:
        """Takes note of a call; of its end before anybody is told of it."""
        if isinstance(event, CallStarted):
            self._started[event.call_id] = event
        elif isinstance(event, CallEdited) and event.call_id in self._started:
            self._started[event.call_id] = self._started[event.call_id].edited(event.arguments)
        elif isinstance(event, CallFinished) and (started := self._started.pop(event.call_id, None)):
            line = json_text(stored_call(started, event)) + b"\n"
            try:
                with self._lock:
                    self._append(event.call_id, line)
            except OSError as error:
                self._on_fault(f"The history cannot note calls in {self._folder}: {error.strerror or error}.")

    def written_with(self, trace: Trace) -> list[_Part]:
        """The files all of whose calls the trace knows: whatever is written of it from now on has them."""
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._before.append(self._open)
                self._open, self._bytes = None, 0
        self.look(trace)
        return [part for part in self._before if not part.waiting]

    def look(self, trace: Trace) -> None:
        """Sees which calls the trace knows, before it forgets some of them."""
        for part in self._before:
            part.waiting = {call_id for call_id in part.waiting if trace.end_of(call_id) is None}

    def remove(self, parts: list[_Part]) -> None:
        """The database has these."""
        for part in parts:
            part.remove()
            self._before.remove(part)

    def close(self) -> None:
        """The database has all, or there is none."""
        with self._lock:
            parts, self._open = [*self._before, *([self._open] if self._open else [])], None
            self._before = []
        for part in parts:
            part.remove()
        with suppress(OSError):
            self._folder.rmdir()

    def _append(self, call_id: str, line: bytes) -> None:
        part = self._open
        if part is None:
            part = self._open = self._new_part()
        self._bytes += len(line)
        if self._bytes > MOST_BYTES:
            raise OSError(0, "too many wait for the database")
        part.waiting.add(call_id)
        while line:
            line = line[os.write(part.descriptor, line) :]

    def _new_part(self) -> _Part:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._number += 1
        path = self._folder / f"{self._run_id}.{self._number}"
        flags = os.O_CREAT | os.O_WRONLY | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
        return _Part(path, os.open(path, flags, 0o600))


def folder_of(database: Path) -> Path:
    """Where the journals of its jobs lie."""
    return database.with_name(f"{database.name}-calls")


def take_in(connection: sqlite3.Connection, database: Path, row: int, run_id: str) -> list[Path]:
    """Puts what a dead program noted of the run into the database; gives the files, which can go once it is there."""
    files = sorted(folder_of(database).glob(f"{run_id}.*"))
    ended = {call["id"]: call for path in files for call in _lines(path)}
    if not ended:
        return files
    last = -1
    for number, calls in _chunks_backwards(connection, row):
        last = max(last, number)
        known = [call["id"] for call in calls]
        found = [ended.pop(call_id, None) for call_id in known]
        if any(call is not None for call in found):
            merged = [old if new is None else new for old, new in zip(calls, found, strict=True)]
            connection.execute("UPDATE chunks SET calls = ? WHERE id = ? AND number = ?", (pack(merged), row, number))
        oldest = min((call["started_ms"] for call in ended.values()), default=None)
        if oldest is None or (calls and calls[-1]["started_ms"] < oldest - SLACK_MS):
            break
    rest = sorted(ended.values(), key=lambda call: call["started_ms"])
    for at in range(0, len(rest), CALLS_IN_A_CHUNK):
        last += 1
        connection.execute("INSERT INTO chunks VALUES (?, ?, ?)", (row, last, pack(rest[at : at + CALLS_IN_A_CHUNK])))
    connection.execute("UPDATE runs SET calls = calls + ? WHERE id = ?", (len(rest), row))
    tools = {name for call in rest for name in (call["tool"], call["alias"]) if name}
    connection.executemany("INSERT OR IGNORE INTO used_tools VALUES (?, ?)", [(tool, row) for tool in tools])
    return files


def _chunks_backwards(connection: sqlite3.Connection, row: int) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    (count,) = connection.execute("SELECT coalesce(max(number) + 1, 0) FROM chunks WHERE id = ?", (row,)).fetchone()
    for number in range(count - 1, -1, -1):
        found = connection.execute("SELECT calls FROM chunks WHERE id = ? AND number = ?", (row, number)).fetchone()
        if found is not None:
            yield number, unpack(found[0])


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = read_bytes(path, 2 * MOST_BYTES)
    except OSError:
        return
    for line in text.splitlines():
        # The last one may be half a line: its call was not answered.
        with suppress(ValueError):
            yield decode(line)
