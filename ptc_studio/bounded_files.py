"""Reads files that users name: regular ones only, up to a size, without ever waiting for somebody to write.

A path in a workspace, on the command line or in a document may lead anywhere: to a FIFO that nobody writes to, to
`/dev/zero`, to a disk image. All of them are an `OSError` here, whose `strerror` is the reason, the end of a sentence.
"""

import errno
import os
import stat
import time
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

LARGEST = 100_000_000
_CHUNK = 1 << 20
# Without O_NONBLOCK, opening a FIFO waits for a writer. No system has all of them.
_READING = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_KINDS = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def read_bytes(path: Path, most: int = LARGEST) -> bytes:
    """All of the file; raises OSError, also where it is no regular file or has more bytes than that."""
    return read_with_status(path, most)[0]


def read_with_status(path: Path, most: int = LARGEST) -> tuple[bytes, os.stat_result]:
    """The same, and the state of the very file that was read, as it was before."""
    handle = os.open(path, _READING)
    try:
        found = os.fstat(handle)
        _check(found, path, most)
        return _content(handle, path, most), found
    finally:
        os.close(handle)


def _check(found: os.stat_result, path: Path, most: int) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        kind = _KINDS.get(stat.S_IFMT(found.st_mode), "something else")
        raise OSError(errno.EINVAL, f"it is {kind}, not a file", str(path))
    if found.st_size > most:
        raise _too_large(path, most)


def _content(handle: int, path: Path, most: int) -> bytes:
    parts: list[bytes] = []
    left = most + 1
    while left > 0 and (part := os.read(handle, min(left, _CHUNK))):
        parts.append(part)
        left -= len(part)
    if left <= 0:
        # It grew meanwhile, or is one of those that say that they are empty.
        raise _too_large(path, most)
    return b"".join(parts)


def _too_large(path: Path, most: int) -> OSError:
    return OSError(errno.EFBIG, f"it is too large: at most {most:,} bytes are read", str(path))


Stamp = tuple[int, int, int]
"""When it changed last, its size, and which file it is."""


def stamp_of(path: Path) -> Stamp | None:
    """What is other than before when the file was written to, or replaced; None if it is not there."""
    try:
        return stamp_in(path.stat())
    except OSError:
        return None


def stamp_in(found: os.stat_result) -> Stamp:
    """The stamp of a file that was looked at."""
    return found.st_mtime_ns, found.st_size, found.st_ino


_YOUNG = 2_000_000_000
"""Nanoseconds in which a file may change twice and show but one time stamp."""
LARGEST_YAML = 2_000_000
"""Bytes: a file of so many takes a minute to understand."""
Unreadable = tuple[int | None, str]
"""The number and the words of what kept a file from being read: the error itself would hold on to its traceback."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the file said, or why it could not be read."""

    found: bytes | Unreadable
    stamp: Stamp | None
    sure: bool
    """Whether another change would show in the stamp."""

    def content(self) -> bytes:
        """Raises OSError."""
        if isinstance(self.found, bytes):
            return self.found
        raise OSError(*self.found)

    def says_the_same(self, other: "Reading") -> bool:
        return self.found == other.found


def reading_of(path: Path) -> Reading:
    """Reads the file; never raises."""
    try:
        # The stamp is of the very file that is read, and before it is: another that takes its place is seen next time.
        content, found = read_with_status(path, LARGEST_YAML)
    except OSError as error:
        return Reading((error.errno, error.strerror or str(error)), None, sure=False)
    stamp = stamp_in(found)
    return Reading(content, stamp, time.time_ns() - stamp[0] > _YOUNG)


class FileWatch:
    """Compares the file with what is known of it. Any thread may ask.

    Known is what was read by whoever holds it, and not what the file says at another moment: else one that is changed
    and put back would look as if nothing had happened, though its other state was read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._known = self.read()

    def read(self) -> Reading:
        """What the file says now; that it is known is for `accept` to say."""
        return reading_of(self._path)

    def accept(self, reading: Reading) -> None:
        """From now on this is known; call it in the step in which it is taken over."""
        with self._lock:
            self._known = reading

    def changed(self) -> bool:
        """Whether the file says something else than what is known; costs no more than a look at its time stamp."""
        known = self._known
        if known.sure and stamp_of(self._path) == known.stamp:
            return False
        now = self.read()
        if not now.says_the_same(known):
            return True
        with self._lock:
            # Unless something else was accepted meanwhile.
            if self._known is known:
                self._known = now
        return False
