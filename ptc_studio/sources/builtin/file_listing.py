"""Finds files by a pattern, within bounds."""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import re2

from ptc_studio.sources.builtin.confined_folder import ConfinedFolder

LOOKED_AT = 200_000
"""So many entries are looked at: a workspace may have a folder of packages in it."""
_SIGNS = re.compile(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]/]*\]|.", re.DOTALL)


class Listing:
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
        for place, entry in self._walk(steps):
            below = "/".join(place[len(steps) :])
            if not self._matches(below if self._by_path else place[-1]):
                continue
            if len(found) == self._limit:
                self._truncated = True
                break
            if record := _record("/".join(place), entry):
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
