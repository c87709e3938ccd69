"""What a process may see and use."""

import contextlib
import fnmatch
import itertools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROGRAMS = tuple(
    map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"))
)

SETTINGS = tuple(
    Path("/etc", name)
    for name in (
        "alternatives",
        "ca-certificates",
        "ca-certificates.conf",
        "crypto-policies",
        "ld.so.cache",
        "ld.so.conf",
        "ld.so.conf.d",
        "locale.alias",
        "locale.conf",
        "localtime",
        "mime.types",
        "os-release",
        "pki/ca-trust/extracted",
        "pki/tls/cert.pem",
        "pki/tls/certs",
        "pki/tls/openssl.cnf",
        "protocols",
        "services",
        "ssl/cert.pem",
        "ssl/certs",
        "ssl/openssl.cnf",
        "timezone",
    )
)
RESOLVER = Path("/etc/resolv.conf")
KERNEL_FACTS = tuple(
    map(Path, ("/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage"))
)

USER = "script"
USER_NUMBER = 1000


def own_files(home: str) -> Iterator[tuple[str, str]]:
    """The files in which a confined process finds its one user and its one host, each with its content."""
    yield "/etc/passwd", f"{USER}:x:{USER_NUMBER}:{USER_NUMBER}::{home}:/bin/sh\n"
    yield "/etc/group", f"{USER}:x:{USER_NUMBER}:\n"
    yield "/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n"
    yield "/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n"


MEBIBYTE = 1 << 20
NOT_WRITABLE = (
    "Nothing in {!r} can be written, because it is itself a folder of tools, or a program is started in it that "
    "executes what lies there: give such a source a `cwd` of its own."
)

# Shown whole, these would replace what a confined process gets of its own, or reveal what nobody meant to show.
_NEVER_WHOLE = frozenset(
    map(Path, ("/", "/boot", "/dev", "/etc", "/home", "/proc", "/root", "/run", "/sys", "/tmp", "/var"))  # noqa: S108
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The files, the network and the amounts that a process and all it starts are given."""

    readable: tuple[Path, ...] = ()
    """Shown at their own paths, never to be written: the toolchain, the kit, the built script."""
    listed: tuple[Path, ...] = ()
    """Folders that are there, with what else is shown of them."""
    writable: tuple[Path, ...] = ()
    """Shown at their own paths: the build folder and the cache of a compiler."""
    workspace: Path | None = None
    workspace_writable: bool = False
    protected: tuple[Path, ...] = ()
    """What stays as it is in a workspace that may be written, be it there or not."""
    network: bool = False
    memory_bytes: int = 2048 * MEBIBYTE
    """Of the process and all it started together."""
    processes: int = 256
    """Threads count too."""
    temporary_bytes: int = 512 * MEBIBYTE
    file_bytes: int = 2048 * MEBIBYTE
    """The largest file in a place that is not the process's own."""
    open_files: int = 1024

    def places(self) -> list[tuple[Path, bool]]:
        """Every path to show and whether it may be written, the outer before the inner: the innermost word holds."""
        wanted: dict[Path, bool] = {}
        for path, writable in self._asked():
            for form in (Path(os.path.abspath(path)), real(path)):  # noqa: PTH100 - links are to stay in this form
                if form.exists() and not too_wide(form):
                    wanted[form] = wanted.get(form, False) or writable
        shown: dict[Path, bool] = dict.fromkeys((*PROGRAMS, *SETTINGS), False)
        places: list[tuple[Path, bool]] = []
        for path in sorted(wanted, key=lambda path: len(path.parts)):
            context = next((parent for parent in (path, *path.parents) if parent in shown), None)
            # A link that is seen already leads where it should: what it leads to is shown for itself.
            pinned = path in self._pins() and path == real(path)
            if context is None or pinned or (shown[context] != wanted[path] and path == real(path)):
                shown[path] = wanted[path]
                places.append((path, wanted[path]))
        return places

    def writable_parts(self) -> Iterator[Path]:
        """What of the workspace may be written, where only whole folders can be named: all but what is protected."""
        if self.workspace is not None and self.workspace_writable and not too_wide(real(self.workspace)):
            yield from _without(real(self.workspace), self.kept())

    def holds_protected(self, path: Path) -> bool:
        """True for a part of the workspace that cannot be writable as a whole."""
        return any(kept == real(path) or real(path) in kept.parents for kept in self.kept())

    def kept(self) -> frozenset[Path]:
        """What of a writable workspace is protected, the outermost alone, without the links on the way to it."""
        if self.workspace is None or not self.workspace_writable:
            return frozenset()
        found = {real(path.parent) / path.name for path in self.protected}
        found = {path for path in found if path.is_relative_to(real(self.workspace))}
        return frozenset(path for path in found if found.isdisjoint(path.parents))

    def _pins(self) -> frozenset[Path]:
        """The folders between the workspace and what is protected: one that could be moved away would take it along."""
        inside = real(self.workspace) if self.workspace else None
        return frozenset(up for kept in self.kept() for up in kept.parents if inside in up.parents)

    def notes(self) -> tuple[str, ...]:
        """Sentences on what was asked for and is not shown, or not to be written."""
        whole = self.workspace is not None and real(self.workspace) in self.kept()
        hidden = (hidden_folder(path) for path, _ in self._asked() if path.exists() and too_wide(real(path)))
        return (*hidden, *map(partly_shown, self.listed)) + ((NOT_WRITABLE.format(str(self.workspace)),) * whole)

    def _asked(self) -> Iterator[tuple[Path, bool]]:
        yield from ((path, False) for path in self.readable)
        yield from ((path, True) for path in self.writable)
        if self.workspace is not None:
            yield self.workspace, self.workspace_writable and real(self.workspace) not in self.kept()
            yield from ((pin, True) for pin in self._pins())
            yield from ((path, False) for path in self.kept())


def real(path: Path) -> Path:
    """The path without links; unlike `resolve`, links in a circle do not make it raise."""
    return Path(os.path.realpath(path))


def _without(folder: Path, kept: frozenset[Path]) -> Iterator[Path]:
    """The largest parts of the folder that hold nothing of what is kept."""
    if folder in kept:
        return
    if not any(folder in path.parents for path in kept):
        yield folder
        return
    with contextlib.suppress(OSError):
        for inner in sorted(folder.iterdir()):
            if not inner.is_symlink():
                yield from _without(inner, kept)


def hidden_folder(path: Path) -> str:
    """Why a folder is not there for a script."""
    return (
        f"The folder {str(path)!r} is not shown to scripts, because it holds more than a project. "
        "Open a folder inside it."
    )


def too_wide(path: Path) -> bool:
    """True for a folder that must not be shown whole: one of the system's, the user's home, or what holds it."""
    return path in _NEVER_WHOLE or any(home.is_relative_to(path) for home in _homes())


@cache
def _homes() -> tuple[Path, ...]:
    homes = {Path.home(), Path.home().resolve()}
    with contextlib.suppress(ImportError, KeyError):
        import pwd

        homes.add(Path(pwd.getpwuid(os.getuid()).pw_dir).resolve())
    # A user without a home has "/" or "/nonexistent" there.
    return tuple(home for home in homes if home != Path("/"))


MOST_ENTRIES = 20_000
_WORD = re.compile(r"\w+")
_WILD = re.compile(r"[\w.*?\[\]-]*[*?][\w.*?\[\]-]*")


def named_in(code: str, folder: Path) -> tuple[Path, ...]:
    """What lies in the folder and the code names: a file, a folder or a module, or what a pattern in it fits."""
    words, patterns = set(_WORD.findall(code)), {each for each in _WILD.findall(code) if each.strip("*?[]")}
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return tuple(
            sorted(
                Path(entry.path)
                for entry in itertools.islice(entries, MOST_ENTRIES)
                if entry.name in code
                or entry.name.partition(".")[0] in words
                or any(fnmatch.fnmatch(entry.name, pattern) for pattern in patterns)
            )
        )
    return ()


def partly_shown(folder: Path) -> str:
    """Why something of a folder may not have been there for a script."""
    return (
        f"Of the folder {str(folder)!r} a script is shown what its text names. "
        "To show it whole, open it as a workspace (--workspace)."
    )


LINKS = 16


def toolchain_places(program: Path) -> tuple[Path, ...]:
    """The program's installation, each one that its links pass through, and the Python behind a virtual environment."""
    places: dict[Path, None] = {}
    for step in _steps(program):
        for location in (*_installation(step), *_behind(step)):
            if not any(location.is_relative_to(shown) for shown in (*PROGRAMS, *SETTINGS)):
                places[location] = None
    return tuple(places)


def _steps(program: Path) -> list[Path]:
    """The program's path, and the path after each link that is followed."""
    steps = [program]
    while steps[-1].is_symlink() and len(steps) < LINKS:
        steps.append(steps[-1].parent / steps[-1].readlink())
    return [*steps, real(program)]


PARTS = frozenset(
    (
        "bin",
        "sbin",
        "lib",
        "lib32",
        "lib64",
        "libexec",
        "include",
        "share",
        "man",
        "etc",
        "ssl",
        "pyvenv.cfg",
        "LICENSE",
    )
)
"""What an installation of programs consists of."""


def _installation(program: Path) -> tuple[Path, ...]:
    """The folder above `bin`, or of one that holds other things, too, the parts of an installation alone.

    Where many installations share the folder, it is the program alone.
    """
    prefix = program.parent.parent
    shared = prefix.name == ".local" or too_wide(prefix) or too_wide(real(prefix))
    if program.parent.name not in ("bin", "sbin") or shared:
        return (program,)
    try:
        names = {entry.name for entry in prefix.iterdir()}
    except OSError:
        return (prefix,)
    return (prefix,) if names <= PARTS else tuple(prefix / name for name in sorted(names & PARTS))


def _behind(program: Path) -> tuple[Path, ...]:
    """The installation that a virtual environment was made from."""
    with contextlib.suppress(OSError):
        for line in (program.parent.parent / "pyvenv.cfg").read_text().splitlines():
            name, _, value = line.partition("=")
            if name.strip() == "home":
                return _installation(Path(value.strip()) / "python")
    return ()
