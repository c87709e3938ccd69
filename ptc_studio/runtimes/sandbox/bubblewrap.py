"""Namespaces of its own for every process, made by bubblewrap."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from ptc_studio.runtimes.sandbox import bounds as system
from ptc_studio.runtimes.sandbox.bounds import MEBIBYTE, Bounds
from ptc_studio.runtimes.sandbox.launch import (
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
