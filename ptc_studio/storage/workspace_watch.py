"""Notices that somebody else changed the workspace file."""

from pathlib import Path
from threading import Lock

from ptc_studio.sources.file_stamp import stamp_of
from ptc_studio.storage.file_reading import Reading, reading_of
from ptc_studio.storage.workspace import FILE_NAME


class WorkspaceWatch:
    """Compares the file with what is known of it. Any thread may ask.

    Known is what was read by whoever holds it, and not what the file says at another moment: else one that is changed
    and put back would look as if nothing had happened, though its other state was read.
    """

    def __init__(self, folder: Path, name: str = FILE_NAME) -> None:
        self._path = folder / name
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
