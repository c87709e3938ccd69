"""Reads and writes files of the user's and of the program's own: whole or not at all, one writer at a time."""

import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

from ptc_studio.bounded_files import read_with_status
from ptc_studio.core.errors import PtcError

LARGEST = 10 * 1024 * 1024
MARK = "\ufeff"


class TextFileError(PtcError):
    """A file that cannot be read or written as text; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells one state of a file from another."""

    modified: int
    size: int


@dataclass(frozen=True, slots=True)
class TextFile:
    """The text of a file, with its lines ended by `\\n`, and how the file itself does it."""

    text: str
    newline: str = "\n"
    marked: bool = False
    """Whether the file begins with a byte order mark."""
    stamp: Stamp | None = None


def stamp_of(path: Path) -> Stamp | None:
    """The state of the file now, or nothing if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_mtime_ns, found.st_size)


def read_text(path: Path) -> TextFile:
    """The whole file; raises `TextFileError` if it is not text that can be edited."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise TextFileError(f"{path} is not a file")
        if found.st_size > LARGEST:
            raise TextFileError(f"{path} is too large to edit: {found.st_size:,} bytes, at most {LARGEST:,}")
        content, found = read_with_status(path, LARGEST)
        text = content.decode("utf-8")
    except OSError as error:
        raise TextFileError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise TextFileError(f"{path} is not UTF-8 text: byte {error.start + 1:,} does not fit") from error
    if "\0" in text:
        raise TextFileError(f"{path} is not text: it has a zero byte")
    newline = "\r\n" if "\r\n" in text else "\n"
    plain = text.removeprefix(MARK).replace("\r\n", "\n").replace("\r", "\n")
    return TextFile(plain, newline, text.startswith(MARK), Stamp(found.st_mtime_ns, found.st_size))


def write_text(path: Path, file: TextFile) -> Stamp | None:
    """Writes the text in the file's own manner; raises `TextFileError`, and then the old file is untouched."""
    text = (MARK if file.marked else "") + file.text.replace("\n", file.newline)
    try:
        replace_file(path.resolve(), text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise TextFileError(f"{path} cannot be saved: {error.strerror or error}") from error
    return stamp_of(path)


def replace_file(path: Path, content: bytes, *, durable: bool = True, private: bool = False) -> None:
    """Puts the content in the file's place at once: whoever reads sees the old or the new, never a part.

    One that is `durable` is on the disk when this returns, and survives a power cut. A new file that is `private` can
    be read by its user alone; one that is there keeps its mode.
    """
    beside = path.with_name(f".{path.name}.{uuid4().hex[:8]}.part")
    try:
        beside.touch(0o600 if private else 0o666, exist_ok=False)
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise
    if durable:
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Has the disk know the file by its name, too; where folders cannot be opened, the system sees to that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def set_aside(path: Path) -> Path:
    """Gives a damaged file a name of its own beside it, so that it is neither read again nor written over."""
    marks = ("broken" if number == 1 else f"broken-{number}" for number in count(1))
    names = (path.with_name(f"{path.stem}.{mark}{path.suffix}") for mark in marks)
    return path.rename(next(aside for aside in names if not aside.exists()))


Upgrade = Callable[[dict[str, Any]], dict[str, Any]]


class NewerFormat(PtcError):
    """A file of a studio that is newer than this one; it is left as it is."""

    def __init__(self, what: str, path: Path) -> None:
        super().__init__(f"{what} {path} is of a newer PTC Studio; use that one, or move the file away.")


def up_to_date(
    values: dict[str, Any], version: int, upgrades: Mapping[int, Upgrade], path: Path, what: str
) -> dict[str, Any]:
    """The values of a file in the present format; raises NewerFormat.

    `upgrades` has for each older version what makes the next one of it. A file that says no version is of the first.
    """
    found = values.get("version", 1)
    if not isinstance(found, int) or found > version:
        raise NewerFormat(what, path)
    for each in range(found, version):
        values = {**upgrades[each](values), "version": each + 1}
    return values


def keep_backup(path: Path, version: int) -> Path:
    """A copy of a file that is about to be brought up to date, beside it; the first one stays."""
    backup = backup_name(path, version)
    if not backup.exists():
        shutil.copy2(path, backup)
    return backup


def backup_name(path: Path, version: int) -> Path:
    """Where the copy of a file of that version lies."""
    return path.with_name(f"{path.stem}.v{version}{path.suffix}")


try:
    import fcntl
except ImportError:  # Windows, where a folder cannot be locked: threads still take turns.
    fcntl = None

PATIENCE = 5.0
_PAUSE = 0.01
_threads = Lock()


class FolderBusy(OSError):
    """Somebody else has been writing for too long."""


@contextmanager
def locked(folder: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Holds the folder while the body runs; raises OSError if it cannot be had in time."""
    deadline = time.monotonic() + patience
    if not _threads.acquire(timeout=patience):
        raise FolderBusy(f"another part of the program is still writing in {folder}")
    try:
        handle = _handle(folder, deadline)
        try:
            yield
        finally:
            if handle is not None:
                os.close(handle)
    finally:
        _threads.release()


def _handle(folder: Path, deadline: float) -> int | None:
    """An open folder that is locked until it is closed; nothing where file systems know no locks."""
    if fcntl is None:
        return None
    handle = os.open(folder, os.O_RDONLY)
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(handle)
                raise FolderBusy(f"another program is still writing in {folder}") from None
            time.sleep(_PAUSE)
        except OSError:
            os.close(handle)
            return None
        else:
            return handle
