"""Keeps what is being edited, saved or not, so that nothing typed is lost when the program is killed."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from ptc_studio.bounded_files import read_bytes
from ptc_studio.storage.text_files import replace_file, set_aside

ORDER = "order.json"


@dataclass(frozen=True, slots=True)
class Buffer:
    """One text as it stood in its tab."""

    id: str
    title: str
    language: str
    path: str | None = None
    text: str | None = None
    """None if the file at `path` has it all."""
    cursor: int = 0
    """Its place in the document."""
    modified: int | None = None
    """The time stamp of the file when its text was read."""


@dataclass(frozen=True, slots=True)
class OpenBuffers:
    """All tabs, from left to right."""

    buffers: tuple[Buffer, ...] = ()
    current: str | None = None
    closed: tuple[Buffer, ...] = ()
    """Those that were closed, the last one last: what was typed in them can still be had."""
    faults: tuple[str, ...] = ()
    """What could not be read, and where it is now; for the user."""


_FIELDS = frozenset(field.name for field in fields(Buffer))


class BufferStore:
    """A folder with one file a buffer and one for their order; errors come back as text, nothing raises."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, buffer: Buffer) -> str | None:
        """Writes the buffer; the answer is what went wrong, if anything did."""
        return self._write(f"{buffer.id}.json", asdict(buffer))

    def save_order(self, ids: list[str], current: str | None, closed: Sequence[str] = ()) -> str | None:
        """Writes which buffers are open, in which order, and which were closed."""
        return self._write(ORDER, {"ids": ids, "current": current, "closed": list(closed)})

    def remove(self, buffer_id: str) -> str | None:
        """Forgets a buffer."""
        try:
            (self._folder / f"{buffer_id}.json").unlink(missing_ok=True)
        except OSError as error:
            return f"the copy of a closed tab cannot be removed: {error}"
        return None

    def load(self) -> OpenBuffers:
        """Everything that can still be read; those that the order does not know come last."""
        order = _read(self._folder / ORDER) or {}
        read = {path: _buffer(path) for path in self._files()}
        found = {buffer.id: buffer for buffer in read.values() if buffer is not None}
        faults = tuple(_set_aside(path) for path, buffer in read.items() if buffer is None)
        known, closed = (
            [found.pop(each) for each in order.get(name, ()) if isinstance(each, str) and each in found]
            for name in ("ids", "closed")
        )
        return OpenBuffers((*known, *found.values()), order.get("current"), tuple(closed), faults)

    def _files(self) -> list[Path]:
        try:
            every = self._folder.glob("*.json")
            return sorted(each for each in every if each.name != ORDER and ".broken" not in each.name)
        except OSError:
            return []

    def _write(self, name: str, content: dict[str, Any]) -> str | None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(self._folder / name, json.dumps(content).encode())
        except OSError as error:
            return f"unsaved text cannot be kept in {self._folder}: {error.strerror or error}"
        return None


def _read(path: Path) -> dict[str, Any] | None:
    try:
        content = json.loads(read_bytes(path))
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


def _buffer(path: Path) -> Buffer | None:
    try:
        # What a newer studio keeps beside is not known here.
        buffer = Buffer(**{name: value for name, value in (_read(path) or {}).items() if name in _FIELDS})
    except TypeError:
        return None
    return buffer if buffer.id == path.stem and isinstance(buffer.title, str) else None


def _set_aside(path: Path) -> str:
    try:
        return f"The kept text of a tab, {path}, is damaged, and is set aside as {set_aside(path).name}."
    except OSError as error:
        return f"The kept text of a tab, {path}, is damaged and cannot be set aside: {error.strerror or error}."
