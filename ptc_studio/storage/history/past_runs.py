"""Reads and edits the history: lists, searches, opens, names, pins and deletes runs. From any thread."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypedDict, TypeVar, cast

from ptc_studio.core.responders.cassette import Cassette, cassette_of_record
from ptc_studio.core.trace import CallRecord, RunRecord
from ptc_studio.storage.cassettes import tools_as_read
from ptc_studio.storage.history import journal
from ptc_studio.storage.history.database import (
    PENDING,
    Damaged,
    HistoryError,
    is_alive,
    now,
    opened,
    set_aside,
    transaction,
    unpack,
)

T = TypeVar("T")
LAST = "last"
SHORTEST_INDEXED = 3
"""Characters that a word needs for the trigrams."""
UNDO_SECONDS = 24 * 3600.0
"""How long a deleted run can be brought back."""
INTERRUPTED, RUNNING = "interrupted", "running"


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A past run as lists show it."""

    run_id: str
    kind: str
    """`run`, or `call`: one made by hand."""
    name: str | None
    """The user's own name for it; of a call by hand the tool's, until he gives it another."""
    pinned: bool
    script: str | None
    """The name of the file."""
    runtime: str | None
    target: str | None
    workspace: str | None
    status: str
    """As in the record; `running`, or `interrupted`: the program ended before the run did."""
    started: float
    duration_ms: float | None
    calls: int
    turns_saved: int | None = None
    tokens_kept_out: int | None = None

    @property
    def title(self) -> str:
        """What it is called where nothing else is."""
        return self.name or Path(self.script or "run").name

    @property
    def started_text(self) -> str:
        """As ISO 8601 has it, in UTC."""
        when = datetime.fromtimestamp(self.started, UTC)
        return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def record(self) -> dict[str, Any]:
        """As the contract has it."""
        return {
            "run_id": self.run_id,
            "name": self.name,
            "script": self.script,
            "runtime": self.runtime,
            "target": self.target,
            "status": self.status,
            "started": self.started_text,
            "duration_ms": self.duration_ms,
            "calls": self.calls,
        }


class ToolDefinition(TypedDict):
    """A tool that a run used, as it was then."""

    name: str
    description: str
    parameters: Any
    """Its JSON Schema."""
    recorded: Any
    """As a cassette has it."""


@dataclass(frozen=True, slots=True)
class PastRun:
    """A past run, whole; its calls are read bit by bit, see `History.calls`."""

    summary: RunSummary
    code: str
    grant: tuple[str, ...] | None
    """The patterns that were granted; None: everything."""
    limits: dict[str, Any]
    inputs: dict[str, Any]
    places: dict[str, str | None]
    """`workspace` and `functions`: where its tools came from."""
    record: RunRecord
    """Without its calls, unless it was asked for with them."""
    definitions: list[ToolDefinition]
    error_bases: dict[str, str]
    """By the id of a call, the nearest built-in type of its error, where that is a tool's own."""

    @property
    def title(self) -> str:
        return self.summary.title

    def cassette(self) -> Cassette:
        """Its calls for replaying; of a run that was opened with them."""
        tools = tools_as_read(definition["recorded"] for definition in self.definitions)
        script = Path(self.summary.script or "").name
        when = self.summary.started_text
        return cassette_of_record(
            self.record, tools, self.error_bases, name=self.title, script=script, when=when
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for; every part that is given must fit."""

    text: str = ""
    """Each of its words stands in the script, its name, the output, an error or the calls' tools and arguments."""
    tool: str = ""
    status: str = ""
    runtime: str = ""
    since: float | None = None
    until: float | None = None
    limit: int = 200
    pinned: bool = False
    """Only those."""


_COLUMNS = (
    "run_id, kind, name, pinned, script, runtime, target, workspace, status, started, duration_ms, calls,"
    " turns_saved, tokens_kept_out, owner, id"
)


@dataclass
class History:
    """The past runs in one file."""

    path: Path
    on_fault: Callable[[str], None] = field(default=lambda _message: None)
    """Told in a sentence that a damaged file was set aside."""

    def runs(self, query: Query | None = None) -> list[RunSummary]:
        """Those that fit, the newest first."""
        query = query or Query()

        def read(connection: sqlite3.Connection) -> list[RunSummary]:
            _mark_interrupted(connection, self.path)
            where, values = _conditions(query, _has_trigrams(connection) if query.text else False)
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM runs WHERE {where} ORDER BY started DESC, id DESC LIMIT ?",  # noqa: S608
                (*values, query.limit),
            )
            return [_summary(row) for row in rows]

        return self._use(read)

    def find(self, name: str) -> RunSummary:
        """The run of that id, of the only id that begins so, or `last`; raises HistoryError."""

        def read(connection: sqlite3.Connection) -> RunSummary:
            _mark_interrupted(connection, self.path)
            return _summary(_row(connection, name))

        return self._use(read)

    def open(self, name: str, *, with_calls: bool = False) -> PastRun:
        """The run of that id, or `last`; raises HistoryError."""

        def read(connection: sqlite3.Connection) -> PastRun:
            _mark_interrupted(connection, self.path)
            row = _row(connection, name)
            past = _past_run(connection, row)
            if with_calls:
                calls: list[Any] = [call for chunk in _chunks(connection, row[-1]) for call in chunk]
                past.error_bases.update((call["id"], call.pop("error_base")) for call in calls if "error_base" in call)
                past.record["calls"] = sorted(calls, key=lambda call: call["started_ms"])
            return past

        return self._use(read)

    def calls(self, run_id: str) -> Iterator[list[CallRecord]]:
        """Its calls, some hundred at a time, about in the order in which they started."""
        number = 0
        while chunk := self._use(lambda connection, n=number: _chunk(connection, run_id, n)):
            yield chunk
            number += 1

    def set_name(self, run_id: str, name: str | None) -> None:
        """Gives the run a name, or takes it away."""
        self._change("UPDATE runs SET name = ? WHERE run_id = ?", name or None, run_id)

    def set_pinned(self, run_id: str, pinned: bool) -> None:
        """Keeps the run whatever the limit of size says, or no longer."""
        self._change("UPDATE runs SET pinned = ? WHERE run_id = ?", int(pinned), run_id)

    def delete(self, run_ids: Sequence[str]) -> None:
        """Takes the runs out of every list; `restore` brings them back within a day."""
        for run_id in run_ids:
            self._change("UPDATE runs SET deleted = ? WHERE run_id = ?", now(), run_id)

    def restore(self, run_ids: Sequence[str]) -> None:
        """Brings deleted runs back."""
        for run_id in run_ids:
            self._change("UPDATE runs SET deleted = NULL WHERE run_id = ?", run_id)

    def runtimes(self) -> list[str]:
        """Every runtime that a past run used."""
        sql = "SELECT DISTINCT runtime FROM runs WHERE deleted IS NULL AND runtime IS NOT NULL ORDER BY 1"
        return self._use(lambda connection: [row[0] for row in connection.execute(sql)])

    def tools(self) -> list[str]:
        """Every tool that a past run used."""
        sql = "SELECT DISTINCT tool FROM used_tools ORDER BY 1"
        return self._use(lambda connection: [row[0] for row in connection.execute(sql)])

    def bytes_used(self) -> int:
        """What the runs take, about."""
        return self._use(lambda connection: connection.execute("SELECT total(bytes) FROM runs").fetchone()[0])

    def _change(self, sql: str, *values: Any) -> None:
        def write(connection: sqlite3.Connection) -> None:
            if not connection.execute(sql, values).rowcount:
                raise HistoryError(f"There is no run {values[-1]!r} in the history any longer.")

        self._use(write)

    def _use(self, work: Callable[[sqlite3.Connection], T]) -> T:
        PENDING.wait(self.path)
        for attempt in range(2):
            try:
                with opened(self.path) as connection:
                    return work(connection)
            except Damaged as error:
                if attempt:
                    raise HistoryError(f"The history {self.path} cannot be read: {error}.") from None
                told = set_aside(self.path, str(error))
                if told:
                    self.on_fault(told)
        raise AssertionError


def purge(connection: sqlite3.Connection, most_bytes: int) -> int:
    """Removes what was deleted long ago, and the oldest that are not pinned until all fit; gives how many of those."""
    ids = [row[0] for row in connection.execute("SELECT id FROM runs WHERE deleted < ?", (now() - UNDO_SECONDS,))]
    oldest: list[int] = []
    (used,) = connection.execute("SELECT total(bytes) FROM runs").fetchone()
    if used > most_bytes:
        candidates = connection.execute(
            "SELECT id, bytes FROM runs WHERE status IS NOT NULL AND NOT pinned ORDER BY deleted IS NULL, started"
        )
        for row, size in candidates:
            # A little more than must be, so that not every run has to remove one.
            if used <= most_bytes * 0.95:
                break
            oldest.append(row)
            used -= size
    if ids := list({*ids, *oldest}):
        with transaction(connection):
            for table in ("runs", "bodies", "chunks", "used_tools"):
                connection.executemany(f"DELETE FROM {table} WHERE id = ?", [(each,) for each in ids])  # noqa: S608
            connection.executemany("DELETE FROM search WHERE rowid = ?", [(each,) for each in ids])
        connection.execute("PRAGMA incremental_vacuum(2000)").fetchall()
    return len(oldest)


def _mark_interrupted(connection: sqlite3.Connection, path: Path) -> None:
    """Of runs without an end, those whose program is gone will never have one; what it noted last is taken in."""
    open_runs = connection.execute("SELECT id, run_id, owner FROM runs WHERE status IS NULL").fetchall()
    for row, run_id, owner in open_runs:
        if is_alive(owner):
            continue
        noted: list[Path] = []
        with transaction(connection):
            marked = "UPDATE runs SET status = ? WHERE id = ? AND status IS NULL"
            # Another studio may have been quicker.
            if connection.execute(marked, (INTERRUPTED, row)).rowcount:
                noted = journal.take_in(connection, path, row, run_id)
        for file in noted:
            file.unlink(missing_ok=True)


def _row(connection: sqlite3.Connection, name: str) -> Any:
    if name == LAST:
        sql = f"SELECT {_COLUMNS} FROM runs WHERE deleted IS NULL ORDER BY started DESC, id DESC LIMIT 1"  # noqa: S608
        row = connection.execute(sql).fetchone()
        if row is None:
            raise HistoryError("The history is empty: run a script first.")
        return row
    fits = "substr(run_id, 1, length(?)) = ? AND deleted IS NULL"
    sql = f"SELECT {_COLUMNS} FROM runs WHERE {fits} ORDER BY run_id = ? DESC LIMIT 2"  # noqa: S608
    rows = connection.execute(sql, (name, name, name)).fetchall() if name else []
    if not rows:
        raise HistoryError(f"There is no run {name!r} in the history: ptc-studio history lists them.")
    if len(rows) > 1 and rows[0][0] != name:
        raise HistoryError(f"Several runs begin with {name!r}: give more of the id.")
    return rows[0]


def _past_run(connection: sqlite3.Connection, row: Any) -> PastRun:
    summary = _summary(row)
    sql = "SELECT code, circumstances, record, definitions FROM bodies WHERE id = ?"
    body = connection.execute(sql, (row[-1],)).fetchone()
    if body is None:
        raise HistoryError(f"The run {summary.run_id!r} was removed from the history meanwhile.")
    code, circumstances, packed, definitions = body
    about = unpack(circumstances)
    record = cast("RunRecord", {**unpack(packed), "calls": []})
    if summary.status == INTERRUPTED:
        record["status"] = cast("Any", INTERRUPTED)
    grant = None if about["grant"] is None else tuple(about["grant"])
    places, known = about.get("places", {}), unpack(definitions)
    return PastRun(summary, code, grant, about["limits"], about["inputs"], places, record, known, {})


def _chunks(connection: sqlite3.Connection, row: int) -> Iterator[list[CallRecord]]:
    for (blob,) in connection.execute("SELECT calls FROM chunks WHERE id = ? ORDER BY number", (row,)):
        yield unpack(blob)


def _chunk(connection: sqlite3.Connection, run_id: str, number: int) -> list[CallRecord]:
    sql = "SELECT calls FROM chunks WHERE id = (SELECT id FROM runs WHERE run_id = ?) AND number = ?"
    found = connection.execute(sql, (run_id, number)).fetchone()
    return unpack(found[0]) if found else []


def _summary(row: Sequence[Any]) -> RunSummary:
    run_id, kind, name, pinned, script, runtime, target, workspace, status, *numbers, _owner, _id = row
    return RunSummary(
        run_id, kind, name, bool(pinned), script, runtime, target, workspace, status or RUNNING, *numbers
    )  # fmt: skip


def _has_trigrams(connection: sqlite3.Connection) -> bool:
    (sql,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'search'").fetchone()
    return "VIRTUAL" in sql


def _conditions(query: Query, trigrams: bool) -> tuple[str, list[Any]]:
    parts, values = ["deleted IS NULL"], cast("list[Any]", [])

    def add(part: str, *given: Any) -> None:
        parts.append(part)
        values.extend(given)

    for word in query.text.replace("\0", " ").split():
        like = f"%{word.replace('!', '!!').replace('%', '!%').replace('_', '!_')}%"
        named = "name LIKE ? ESCAPE '!'"
        if trigrams and len(word) >= SHORTEST_INDEXED:
            quoted = '"' + word.replace('"', '""') + '"'
            add(f"(id IN (SELECT rowid FROM search WHERE search MATCH ?) OR {named})", quoted, like)  # noqa: S608
        else:
            found = "EXISTS (SELECT 1 FROM search WHERE search.rowid = runs.id AND text LIKE ? ESCAPE '!')"
            add(f"({found} OR {named})", like, like)
    if query.tool:
        add("id IN (SELECT id FROM used_tools WHERE tool = ?)", query.tool)
    if query.status == RUNNING:
        add("status IS NULL")
    elif query.status:
        add("status = ?", query.status)
    if query.runtime:
        add("runtime = ?", query.runtime)
    if query.since is not None:
        add("started >= ?", query.since)
    if query.until is not None:
        add("started < ?", query.until)
    if query.pinned:
        add("pinned")
    return " AND ".join(parts), values
