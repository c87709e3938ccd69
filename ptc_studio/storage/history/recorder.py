"""Writes runs into the history while they go on, in a thread of its own that no run ever waits for."""

import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ptc_studio.core.events import CallStarted
from ptc_studio.core.redaction import Redacted
from ptc_studio.core.trace import CallRecord, RunRecord, Trace
from ptc_studio.storage.history.database import (
    PENDING,
    Damaged,
    HistoryError,
    opened,
    pack,
    set_aside,
    this_process,
    transaction,
)
from ptc_studio.storage.history.journal import CALLS_IN_A_CHUNK, CallJournal, stored_call
from ptc_studio.storage.history.past_runs import ToolDefinition, purge
from ptc_studio.storage.settings import HISTORY_MEGABYTES, MEGABYTE, Settings

log = logging.getLogger(__name__)

MOST_BYTES = HISTORY_MEGABYTES * MEGABYTE
"""What the history may take; the oldest runs go first."""
MOST_OF_A_RUN = 64 * MEGABYTE
"""Of one run; what its further calls gave is not kept, only that they were made."""
TICK_SECONDS = 1.0
"""How often what a run did so far is written."""
PAUSE_SECONDS = 0.001
"""After each chunk, for the run to have the interpreter."""
MOST_WAITING = 1_000
"""Messages that may wait for the thread; a disk that hangs must not fill the memory."""
SEARCHED = 20_000
"""Characters of the script, of the output and of the calls that can be searched for."""


@dataclass(frozen=True, slots=True)
class RunStart:
    """What is known of a run when it begins."""

    run_id: str
    kind: str
    workspace: str | None
    started: float
    grant: tuple[str, ...] | None
    limits: dict[str, Any]
    script: str | None = None
    """The name of its file."""
    code: Redacted | None = None
    runtime: str | None = None
    inputs: Redacted | None = None
    name: str | None = None
    target: str | None = None
    endless: bool = False
    """Whether it lasts until it is stopped: what is written of it is then forgotten."""
    places: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    """The workspace and the folder of functions that its tools came from."""
    define: Callable[[Iterable[str]], list[ToolDefinition]] = lambda _names: []
    """What is known of tools, by their names; asked at the end, from the thread."""


@dataclass(slots=True)
class _Active:
    """A run that goes on, and what of it is written."""

    start: RunStart
    trace: Trace
    journal: CallJournal | None = None
    """Of one that serves others: what it answered and is not written yet."""
    row: int | None = None
    chunks: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """Of each chunk that may still change: the calls in it, and how many of them had ended, when it was written."""
    full: int = 0
    """Chunks below this number that are not in `chunks` are written for good."""
    sizes: dict[int, int] = field(default_factory=dict[int, int])
    tools: set[str] = field(default_factory=set[str])
    noted: int = 0
    """The calls whose tools and arguments are noted for the search."""
    arguments: str = ""

    def forget(self) -> None:
        """What was written of it is in a file that is gone."""
        self.row, self.full = None, 0
        self.chunks.clear()
        self.sizes.clear()


@dataclass(frozen=True, slots=True)
class _Message:
    run_id: str
    kept: "Future[None]"
    begins: _Active | None = None
    """None: the run has ended."""


class HistoryRecorder:
    """Keeps runs in the file. `start` and `finish` are told from any thread, and never wait."""

    def __init__(
        self, path: Path, on_fault: Callable[[str], None] = lambda _message: None, most_bytes: int = MOST_BYTES
    ) -> None:
        self.path = path
        self.on_fault = on_fault
        """Told in a sentence, from the thread, what is not kept and why; each sentence once."""
        self.most_bytes = most_bytes
        self.removed = 0
        """How many old runs went to make room, since the start."""
        self._told: set[str] = set()
        self._messages: queue.Queue[_Message | None] = queue.Queue(MOST_WAITING)
        self._active: dict[str, _Active] = {}
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._file: int | None = None

    def start(self, start: RunStart, trace: Trace, journal: CallJournal | None = None) -> "Future[None]":
        """A run begins, of which the trace tells the rest; the answer is done when it is written, or cannot be."""
        message = _Message(start.run_id, Future(), _Active(start, trace, journal))
        if not self._send(message):
            message.kept.set_result(None)
        return message.kept

    def finish(self, run_id: str) -> "Future[None]":
        """A run has ended, and its trace says how; the answer is done when it is kept, or cannot be."""
        message = _Message(run_id, Future())
        PENDING.add(self.path, message.kept)
        if not self._send(message):
            message.kept.set_result(None)
        return message.kept

    def set_limit(self, most_bytes: int) -> "Future[None]":
        """Bounds what past runs take, from now on; the answer is done when those that are too many are gone."""
        self.most_bytes = most_bytes
        return self.finish("")

    def close(self, seconds: float = 10.0) -> None:
        """Waits until everything is written, for so long."""
        thread = self._thread
        if thread is not None:
            with suppress(queue.Full):
                self._messages.put(None, timeout=seconds)
            thread.join(seconds)

    def _send(self, message: _Message) -> bool:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="ptc-history", daemon=True)
                self._thread.start()
        try:
            self._messages.put_nowait(message)
        except queue.Full:
            self.tell(f"The history {self.path} is too slow to be written: some runs are not kept.")
            return False
        return True

    def _work(self) -> None:
        while True:
            try:
                with opened(self.path) as connection:
                    self._file = _identity(self.path)
                    if self._serve(connection):
                        return
            except Damaged as error:
                self._recover(error)
            except (HistoryError, sqlite3.Error, OSError) as error:
                self.tell(str(error) if isinstance(error, HistoryError) else f"The history {self.path}: {error}.")
                if self._drop():
                    return
            for active in self._active.values():
                active.forget()

    def _recover(self, error: Damaged) -> None:
        try:
            told = set_aside(self.path, str(error))
        except HistoryError as failure:
            told = str(failure)
            time.sleep(TICK_SECONDS)
        if told:
            self.tell(told)

    def _drop(self) -> bool:
        """Without a file nothing is kept of what was announced; True at the end."""
        message = self._messages.get()
        if message is None:
            return True
        if message.begins is not None:
            self._active[message.run_id] = message.begins
        else:
            self._end(message.run_id)
        if not message.kept.done():
            message.kept.set_result(None)
        return False

    def _serve(self, connection: sqlite3.Connection) -> bool:
        """Writes what comes until the end, then True; False if the file is another by now."""
        self.removed += purge(connection, self.most_bytes)
        while True:
            try:
                message = self._messages.get(timeout=self._pause())
            except queue.Empty:
                for active in list(self._active.values()):
                    self._write(connection, active, ended=False)
                continue
            if message is None:
                return True
            if message.begins is not None:
                self._active[message.run_id] = message.begins
            if _identity(self.path) != self._file:
                # It was moved or removed: what comes goes into a new one.
                self._messages.put_nowait(message)
                return False
            self._take(connection, message)

    def _pause(self) -> float | None:
        """Until what goes on is written next; None if nothing does."""
        if not self._active:
            return None
        return TICK_SECONDS

    def _take(self, connection: sqlite3.Connection, message: _Message) -> None:
        active = self._active.get(message.run_id)
        try:
            if active is not None:
                self._write(connection, active, ended=message.begins is None)
        except sqlite3.DatabaseError:
            # It is tried again with the file that comes next.
            with suppress(queue.Full):
                self._messages.put_nowait(message)
                raise
            message.kept.set_result(None)
            raise
        if message.begins is None:
            self._end(message.run_id)
        # A limit that is set has no run, and counts once there is room.
        if message.run_id and not message.kept.done():
            message.kept.set_result(None)
        if message.begins is None:
            self.removed += purge(connection, self.most_bytes)
        if not message.kept.done():
            message.kept.set_result(None)

    def _end(self, run_id: str) -> None:
        active = self._active.pop(run_id, None)
        if active is not None and active.journal is not None:
            active.journal.close()

    def _write(self, connection: sqlite3.Connection, active: _Active, *, ended: bool) -> None:
        journal = active.journal
        noted = journal.written_with(active.trace) if journal else []
        started, first = active.trace.started_calls(), active.trace.forgotten
        count = first + len(started)
        new = range(max(active.full, first // CALLS_IN_A_CHUNK), -(-count // CALLS_IN_A_CHUNK))
        numbers = sorted(active.chunks.keys() | set(new))

        def write_chunk(number: int) -> None:
            begin = number * CALLS_IN_A_CHUNK - first
            _write_chunk(connection, active, number, started[max(begin, 0) : max(begin + CALLS_IN_A_CHUNK, 0)])

        if active.row is None and len(numbers) > 1:
            with transaction(connection):
                active.row = _insert(connection, active.start)
        for number in numbers[:-1]:
            write_chunk(number)
            if not ended:
                time.sleep(PAUSE_SECONDS)
        _note(active, started, first)
        head = active.trace.record_without_calls()
        if active.start.kind == "call" and started:
            head = _head_of_call(head, active.trace.record_of(started[0]))
        # A short run is one transaction at its beginning, and one at its end.
        with transaction(connection):
            if active.row is None:
                active.row = _insert(connection, active.start)
            for number in numbers[-1:]:
                write_chunk(number)
            _update(connection, active, head, count, ended)
        if journal:
            journal.remove(noted)
            journal.look(active.trace)
        if active.start.endless and not ended:
            # What is written for good need not be in memory, too.
            active.trace.forget_before(min(active.chunks, default=active.full) * CALLS_IN_A_CHUNK)

    def tell(self, message: str) -> None:
        """Says what is not kept, once."""
        if message not in self._told:
            self._told.add(message)
            log.info(message)
            self.on_fault(message)


def recorder_for(
    settings: Settings, path: Path, on_fault: Callable[[str], None] = lambda _message: None
) -> HistoryRecorder | None:
    """What keeps runs as the user wants it, if he does."""
    if not settings.get("history", True):
        return None
    return HistoryRecorder(path, on_fault, int(settings.get("history_megabytes", HISTORY_MEGABYTES) * MEGABYTE))


def _insert(connection: sqlite3.Connection, start: RunStart) -> int:
    """The row of a run that has just begun."""
    columns = "run_id, kind, name, script, runtime, target, workspace, started, owner"
    values = (
        start.run_id, start.kind, start.name, start.script, start.runtime, start.target, start.workspace,
        start.started, this_process(),
    )  # fmt: skip
    marks = ", ".join("?" * len(values))
    # Upon a run that was begun in this file before, as when the file was moved away and back.
    sql = f"INSERT INTO runs ({columns}) VALUES ({marks}) ON CONFLICT (run_id) DO UPDATE SET owner = excluded.owner RETURNING id"  # noqa: E501, S608
    (row,) = connection.execute(sql, values).fetchone()
    about = {
        "grant": start.grant,
        "limits": start.limits,
        "inputs": start.inputs.value if start.inputs else {},
        "places": start.places,
    }
    code = start.code.value if start.code else ""
    values = row, code, pack(about), pack({}), pack([])
    connection.execute("INSERT OR REPLACE INTO bodies VALUES (?, ?, ?, ?, ?)", values)
    return row


def _write_chunk(connection: sqlite3.Connection, active: _Active, number: int, part: list[CallStarted]) -> None:
    """Writes the chunk, if anything in it changed."""
    ends = [active.trace.end_of(event.call_id) for event in part]
    state = len(part), sum(end is not None for end in ends)
    if active.chunks.get(number) != state:
        calls = [stored_call(event, end) for event, end in zip(part, ends, strict=True)]
        if sum(active.sizes.values()) > MOST_OF_A_RUN:
            calls = [{**call, "arguments": None, "result": None, "truncated": True} for call in calls]
        blob = pack(calls)
        connection.execute("INSERT OR REPLACE INTO chunks VALUES (?, ?, ?)", (active.row, number, blob))
        active.sizes[number] = len(blob)
    active.chunks[number] = state
    active.full = max(active.full, number + 1)
    if state == (CALLS_IN_A_CHUNK, CALLS_IN_A_CHUNK):
        del active.chunks[number]


def _note(active: _Active, started: list[CallStarted], first: int) -> None:
    """Collects what calls are searched for by."""
    texts: list[str] = []
    room = SEARCHED - len(active.arguments)
    new = started[max(active.noted - first, 0) :]
    active.tools |= {name for event in new for name in (event.tool, event.alias) if name}
    for event in new:
        if room <= 0:
            break
        text = str(event.arguments.value)[:room]
        room -= len(text)
        texts.append(text)
    active.arguments += "\n".join(texts)
    active.noted = first + len(started)


def _head_of_call(head: RunRecord, call: CallRecord) -> RunRecord:
    """The record of a call by hand, which is a run of its own without a script."""
    return cast("RunRecord", {**head, "status": call["status"], "duration_ms": call["duration_ms"]})


def _update(connection: sqlite3.Connection, active: _Active, head: RunRecord, calls: int, ended: bool) -> None:
    record = pack({key: value for key, value in head.items() if key != "calls"})
    code = active.start.code.value if active.start.code else ""
    size = len(record) + len(code) + sum(active.sizes.values())
    cost = head["cost"]
    turns, kept_out = (cost["turns_saved"], cost["tokens_kept_out"]) if cost else (None, None)
    # Whoever ends without an end of its own was cut off, by an error of ours.
    status = (head["status"] or "crashed") if ended else None
    connection.execute(
        "UPDATE runs SET status = ?, duration_ms = ?, calls = ?, bytes = ?, turns_saved = ?, tokens_kept_out = ?"
        " WHERE id = ?",
        (status, head["duration_ms"], calls, size, turns, kept_out, active.row),
    )
    connection.execute("UPDATE bodies SET record = ? WHERE id = ?", (record, active.row))
    if ended:
        definitions = pack(active.start.define(sorted(active.tools)))
        connection.execute("UPDATE bodies SET definitions = ? WHERE id = ?", (definitions, active.row))
    connection.executemany(
        "INSERT OR IGNORE INTO used_tools VALUES (?, ?)", [(tool, active.row) for tool in active.tools]
    )
    error = head["error"]
    texts = (
        active.start.script or "", code[:SEARCHED], " ".join(sorted(active.tools)), active.arguments,
        head["stdout"][:SEARCHED], head["stderr"][:SEARCHED], f"{error['type']}: {error['message']}" if error else "",
    )  # fmt: skip
    if ended or not active.noted:
        connection.execute("DELETE FROM search WHERE rowid = ?", (active.row,))
        connection.execute("INSERT INTO search (rowid, text) VALUES (?, ?)", (active.row, "\n".join(texts)))


def _identity(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None
