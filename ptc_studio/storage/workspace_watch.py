"""Notices that somebody else changed the workspace file."""

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, RLock, Thread

from ptc_studio.sources.file_stamp import Stamp, stamp_of
from ptc_studio.storage.workspace import FILE_NAME

INTERVAL = 1.0
_YOUNG = 2_000_000_000
"""Nanoseconds in which a file may change twice and show but one time stamp."""
_Look = Stamp | None


class WorkspaceWatch:
    """Compares the file with what is known of it. Any thread may ask; one of its own asks if it is started."""

    def __init__(self, folder: Path, name: str = FILE_NAME) -> None:
        self._path = folder / name
        self._lock = RLock()
        self._stopped = Event()
        self._thread: Thread | None = None
        self._told: str | None = None
        self.accept()

    def accept(self, content: bytes | None = None) -> None:
        """What is there now is known; or, if given, what the program itself wrote or read."""
        with self._lock:
            self._look, found = self._read()
            self._known = found if content is None else _hash(content)
            if self._known != found:
                self._look = None
            self._sure = _settled(self._look)

    def changed(self) -> bool:
        """Whether the file says something else than what is known; costs no more than a look at its time stamp."""
        with self._lock:
            if self._sure and stamp_of(self._path) == self._look:
                return False
            look, found = self._read()
            if found != self._known:
                return True
            self._look, self._sure = look, _settled(look)
            return False

    def start(self, on_change: Callable[[], None], interval: float = INTERVAL) -> None:
        """Has `on_change` called from a thread, once for each new state, until `stop`."""
        if self._thread is None:
            self._stopped.clear()
            self._thread = Thread(target=self._poll, args=(on_change, interval), name="workspace watch", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ends the thread; no call of `on_change` begins afterwards."""
        self._stopped.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(INTERVAL)

    def _poll(self, on_change: Callable[[], None], interval: float) -> None:
        while not self._stopped.wait(interval):
            if not self.changed():
                self._told = None
                continue
            _look, found = self._read()
            if found != self._told and not self._stopped.is_set():
                self._told = found
                on_change()

    def _read(self) -> tuple[_Look, str]:
        """The look before the content: a change between the two is seen the next time."""
        look = stamp_of(self._path)
        try:
            return look, _hash(self._path.read_bytes())
        except OSError:
            return None, ""


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _settled(look: _Look) -> bool:
    """Whether another change would show in the time stamp."""
    return look is not None and time.time_ns() - look[0] > _YOUNG
