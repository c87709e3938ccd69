"""Reads and writes the user's text files: whole or not at all, with the line ends they had."""

import os
import shutil
import stat
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
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
