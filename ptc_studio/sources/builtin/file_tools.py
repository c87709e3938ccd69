"""Reading, writing and listing the files of the workspace."""

import base64
import binascii
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import re2

from ptc_studio.core.tools import Ticket
from ptc_studio.sources.builtin.confined_folder import ConfinedFolder, append_to, create_new, put_in_place

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
