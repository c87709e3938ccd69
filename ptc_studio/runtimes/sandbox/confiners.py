"""What confines a process on Linux: namespaces of its own, by bubblewrap, or Landlock where those cannot be had."""

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ptc_studio.runtimes.sandbox import bounds as system
from ptc_studio.runtimes.sandbox.bounds import MEBIBYTE, Bounds
from ptc_studio.runtimes.sandbox.launch import (
    BURST,
    SandboxLaunch,
    data_descriptor,
    expendable,
    launched,
    limited,
    own_folder,
    require_program,
)
from ptc_studio.runtimes.sandbox.system_calls import AF_INET, AF_INET6, AF_NETLINK, filter_program

HOME = "/tmp"  # noqa: S108 - the process's own, in a mount namespace of its own
FAMILIES = (AF_INET, AF_INET6, AF_NETLINK)
"""Not those with a name in a folder: whoever sees the file of a socket could speak to whatever listens there."""
GUEST = "2"
"""The number of the guest in its own namespace: bubblewrap's is 1."""
SIGNALLED = 128
DEVICES = tuple(f"/dev/{name}" for name in ("full", "null", "random", "tty", "urandom", "zero"))
"""The machine's own, which bubblewrap shows as they are."""
SHARED_MEMORY = 4
"""Which part of the temporary space there is for shared memory beside it."""


class Bubblewrap:
    """A sandbox: files, processes, network and users of its own."""

    id = "bubblewrap"
    reason = None

    def __init__(self, program: str = "bwrap") -> None:
        self._program = shutil.which(program) or program
        self._options = _known_options(self._program)

    @property
    def protections(self) -> tuple[str, ...]:
        return (
            "Sees the system's programs, its toolchain, and the workspace or else what it names of its own folder.",
            "Does not see your home folder, nor other files.",
            "Writes only to a temporary folder of its own"
            + (", of a limited size." if self._sized else ".")
            + " The workspace is written to if you allow it, but for what the studio or git executes or believes.",
            "Has no network, and reaches no service of this machine, unless you allow it.",
            "Neither sees nor signals other processes.",
            "Has no rights beyond those of an ordinary user, and cannot gain any.",
            "Everything it started ends with it, and with the studio.",
            "The number of processes, the memory and the open files are limited.",
        )

    @property
    def gaps(self) -> tuple[str, ...]:
        missing = () if self._sized else ("The size of its temporary folder is not limited: bubblewrap 0.7 is needed.",)
        return (*missing, "It shares the kernel with this machine.", "Named sockets are not available to it.")

    def launch(self, argv: Sequence[str], bounds: Bounds, directory: Path | None = None) -> SandboxLaunch:
        require_program(argv)
        launch = SandboxLaunch([], own_folder(HOME), bounds.notes())
        try:
            launch.stand_in(bounds.kept())
            options = [option for group in self._groups(bounds, launch.fds) for option in group]
            options += ["--chdir", str(directory or HOME)]
            described = data_descriptor(launch.fds, "\0".join(options).encode(errors="surrogateescape"))
        except BaseException:
            launch.close()
            raise
        elsewhere = bool(bounds.writable) or bounds.workspace_writable
        inner = limited(argv, bounds, files=elsewhere, processes=True)
        launch.argv += self._from_outside([self._program, "--args", described, "--", *inner])
        return launch

    def guest_pid(self, process: subprocess.Popen[bytes]) -> int | None:
        for first in _children(process.pid):
            for pid in _children(first):
                if _number_inside(pid) == GUEST:
                    return pid
        return None

    def exit_status(self, code: int) -> int:
        # Bubblewrap tells of a signal as a shell does.
        return SIGNALLED - code if SIGNALLED < code <= SIGNALLED + 64 else code

    @property
    def _sized(self) -> bool:
        return "--size" in self._options

    def _from_outside(self, argv: Sequence[str]) -> list[str]:
        """What bubblewrap has no option for is done before it starts."""
        if os.geteuid() != 0:
            return expendable(argv)
        # They are root's, and who is root outside may change the mode of what is shown, for the whole machine.
        return launched([("shield", path) for path in DEVICES if Path(path).exists()], argv)

    def _groups(self, bounds: Bounds, fds: list[int]) -> Iterator[Sequence[str]]:
        yield "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"
        yield "--uid", str(system.USER_NUMBER), "--gid", str(system.USER_NUMBER), "--hostname", "localhost"
        if bounds.network:
            yield ("--share-net",)
        for path in (*system.PROGRAMS, *system.SETTINGS):
            yield _as_it_is(path)
        if bounds.network:
            yield "--ro-bind-try", str(system.RESOLVER.resolve()), str(system.RESOLVER)
        for name, content in system.own_files(HOME):
            yield "--file", data_descriptor(fds, content.encode()), name
        yield "--proc", "/proc", "--dev", "/dev"
        for path in system.KERNEL_FACTS:
            yield "--ro-bind-try", str(path), str(path)
        yield self._temporary("/dev/shm", bounds.temporary_bytes // SHARED_MEMORY)  # noqa: S108
        yield self._temporary(HOME, bounds.temporary_bytes)
        for path in bounds.listed:
            yield "--dir", str(path)
        for path, writable in bounds.places():
            yield "--bind" if writable else "--ro-bind", str(path), str(path)
        # For one who is root outside, the kernel's settings in /proc are the machine's.
        yield "--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"
        program = filter_program(FAMILIES)
        if program is not None:
            yield "--seccomp", data_descriptor(fds, program)

    def _temporary(self, path: str, size: int) -> Sequence[str]:
        return ("--size", str(max(size, MEBIBYTE)), "--tmpfs", path) if self._sized else ("--tmpfs", path)


def _as_it_is(path: Path) -> Sequence[str]:
    """The path read-only; a link that leads to what is shown stays a link."""
    if path.is_symlink() and path.resolve().is_relative_to("/usr"):
        return "--symlink", str(path.readlink()), str(path)
    return ("--ro-bind", str(path), str(path)) if path.exists() else ()


def _known_options(program: str) -> frozenset[str]:
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        help_text = subprocess.run([program, "--help"], capture_output=True, timeout=5, check=False, text=True)
        return frozenset(word for word in (help_text.stdout + help_text.stderr).split() if word.startswith("--"))
    return frozenset()


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _number_inside(pid: int) -> str | None:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("NSpid:"):
                return line.split()[-1]
    return None


CREATE_RULESET, ASK_VERSION = 444, 1

EXECUTE, WRITE, READ, LIST, REFER, TRUNCATE, CONTROL = (1 << bit for bit in (0, 1, 2, 3, 13, 14, 15))
SHOW = EXECUTE | READ | LIST
# Everything but making devices.
CHANGE = (1 << 15) - 1 & ~(1 << 6 | 1 << 11)
DEVICE = READ | WRITE | TRUNCATE | CONTROL
TCP, OUTSIDE = 3, 3

# The first version of the interface that has each part.
WITH_REFER, WITH_TRUNCATE, WITH_TCP, WITH_CONTROL, WITH_SCOPES = 2, 3, 4, 5, 6

OPEN_DEVICES = tuple(Path("/dev", name) for name in ("full", "null", "random", "urandom", "zero"))
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
        for path in OPEN_DEVICES:
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
