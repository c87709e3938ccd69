"""Reads files that users name: regular ones only, up to a size, without ever waiting for somebody to write.

A path in a workspace, on the command line or in a document may lead anywhere: to a FIFO that nobody writes to, to
`/dev/zero`, to a disk image. All of them are an `OSError` here, whose `strerror` is the reason, the end of a sentence.
"""

import errno
import os
import stat
from pathlib import Path

LARGEST = 100_000_000
_CHUNK = 1 << 20
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
    # Without O_NONBLOCK, opening a FIFO waits for a writer.
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
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
