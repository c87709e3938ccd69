"""Tells one state of a file from another without reading it."""

import os
from pathlib import Path

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
