"""What the tool panel shows of a source: what it is and how it is; knows no Qt."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from ptc_studio.core.tools import Permission

BADGES = {
    "mcp": "MCP",
    "openapi": "OpenAPI",
    "http": "HTTP",
    "command": "command",
    "script": "script",
    "wasm": "WASM",
    "toolregistry": "ToolRegistry",
    "builtin": "built-in",
}
WORDS = {"ready": "ready", "failed": "failed", "restarting": "restarting", "closed": "closed"}
MARKS = {"ready": "✓", "failed": "✕", "restarting": "▲", "closed": "▲"}
TONES = {"ready": "ok", "failed": "error", "restarting": "warning", "closed": "muted"}
"""Names of colours."""
LEAD = 60
"""A sentence that names its source does so within so many characters."""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source as it is shown."""

    name: str
    kind: str = "functions"
    state: str = "ready"
    detail: str = ""
    """Why it failed, or what is going on, in a sentence."""
    file: str = ""
    line: int | None = None
    """Where it stands in the workspace file; None if it does not."""
    permission: Permission | None = None
    """What it says for its tools."""
    seat: Any = field(default=None, compare=False, repr=False)
    """What is handed to whoever edits, reloads or removes it."""

    @property
    def waits(self) -> bool:
        """Whether it is still to be seen what it brings."""
        return self.state in ("new", "loading")

    @property
    def mark(self) -> str:
        return MARKS.get(self.state, "◐")

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "accent")

    @property
    def word(self) -> str:
        return WORDS.get(self.state, "loading")

    @property
    def badge(self) -> str:
        """A short word for its kind; none for a folder of functions."""
        return BADGES.get(self.kind, "")

    @property
    def is_written(self) -> bool:
        """Whether it stands in the workspace file, and can be edited there."""
        return self.line is not None

    @property
    def brief(self) -> str:
        """What there is to say in the row itself, without the name, which stands before it."""
        if self.state == "ready":
            return ""
        if self.state == "restarting":
            return self.detail.rpartition(". ")[2] or "restarting"
        named = self.detail.find(repr(self.name), 0, LEAD)
        rest = self.detail[named + len(repr(self.name)) :] if named >= 0 else self.detail
        return rest.lstrip(" :,") or self.word

    @property
    def place(self) -> str:
        """`studio.yaml, line 7`; empty if it stands in no file."""
        return f"{PurePath(self.file).name}, line {self.line}" if self.line is not None else ""


def source_rows(seats: Iterable[Any]) -> tuple[SourceRow, ...]:
    """The sources as they are at this moment."""
    return tuple(_row(seat) for seat in seats)


def _row(seat: Any) -> SourceRow:
    status = seat.status
    entry, place = seat.entry, seat.place
    return SourceRow(seat.name, entry.kind, status.state, status.detail, place.file, place.line, entry.permission, seat)
