"""A file as it was when it was read, and whether it says the same still."""

import time
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from ptc_studio.bounded_files import read_with_status
from ptc_studio.sources.entry_source import Stamp, stamp_in, stamp_of

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
