"""A file as it was when it was read: what it said, and how to tell that it says it still."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from ptc_studio.sources.entry_source import Stamp, stamp_in

_YOUNG = 2_000_000_000
"""Nanoseconds in which a file may change twice and show but one time stamp."""
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
        with path.open("rb") as file:
            # Of the very file that is read, and before it is: another that takes its place meanwhile is seen next time.
            stamp = stamp_in(os.fstat(file.fileno()))
            content = file.read()
    except OSError as error:
        return Reading((error.errno, error.strerror or str(error)), None, sure=False)
    return Reading(content, stamp, time.time_ns() - stamp[0] > _YOUNG)
