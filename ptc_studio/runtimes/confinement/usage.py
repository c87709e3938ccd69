"""What a process and all it started use, as the system tells."""

import contextlib
import itertools
import os
from dataclasses import dataclass
from pathlib import Path

from ptc_studio.runtimes.family import descendants

PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_THREADS, _BORN, _RESIDENT = 17, 19, 21
"""Fields of /proc/PID/stat, counted from the one behind the name."""


@dataclass(frozen=True, slots=True)
class Use:
    """The processes and threads of a family, and its memory in bytes."""

    tasks: int
    memory: int


def family(pid: int, most: int | None = None) -> list[int]:
    """The process, its children, their children and so on; no more than `most` of them."""
    return [pid, *itertools.islice(descendants(pid), None if most is None else most - 1)]


def family_use(pid: int, most: int | None = None) -> Use:
    """The use of a family, lightly: memory that processes share is counted for each."""
    tasks = memory = 0
    for member in family(pid, most):
        with contextlib.suppress(OSError, IndexError):
            fields = _fields(member)
            tasks += int(fields[_THREADS])
            memory += int(fields[_RESIDENT]) * PAGE
    return Use(tasks, memory)


def family_memory(pid: int) -> int:
    """The memory of a family, each page counted once. Exact, but not light."""
    return sum(map(_own_share, family(pid)))


def born(pid: int) -> str:
    """When the process began: with its number this names it for good. Empty if there is none."""
    with contextlib.suppress(OSError, IndexError):
        return _fields(pid)[_BORN]
    return ""


def _fields(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _own_share(pid: int) -> int:
    total = 0
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith(("Pss:", "SwapPss:")):
                total += int(line.split()[1]) * 1024
        return total
    # A process that does not let itself be looked into is counted with all that it maps.
    with contextlib.suppress(OSError, IndexError):
        return int(_fields(pid)[_RESIDENT]) * PAGE
    return 0
