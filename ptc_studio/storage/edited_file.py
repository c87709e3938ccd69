"""A workspace file that is changed by one operation after the other, beside others who may change it, too."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from ptc_studio.bounded_files import LARGEST_YAML, read_bytes
from ptc_studio.storage.entry_values import TouchedOutside, understood_workspace
from ptc_studio.storage.text_files import locked, replace_file
from ptc_studio.storage.workspace import FILE_NAME, WorkspaceError
from ptc_studio.storage.yaml_changes import same
from ptc_studio.storage.yaml_document import CannotWrite, Place, YamlDocument
from ptc_studio.storage.yaml_with_lines import YamlError, YamlWithLines

_STALE_SECONDS = 60.0
"""After this long a file half written is nobody's any more."""


class WorkspaceDisk:
    """The file of one folder. A link stays a link: what it leads to is written."""

    def __init__(self, folder: Path, name: str = FILE_NAME) -> None:
        self.path = folder / name

    def read(self) -> bytes | None:
        """What is there now; None if there is no file."""
        try:
            return read_bytes(self.path, LARGEST_YAML)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise WorkspaceError(f"{self.path} cannot be read: {error.strerror or error}.") from None

    def held(self) -> AbstractContextManager[None]:
        """Keeps other editors from writing meanwhile."""
        return locked(self.path.resolve().parent)

    def write(self, content: bytes) -> None:
        """Raises WorkspaceError in one sentence, and then the file is as it was."""
        target = self.path.resolve()
        try:
            if target.exists() and not target.stat().st_mode & 0o222:
                raise PermissionError(0, "it is read-only")
            replace_file(target, content)
        except OSError as error:
            raise self.failed(error) from None
        _remove_stale_parts(target)

    def remove(self) -> None:
        """Takes the file away, where undoing means that there was none."""
        try:
            self.path.resolve().unlink(missing_ok=True)
        except OSError as error:
            raise self.failed(error) from None

    def failed(self, error: OSError) -> WorkspaceError:
        return WorkspaceError(f"{self.path} cannot be saved: {error.strerror or error}; it is as it was before.")


def _remove_stale_parts(target: Path) -> None:
    """What a program that was killed while writing left behind."""
    with suppress(OSError):
        for part in target.parent.glob(f".{target.name}.*.part"):
            if time.time() - part.stat().st_mtime > _STALE_SECONDS:
                part.unlink()


HEADER = """\
# What PTC Studio knows of this folder: where its tools come from, what else they are called, what scripts may do.
# Change it here or in the window; comments and order stay as they are.
version: 1
"""
ORDER = ("version", "sources", "aliases", "grants", "runtimes", "limits", "redaction")
"""How sections that are new to a file follow each other."""
Operation = Callable[[YamlDocument], YamlDocument]


class ChangedOutside(WorkspaceError):
    """Somebody else changed the same thing meanwhile; nothing was written."""

    def __init__(self, message: str, mine: str, theirs: str) -> None:
        super().__init__(message)
        self.mine = mine
        """The whole text as it would have become."""
        self.theirs = theirs
        """The whole text as it is now; empty if the file is gone."""


@dataclass(frozen=True, slots=True)
class Undo:
    """The way back from one change."""

    editor: "EditedFile"
    before: bytes | None
    """None where there was no file."""
    after: bytes | None

    def undo(self) -> "Undo":
        """Puts the former text back, and gives the way forth; raises ChangedOutside if the file is another by now."""
        return self.editor.put_back(self)


class EditedFile:
    """What is known of the file, and how a change of it gets to the disk."""

    name, header = FILE_NAME, HEADER

    def __init__(self, folder: Path) -> None:
        self._disk = WorkspaceDisk(folder, self.name)
        self._lock = RLock()
        self._content = self._disk.read()
        self._base = self._document(self._content)

    @property
    def path(self) -> Path:
        return self._disk.path

    @property
    def content(self) -> bytes | None:
        """The file as it was last read or written here; None if there is none."""
        return self._content

    @property
    def data(self) -> dict[str, Any]:
        """What the file says, as plain data."""
        return deepcopy(self._base.plain)

    def reread(self) -> bool:
        """Takes what is on disk for what is known; whether that is another."""
        with self._lock:
            content = self._disk.read()
            if content == self._content:
                return False
            self._base, self._content = self._document(content), content
            return True

    def put_back(self, undo: Undo) -> Undo:
        """What `Undo.undo` does."""
        try:
            with self._lock, self._disk.held():
                now = self._disk.read()
                if now != undo.after:
                    raise _changed_outside(self.path, undo.before, now)
                if undo.before is None:
                    self._disk.remove()
                elif now != undo.before:
                    self._disk.write(undo.before)
                self._base, self._content = self._document(undo.before), undo.before
                return Undo(self, now, undo.before)
        except OSError as error:
            raise self._disk.failed(error) from None

    def _do(self, operation: Operation, mine: Operation | None = None) -> Undo:
        """Writes what the operation makes of the file; `mine` makes the text to show if it is refused."""
        try:
            with self._lock, self._disk.held():
                now = self._disk.read()
                current = self._base if now == self._content else self._document(now)
                try:
                    if now is None and self._content is not None:
                        raise TouchedOutside
                    changed = self._valid(operation(current))
                except TouchedOutside:
                    base = (mine or operation)(self._base).content
                    raise _changed_outside(self.path, base, now) from None
                except CannotWrite as error:
                    raise WorkspaceError(f"{self.path} is left as it was: {error}.") from None
                return self._written(now, changed)
        except OSError as error:
            raise self._disk.failed(error) from None

    def _written(self, now: bytes | None, changed: YamlDocument) -> Undo:
        if changed.content != now:
            self._disk.write(changed.content)
        self._base, self._content = changed, changed.content
        return Undo(self, now, changed.content)

    def _untouched(self, location: Place, operation: Operation) -> Operation:
        """The operation, if what is at the place is still the same."""
        known = self._base.at(location)

        def checked(document: YamlDocument) -> YamlDocument:
            if not same(document.at(location), known):
                raise TouchedOutside
            return operation(document)

        return checked

    def _valid(self, changed: YamlDocument) -> YamlDocument:
        try:
            self._understand(changed.lined)
        except YamlError as error:
            raise WorkspaceError(f"{self.path} is left as it was, for this would not do: {error}") from None
        return changed

    def _understand(self, document: YamlWithLines) -> object:
        """Raises YamlError for what such a file must not say."""
        return understood_workspace(document)

    def _first_text(self) -> str:
        """What stands for a file that is not there yet, and is written with the first change."""
        return self.header

    def _document(self, content: bytes | None) -> YamlDocument:
        try:
            return YamlDocument(self._first_text().encode() if content is None else content)
        except YamlError as error:
            raise WorkspaceError(f"{self.path}:{error.line}: {error}") from None


def _changed_outside(path: Path, mine: bytes | None, theirs: bytes | None) -> ChangedOutside:
    gone = "was removed" if theirs is None else "was changed outside, in the same place"
    texts = [(text or b"").decode("utf-8", "replace") for text in (mine, theirs)]
    return ChangedOutside(f"{path} {gone}: nothing was written; choose which of the two is to stay.", *texts)


def on_data(change: Callable[[dict[str, Any]], Any]) -> Operation:
    """A change of the data as one of the document."""

    def changed(document: YamlDocument) -> YamlDocument:
        data = deepcopy(document.plain)
        change(data)
        return document.with_data({key: data[key] for key in (*ORDER, *data) if key in data})

    return changed
