"""The file of the history: SQLite with a write-ahead log, which several studios write at once.

A run is a row of `runs`, its script and record one of `bodies`, its calls lie in `chunks` of some hundred, so that a
long run is written while it goes on and read bit by bit. `search` has the text of each run, for trigrams where SQLite
has them.
"""

import json
import os
import sqlite3
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import Future, wait
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.codec import decode, encode_plain, safe_repr
from ptc_studio.core.errors import PtcError, UnserialisableValue
from ptc_studio.storage.text_files import NewerFormat, backup_name, locked

VERSION = 1
UPGRADES: dict[int, tuple[str, ...]] = {}
"""For each older version, the statements that make the next one of it."""
KEEPING_SECONDS = 0.25
"""How long whoever reads waits for what this process is about to write, which takes a hundredth of that."""
BUSY_SECONDS = 10.0
"""How long whoever writes waits for another studio that does."""
_SCHEMA = """
CREATE TABLE runs (
  id INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, name TEXT, pinned INTEGER NOT NULL DEFAULT 0,
  script TEXT, runtime TEXT, target TEXT, workspace TEXT, status TEXT, started REAL NOT NULL, duration_ms REAL,
  calls INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0, owner TEXT NOT NULL, deleted REAL,
  turns_saved INTEGER, tokens_kept_out INTEGER);
CREATE INDEX runs_by_start ON runs (started);
CREATE TABLE bodies (id INTEGER PRIMARY KEY, code TEXT, circumstances BLOB, record BLOB, definitions BLOB);
CREATE TABLE chunks (id INTEGER NOT NULL, number INTEGER NOT NULL, calls BLOB NOT NULL, PRIMARY KEY (id, number));
CREATE TABLE used_tools (tool TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (tool, id)) WITHOUT ROWID;
CREATE INDEX used_tools_by_run ON used_tools (id);
"""
_SEARCH = "CREATE VIRTUAL TABLE search USING fts5(text, tokenize='trigram')"
_PLAIN_SEARCH = "CREATE TABLE search (text TEXT)"
"""Where SQLite has no trigrams the text is read through, which takes longer and finds the same."""


class HistoryError(PtcError):
    """Something of the history that cannot be had; the message says what and why."""


class Damaged(Exception):
    """The file is no database any longer."""


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the file, which is made if there is none; raises HistoryError, and Damaged."""
    with _told(path), closing(_connect(path)) as connection:
        yield connection


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HistoryError(f"The history {path} cannot be used: {error.strerror or error}.") from None
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            raise Damaged(str(error)) from error
        raise HistoryError(f"The history {path} cannot be used: {error}.") from None


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether the file is at fault, and not its use, a lock or the disk."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _connect(path: Path) -> sqlite3.Connection:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # What was run is nobody else's business.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), 0o600))
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise HistoryError(str(NewerFormat("The history", path)))
    # A killed program loses nothing this way; only one whose machine loses its power may lose the last moments.
    connection.execute("PRAGMA synchronous = NORMAL")
    if version == VERSION:
        return
    if version:
        _bring_up_to_date(connection, path, version)
        return
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    with transaction(connection):
        # Another studio may have been quicker.
        if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
            return
        for statement in _SCHEMA.split(";"):
            connection.execute(statement)
        try:
            connection.execute(_SEARCH)
        except sqlite3.OperationalError:
            connection.execute(_PLAIN_SEARCH)
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _bring_up_to_date(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """All steps or none, with a copy of the file as it was; another studio may have been quicker."""
    with locked(path.parent):
        backup = backup_name(path, version)
        if not backup.exists():
            os.close(os.open(backup, os.O_CREAT | os.O_RDWR, 0o600))
            with closing(sqlite3.connect(backup)) as copy:
                connection.backup(copy)
    with transaction(connection):
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        for each in range(found, VERSION):
            for statement in UPGRADES[each]:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of what is done in it, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def set_aside(path: Path, reason: str) -> str:
    """Gives a damaged file another name, so that a new one takes its place; says so in a sentence."""
    try:
        with locked(path.parent):
            if _is_sound(path):
                # Another studio has put it aside already.
                return ""
            aside = _free_name(path)
            for ending in ("", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    Path(f"{path}{ending}").rename(f"{aside}{ending}")
    except OSError as error:
        raise HistoryError(
            f"The history {path} is damaged and cannot be set aside: {error.strerror or error}."
        ) from None
    return f"The history was damaged ({reason}); it is set aside as {aside}, and a new one is begun."


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.stem}.broken{'' if n == 1 else f'-{n}'}{path.suffix}") for n in count(1))
    return next(name for name in names if not name.exists())


def _is_sound(path: Path) -> bool:
    try:
        with opened(path) as connection:
            return connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except (Damaged, HistoryError):
        return False


class PendingEnds:
    """The ends of runs, by file, that were told in this process and are not written yet.

    Whoever was told that a run has ended finds it; whoever looks for it waits for that, and not the run.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ends: dict[Path, set[Future[None]]] = {}

    def add(self, path: Path, end: "Future[None]") -> None:
        with self._lock:
            self._ends.setdefault(path, set()).add(end)
        end.add_done_callback(lambda _done: self._remove(path, end))

    def wait(self, path: Path) -> None:
        """Until those are written that are told by now, or for as long as one cares to wait."""
        with self._lock:
            ends = set(self._ends.get(path, ()))
        wait(ends, KEEPING_SECONDS)

    def _remove(self, path: Path, end: "Future[None]") -> None:
        with self._lock:
            left = self._ends.get(path, set())
            left.discard(end)
            if not left:
                self._ends.pop(path, None)


PENDING = PendingEnds()


def json_text(value: Any) -> bytes:
    """The value as JSON. It is plain: records, and what was redacted."""
    try:
        return encode_plain(value)
    except UnserialisableValue:
        return json.dumps(value, default=safe_repr).encode()


def pack(value: Any) -> bytes:
    """The value as it is stored: JSON, compressed."""
    return zlib.compress(json_text(value), 1)


def unpack(blob: bytes) -> Any:
    """What was packed; raises Damaged."""
    try:
        return decode(zlib.decompress(blob))
    except (zlib.error, ValueError) as error:
        raise Damaged(f"a part of it cannot be read: {error}") from None


@cache
def this_process() -> str:
    """What tells this process from any other, also from a later one with its number."""
    return f"{os.getpid()}:{_start_of(os.getpid())}"


def is_alive(owner: str) -> bool:
    """Whether the process that wrote so of itself still runs."""
    number, _, start = owner.partition(":")
    pid = int(number) if number.isdigit() else 0
    if start:
        return _start_of(pid) == start
    if sys.platform == "win32":
        # There a signal that only asks would end the process.
        return True
    try:
        os.kill(pid, 0)
    except (OSError, OverflowError):
        return False
    return True


def _start_of(pid: int) -> str:
    """When the process was started, in the system's own count; empty where that cannot be told."""
    try:
        # The name of the program, in brackets, may hold anything.
        return read_bytes(Path(f"/proc/{pid}/stat")).decode(errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def now() -> float:
    """Seconds since 1970: the history outlives every clock of a process."""
    return time.time()
