"""One writer at a time in a folder, among threads and programs, without a file left behind."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

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
