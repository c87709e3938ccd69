"""Reading, writing and listing the files of the workspace, a folder that nothing leads out of.

The path is resolved first, so that links within the folder work. Then every step of what came out is opened from the
folder on, following no link: one that took the place of a folder after the look is refused. Where the system
cannot open from a folder (Windows) the look alone has to do.
"""

import base64
import binascii
import contextlib
import errno
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import re2

from ptc_studio.core.tools import Ticket

PROTECTED_NAMES = ("studio.yaml", "mocks.yaml", "cassettes", ".git")
"""Never written: a script could permit itself anything, answer for other tools, or have programs run."""
REPOSITORY = ("head", "objects", "refs")
"""What makes a folder a repository of git's, whatever it is called."""
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


def _has(folder: Path, name: str) -> bool:
    return any(os.path.lexists(folder / form) for form in (name, name.upper()))


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
        if ".git" in names or steps[0].casefold() in PROTECTED_NAMES or self._makes_repository(steps):
            raise Outside(f"{path!r} is not for scripts to write: change it by hand.")
        if any(real.is_relative_to(kept.resolve()) for kept in self._protected()):
            raise Outside(f"{path!r} holds code of the workspace's tools, which scripts must not write.")

    def _makes_repository(self, steps: Sequence[str]) -> bool:
        """Whether git takes a folder on the way for a repository, once there is what the steps lead to."""
        for index, step in enumerate(steps):
            folder = self.root.joinpath(*steps[:index])
            if all(name == step.casefold() or _has(folder, name) for name in REPOSITORY):
                return True
        return False

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
        try:
            if create:
                path.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
        if not path.resolve().is_relative_to(self.root):
            # A link that took the place of a folder.
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
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


LOOKED_AT = 200_000
"""So many entries are looked at: a workspace may have a folder of packages in it."""
_SIGNS = re.compile(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]/]*\]|.", re.DOTALL)


class FileListing:
    """One look into the workspace."""

    def __init__(self, folder: ConfinedFolder, pattern: str, *, recursive: bool, hidden: bool, limit: int) -> None:
        self._folder = folder
        # A pattern with a slash is for the whole path below the folder, one without for the name, as in `find`.
        self._by_path = "/" in pattern
        self._matches = glob_matcher(pattern)
        self._recursive = recursive or "/" in pattern or "**" in pattern
        self._hidden = hidden
        self._limit = limit
        self._stopped = False
        self._truncated = False

    def stop(self) -> None:
        """Nobody waits any longer; from any thread."""
        self._stopped = True

    def of(self, steps: tuple[str, ...]) -> dict[str, Any]:
        """The files and folders below, sorted; `truncated` tells that there are more."""
        found: list[dict[str, Any]] = []
        for location, entry in self._walk(steps):
            below = "/".join(location[len(steps) :])
            if not self._matches(below if self._by_path else location[-1]):
                continue
            if len(found) == self._limit:
                self._truncated = True
                break
            if record := _record("/".join(location), entry):
                found.append(record)
        return {"files": found, "truncated": self._truncated}

    def _walk(self, steps: tuple[str, ...]) -> "Iterator[tuple[tuple[str, ...], os.DirEntry[str]]]":
        waiting = [steps]
        seen = 0
        while waiting and not self._stopped:
            folder = waiting.pop()
            below: list[tuple[str, ...]] = []
            for entry in self._entries(folder, first=folder == steps):
                seen += 1
                if seen > LOOKED_AT:
                    self._truncated = True
                    return
                yield (*folder, entry.name), entry
                if self._recursive and entry.is_dir(follow_symlinks=False):
                    below.append((*folder, entry.name))
            waiting.extend(reversed(below))

    def _entries(self, steps: tuple[str, ...], *, first: bool) -> "Iterator[os.DirEntry[str]]":
        try:
            with self._folder.room(steps) as room, os.scandir(room.scanned) as entries:
                # Handed on while the folder is open: an entry looks its size up in it.
                for entry in sorted(entries, key=lambda entry: entry.name):
                    if self._hidden or not entry.name.startswith("."):
                        yield entry
        except OSError:
            # A folder below that is gone meanwhile, or closed to us, has no files as far as we can tell.
            if first:
                raise


def glob_matcher(pattern: str) -> Any:
    """Tells whether a path fits; in time that grows with its length only, whatever the pattern."""
    parts: list[str] = []
    for sign in _SIGNS.findall(pattern):
        if sign == "**/":
            parts.append("(?:[^/]+/)*")
        elif sign == "**":
            parts.append(".*")
        elif sign == "*":
            parts.append("[^/]*")
        elif sign == "?":
            parts.append("[^/]")
        elif sign[0] == "[" and len(sign) > 2:
            parts.append(_character_class(sign[1:-1]))
        else:
            parts.append(re2.escape(sign))
    options = re2.Options()
    options.log_errors = False
    options.dot_nl = True
    try:
        return re2.compile("".join(parts), options).fullmatch
    except re2.error:
        raise ValueError(f"The pattern {pattern!r} is none: write it as `*.txt` or `data/**/*.json`.") from None


def _character_class(signs: str) -> str:
    negated = signs.startswith("!")
    signs = signs[1:] if negated else signs
    escaped = signs.replace("\\", "\\\\").replace("]", "\\]").replace("[", "\\[").replace("^", "\\^")
    return f"[{'^/' if negated else ''}{escaped}]"


def _record(path: str, entry: "os.DirEntry[str]") -> dict[str, Any] | None:
    try:
        status = entry.stat(follow_symlinks=False)
        kind = "link" if entry.is_symlink() else "folder" if entry.is_dir(follow_symlinks=False) else "file"
    except OSError:
        return None
    if not path.isascii():
        # A name that is no text cannot be told to anybody.
        path = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    modified = datetime.fromtimestamp(int(status.st_mtime), UTC).isoformat()
    return {"path": path, "type": kind, "size": status.st_size if kind == "file" else None, "modified": modified}


Arguments = dict[str, Any]


class FileTools:
    """The tools that work on files; each answers a call whose arguments fit its schema."""

    def __init__(self, folder: ConfinedFolder, max_bytes: int) -> None:
        self._folder = folder
        self._max_bytes = max_bytes

    def read_file(self, arguments: Arguments, ticket: Ticket) -> Any:  # noqa: ARG002
        """The text of a file, or a part of its bytes."""
        path, as_base64 = arguments["path"], arguments.get("encoding") == "base64"
        with _told(path, "read"):
            data, size, offset = self._read(path, int(arguments.get("offset", 0)), arguments.get("limit"))
        if as_base64:
            content = base64.b64encode(data).decode("ascii")
        else:
            content, data = _text(path, data, offset, offset + len(data) < size)
        return {"content": content, "size": size, "offset": offset, "end": offset + len(data)}

    def write_file(self, arguments: Arguments, ticket: Ticket) -> Any:  # noqa: ARG002
        """Writes a file whole or not at all."""
        path, mode = arguments["path"], arguments.get("mode", "replace")
        data = _bytes(arguments["content"], arguments.get("encoding", "text"))
        if len(data) > self._max_bytes:
            raise ValueError(f"{path!r} would have {len(data)} bytes; at most {self._max_bytes} are written.")
        steps = self._folder.steps(path)
        if not steps:
            raise IsADirectoryError(f"{path!r} is the workspace itself: name a file in it.")
        self._folder.check_writable(path, steps)
        write = {"replace": put_in_place, "create": create_new, "append": append_to}[mode]
        with _told(path, "written"), self._folder.room(steps[:-1], create=True) as room:
            size = write(room, steps[-1], data)
        return {"path": "/".join(steps), "size": size}

    def list_files(self, arguments: Arguments, ticket: Ticket) -> Any:
        """The files and folders that a pattern means."""
        path = arguments.get("folder", ".")
        listing = FileListing(
            self._folder,
            arguments.get("pattern", "*"),
            recursive=arguments.get("recursive", False),
            hidden=arguments.get("hidden", False),
            limit=int(arguments.get("limit", 1000)),
        )
        ticket.on_abandon(listing.stop)
        with _told(path, "listed"):
            return listing.of(self._folder.steps(path))

    def _read(self, path: str, offset: int, limit: Any) -> tuple[bytes, int, int]:
        steps = self._folder.steps(path)
        if not steps:
            raise IsADirectoryError
        with self._folder.room(steps[:-1]) as room:
            handle = self._folder.open(room, steps[-1])
        with os.fdopen(handle, "rb") as file:
            size = os.fstat(handle).st_size
            offset = min(offset, size)
            wanted = size - offset if limit is None else min(int(limit), size - offset)
            if wanted > self._max_bytes:
                raise ValueError(
                    f"{path!r} has {wanted} bytes to read, and at most {self._max_bytes} are read at once: "
                    "read it in parts with `offset` and `limit`."
                )
            file.seek(offset)
            return file.read(wanted), size, offset


def _text(path: str, data: bytes, offset: int, more: bool) -> tuple[str, bytes]:
    """The bytes as text; a character that the limit cut in two is left for the next part."""
    try:
        return data.decode("utf-8"), data
    except UnicodeDecodeError as error:
        if more and error.end == len(data) and error.start and len(data) - error.start < 4:
            return data[: error.start].decode("utf-8"), data[: error.start]
        location = offset + error.start
    raise ValueError(f"{path!r} is no UTF-8 text (byte {location}): read it with encoding 'base64'.")


def _bytes(content: str, encoding: str) -> bytes:
    if encoding == "text":
        try:
            return content.encode("utf-8")
        except UnicodeEncodeError as error:
            raise ValueError(f"The content has half a character at {error.start}, which no file can hold.") from None
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"The content is no base64: {error}.") from None


@contextmanager
def _told(path: str, done: str) -> Iterator[None]:
    """Says what the system says, with the path that the script used."""
    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError(f"There is no file {path!r} in the workspace.") from None
    except FileExistsError:
        raise FileExistsError(f"{path!r} exists: write it with mode 'replace', or choose another name.") from None
    except NotADirectoryError:
        raise NotADirectoryError(f"{path!r} cannot be {done}: a part of the path is no folder.") from None
    except IsADirectoryError:
        raise IsADirectoryError(f"{path!r} cannot be {done}: it is a folder, or no plain file.") from None
    except OSError as error:
        if error.errno is None:
            raise
        raise type(error)(f"{path!r} cannot be {done}: {error.strerror}.") from None
