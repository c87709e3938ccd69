"""Writes files so that nobody ever sees half of one."""

import contextlib
import os
import secrets
from collections.abc import Iterator

from ptc_studio.sources.builtin.confined_folder import Room

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_NEW |= getattr(os, "O_BINARY", 0)
_MORE = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_MORE |= getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


def put_in_place(room: Room, name: str, data: bytes) -> int:
    """The file has the data afterwards, or what it had before; gives its size."""
    mode = _mode_of(room, name)
    with _aside(room, data, mode) as aside:
        # It replaces a link of that name, it does not follow it.
        os.replace(room.place(aside), room.place(name), src_dir_fd=room.handle, dst_dir_fd=room.handle)
    return len(data)


def create_new(room: Room, name: str, data: bytes) -> int:
    """The same for a file that must not be there yet; raises FileExistsError."""
    with _aside(room, data, None) as aside:
        os.link(room.place(aside), room.place(name), src_dir_fd=room.handle, dst_dir_fd=room.handle)
    return len(data)


def append_to(room: Room, name: str, data: bytes) -> int:
    """Puts the data at the end of the file, which is made if it is not there."""
    with os.fdopen(os.open(room.place(name), _MORE, 0o666, dir_fd=room.handle), "ab", buffering=0) as file:
        if not file.seekable():
            raise IsADirectoryError(f"{name!r} is no plain file")
        file.write(data)
        return os.fstat(file.fileno()).st_size


@contextlib.contextmanager
def _aside(room: Room, data: bytes, mode: int | None) -> Iterator[str]:
    """A file of another name with the data, safe on the disk; gone afterwards if it is still there."""
    aside = f".{secrets.token_hex(8)}.tmp"
    handle = os.open(room.place(aside), _NEW, 0o666, dir_fd=room.handle)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        yield aside
    finally:
        with contextlib.suppress(OSError):
            os.unlink(room.place(aside), dir_fd=room.handle)


def _mode_of(room: Room, name: str) -> int | None:
    """The permissions that the file has already; raises IsADirectoryError for a folder."""
    try:
        status = os.stat(room.place(name), dir_fd=room.handle, follow_symlinks=False)
    except FileNotFoundError:
        return None
    kind = status.st_mode & 0o170000
    if kind == 0o040000:
        raise IsADirectoryError(f"{name!r} is a folder")
    return status.st_mode & 0o777 if kind == 0o100000 else None
