"""Bounds that a process sets itself before it becomes the script's: Landlock, a system call filter and limits."""

import ctypes
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ptc_studio.runtimes.sandbox import bounds as system
from ptc_studio.runtimes.sandbox.bounds import Bounds
from ptc_studio.runtimes.sandbox.launch import BURST, SandboxLaunch, launched, own_folder, require_program
from ptc_studio.runtimes.sandbox.system_calls import AF_INET, AF_INET6, AF_NETLINK, filter_program

CREATE_RULESET, ASK_VERSION = 444, 1

EXECUTE, WRITE, READ, LIST, REFER, TRUNCATE, CONTROL = (1 << bit for bit in (0, 1, 2, 3, 13, 14, 15))
SHOW = EXECUTE | READ | LIST
# Everything but making devices.
CHANGE = (1 << 15) - 1 & ~(1 << 6 | 1 << 11)
DEVICE = READ | WRITE | TRUNCATE | CONTROL
TCP, OUTSIDE = 3, 3

# The first version of the interface that has each part.
WITH_REFER, WITH_TRUNCATE, WITH_TCP, WITH_CONTROL, WITH_SCOPES = 2, 3, 4, 5, 6

DEVICES = tuple(Path("/dev", name) for name in ("full", "null", "random", "urandom", "zero"))
IDENTITY = tuple(Path("/etc", name) for name in ("group", "hosts", "nsswitch.conf", "passwd"))


class Landlock:
    """Not a sandbox: files and network are bounded, but processes, users and memory are those of the machine."""

    id = "landlock"

    def __init__(self, reason: str | None = None, version: int | None = None) -> None:
        self.reason = reason
        self._version = landlock_version() if version is None else version

    @property
    def protections(self) -> tuple[str, ...]:
        scoped = self._version >= WITH_SCOPES
        return (
            "Reads the system's programs, its toolchain, and the workspace or else what it names of its own folder.",
            "Does not see your home folder, nor other files.",
            "Writes only to a temporary folder of its own.",
            "If you allow it, it writes to folders and files of the workspace that the studio and git do not believe.",
            *(
                ("Has no network, and reaches no service of this machine, unless you allow it.",)
                if self._closed
                else ()
            ),
            "Cannot look into other processes" + (", nor signal them." if scoped else "."),
            "Has no rights beyond those of an ordinary user, and cannot gain any.",
            "The number of processes, the memory, the size of a file and the open files are limited.",
        )

    @property
    def gaps(self) -> tuple[str, ...]:
        return (
            "It sees which other programs run, and how they were started.",
            "It can tell whether a file of yours exists, how large it is and when it was changed; not what is in it.",
            *(("It can signal other processes of yours.",) if self._version < WITH_SCOPES else ()),
            *(() if self._closed else ("It can use the network.",)),
            "What it started in the background can outlive the studio, if the studio is killed.",
            "The size of its temporary folder is not limited, only that of each file.",
            "It cannot change the mode, the times or the attributes of any file, not even of its own."
            if self._closed
            else "It can change the mode, the times and the attributes of any file of yours.",
            "Compilers can change the mode, the times and the attributes of any file of yours.",
            "Shared memory and named sockets are not available to it, so Python's multiprocessing cannot be used.",
        )

    def launch(self, argv: Sequence[str], bounds: Bounds, directory: Path | None = None) -> SandboxLaunch:
        require_program(argv)
        folder = Path(tempfile.mkdtemp(prefix="ptc-guest-"))
        items = [*self._items(bounds, folder), ("directory", directory or folder)]
        return SandboxLaunch(launched(items, argv), own_folder(str(folder)), bounds.notes(), folder=folder)

    def guest_pid(self, process: subprocess.Popen[bytes]) -> int | None:
        return process.pid if process.poll() is None else None

    def exit_status(self, code: int) -> int:
        return code

    @property
    def _closed(self) -> bool:
        return filter_program(()) is not None

    def _items(self, bounds: Bounds, folder: Path) -> Iterator[tuple[str, object]]:
        yield "RLIMIT_CORE", 0
        yield "RLIMIT_NOFILE", bounds.open_files
        yield "RLIMIT_DATA", bounds.memory_bytes * BURST
        yield "RLIMIT_FSIZE", bounds.file_bytes
        yield "size", self._size()
        yield "files", self._rights()
        yield "network", TCP if self._version >= WITH_TCP and not bounds.network else 0
        yield "scopes", OUTSIDE if self._version >= WITH_SCOPES else 0
        for rights, path in self._paths(bounds, folder):
            yield f"path:{rights}", path
        # Sockets with a name in a folder are bounded by no rule, so there are none at all.
        families = (AF_INET, AF_INET6, AF_NETLINK) if bounds.network else ()
        # Nor are modes, times and attributes: a script changes none, and a compiler must make what it made executable.
        program = filter_program(families, attributes=bool(bounds.writable), shared=True)
        yield "filter", program.hex() if program else ""

    def _size(self) -> int:
        return 24 if self._version >= WITH_SCOPES else 16 if self._version >= WITH_TCP else 8

    def _rights(self) -> int:
        missing = (
            (REFER if self._version < WITH_REFER else 0)
            | (TRUNCATE if self._version < WITH_TRUNCATE else 0)
            | (CONTROL if self._version < WITH_CONTROL else 0)
        )
        return (1 << 16) - 1 & ~missing

    def _paths(self, bounds: Bounds, folder: Path) -> Iterator[tuple[int, Path]]:
        shown = (*system.PROGRAMS, *system.SETTINGS, *system.KERNEL_FACTS, *IDENTITY)
        for path in (*shown, *((system.RESOLVER,) if bounds.network else ())):
            yield SHOW, path
        yield READ | LIST, Path("/proc")
        for path in DEVICES:
            yield DEVICE, path
        yield CHANGE | SHOW, folder
        for path in bounds.listed:
            yield LIST, path
        # What is writable is so with all that it holds: a workspace with protected parts is named part by part.
        for path, writable in bounds.places():
            yield CHANGE | SHOW if writable and not bounds.holds_protected(path) else SHOW, path
        for path in bounds.writable_parts():
            yield CHANGE | SHOW, path


def landlock_version() -> int:
    """The version of the kernel's Landlock; 0 if it has none."""
    if sys.platform != "linux":
        return 0
    return max(0, ctypes.CDLL(None, use_errno=True).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION))
