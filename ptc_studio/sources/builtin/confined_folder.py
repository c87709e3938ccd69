"""A folder that nothing leads out of: no `..`, no absolute path, no link, and no link that is put there meanwhile.

The path is resolved first, so that links within the folder work. Then every step of what came out is opened from the
folder on, following no link: one that took the place of a folder after the look is refused. Where the system
cannot open from a folder (Windows) the look alone has to do.
"""

import contextlib
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PROTECTED_NAMES = ("studio.yaml", "mocks.yaml", "cassettes", ".git")
"""Never written: a script could permit itself anything, answer for other tools, or have programs run."""
HAS_FOLDER_HANDLES = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd and os.scandir in os.supports_fd
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
# A pipe of that name would wait for somebody at its other end.
_READ = os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | _NO_LINK | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


class Outside(PermissionError):
    """The path leads out of the folder, or to what is protected."""


@dataclass(frozen=True, slots=True)
class FolderHandle:
    """A folder that is open: names in it are used with `dir_fd=room.handle`, or as `room.path / name` without one."""

    path: Path
    handle: int | None

    def location(self, name: str) -> str:
        """What the system's functions are given beside `dir_fd`."""
        return name if self.handle is not None else str(self.path / name)

    @property
    def scanned(self) -> int | str:
        """What `os.scandir` is given."""
        return str(self.path) if self.handle is None else self.handle


class ConfinedFolder:
    """The workspace as scripts may use it."""

    def __init__(self, folder: Path, protected: Callable[[], Iterable[Path]] = tuple) -> None:
        self.root = folder.resolve()
        self._protected = protected

    def steps(self, path: str) -> tuple[str, ...]:
        """The way from the folder to what the path means, without links; raises Outside."""
        if "\0" in path:
            raise ValueError("A path must not hold a NUL character.")
        try:
            real = (self.root / path).resolve()
        except (OSError, RuntimeError):
            raise Outside(f"The path {path!r} cannot be followed: its links lead round in a circle.") from None
        if not real.is_relative_to(self.root):
            raise Outside(f"The path {path!r} leads out of the workspace: name a file in {str(self.root)!r}.")
        return real.relative_to(self.root).parts

    def check_writable(self, path: str, steps: Sequence[str]) -> None:
        """Raises Outside for what a script must not change."""
        real = self.root.joinpath(*steps)
        names = {step.casefold() for step in steps}
        if ".git" in names or steps[0].casefold() in PROTECTED_NAMES:
            raise Outside(f"{path!r} is not for scripts to write: change it by hand.")
        if any(real.is_relative_to(kept.resolve()) for kept in self._protected()):
            raise Outside(f"{path!r} holds code of the workspace's tools, which scripts must not write.")

    @contextlib.contextmanager
    def room(self, steps: Sequence[str], *, create: bool = False) -> Iterator[FolderHandle]:
        """Opens the folder at the end of the steps, and makes what is missing if `create`."""
        if not HAS_FOLDER_HANDLES:
            yield self._plain_room(steps, create)
            return
        handle = os.open(self.root, _FOLDER & ~_NO_LINK)
        try:
            for step in steps:
                if create:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(step, dir_fd=handle)
                below = os.open(step, _FOLDER, dir_fd=handle)
                os.close(handle)
                handle = below
            yield FolderHandle(self.root.joinpath(*steps), handle)
        finally:
            os.close(handle)

    def open(self, room: FolderHandle, name: str) -> int:
        """Opens a file of the folder for reading; raises OSError for what is no plain file."""
        handle = os.open(room.location(name), _READ, dir_fd=room.handle)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise IsADirectoryError(f"{name!r} is no plain file")
        return handle

    def _plain_room(self, steps: Sequence[str], create: bool) -> FolderHandle:
        path = self.root.joinpath(*steps)
        if create:
            path.mkdir(parents=True, exist_ok=True)
        if not path.resolve().is_relative_to(self.root):
            raise Outside(f"{str(path)!r} leads out of the workspace.")
        return FolderHandle(path, None)


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_NEW |= getattr(os, "O_BINARY", 0)
_MORE = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_MORE |= getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


def put_in_place(room: FolderHandle, name: str, data: bytes) -> int:
    """The file has the data afterwards, or what it had before; gives its size."""
    mode = _mode_of(room, name)
    with _aside(room, data, mode) as aside:
        # It replaces a link of that name, it does not follow it.
        os.replace(room.location(aside), room.location(name), src_dir_fd=room.handle, dst_dir_fd=room.handle)
    return len(data)


def create_new(room: FolderHandle, name: str, data: bytes) -> int:
    """The same for a file that must not be there yet; raises FileExistsError."""
    with _aside(room, data, None) as aside:
        os.link(room.location(aside), room.location(name), src_dir_fd=room.handle, dst_dir_fd=room.handle)
    return len(data)


def append_to(room: FolderHandle, name: str, data: bytes) -> int:
    """Puts the data at the end of the file, which is made if it is not there."""
    with os.fdopen(os.open(room.location(name), _MORE, 0o666, dir_fd=room.handle), "ab", buffering=0) as file:
        if not file.seekable():
            raise IsADirectoryError(f"{name!r} is no plain file")
        file.write(data)
        return os.fstat(file.fileno()).st_size


@contextlib.contextmanager
def _aside(room: FolderHandle, data: bytes, mode: int | None) -> Iterator[str]:
    """A file of another name with the data, safe on the disk; gone afterwards if it is still there."""
    aside = f".{secrets.token_hex(8)}.tmp"
    handle = os.open(room.location(aside), _NEW, 0o666, dir_fd=room.handle)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        yield aside
    finally:
        with contextlib.suppress(OSError):
            os.unlink(room.location(aside), dir_fd=room.handle)


def _mode_of(room: FolderHandle, name: str) -> int | None:
    """The permissions that the file has already; raises IsADirectoryError for a folder."""
    try:
        status = os.stat(room.location(name), dir_fd=room.handle, follow_symlinks=False)
    except FileNotFoundError:
        return None
    kind = status.st_mode & 0o170000
    if kind == 0o040000:
        raise IsADirectoryError(f"{name!r} is a folder")
    return status.st_mode & 0o777 if kind == 0o100000 else None
