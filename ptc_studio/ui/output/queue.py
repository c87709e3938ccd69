"""Output on its way to the screen, and what is on it already; bounded, knows no Qt."""

import json
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from ptc_studio.core.trace import RunErrorRecord, RunRecord
from ptc_studio.ui.tokens import MARKS

Piece = tuple[str, str]
"""A kind (`stdout`, `stderr`, `value`...) and a text."""

MOST_LINES = 200_000
MOST_CHARACTERS = 10_000_000
LONGEST_PIECE = 65_536
"""What is longer is cut when it comes, so that taking from it stays cheap."""


class _Store:
    """Pieces in their order, with their size kept count of."""

    def __init__(self) -> None:
        self.pieces: deque[Piece] = deque()
        self.lines = 0
        self.characters = 0

    def add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self.lines += piece[1].count("\n")
        self.characters += len(piece[1])

    def take(self) -> Piece:
        piece = self.pieces.popleft()
        self.lines -= piece[1].count("\n")
        self.characters -= len(piece[1])
        return piece

    def trim(self) -> int:
        """Forgets the oldest pieces while there is too much; gives the number of lines that went."""
        before = self.lines
        while len(self.pieces) > 1 and (self.lines > MOST_LINES or self.characters > MOST_CHARACTERS):
            self.take()
        return before - self.lines


class OutputQueue:
    """First in, first out; of a flood, only the end is kept. What was taken can be had again, for a new theme."""

    def __init__(self) -> None:
        self.dropped = 0
        """Lines that are kept no longer, whether they were ever shown or not."""
        self._waiting = _Store()
        self._shown = _Store()
        self._ending: Iterator[Piece] | None = None

    def __bool__(self) -> bool:
        return bool(self._waiting.pieces) or self._ending is not None

    def put(self, kind: str, text: str) -> None:
        """Adds to the end."""
        for start in range(0, len(text), LONGEST_PIECE):
            self._waiting.add((kind, text[start : start + LONGEST_PIECE]))
        if self._waiting.lines > MOST_LINES or self._waiting.characters > MOST_CHARACTERS:
            self.dropped += self._waiting.trim()

    def put_ending(self, pieces: Iterable[Piece]) -> None:
        """What comes after all that is waiting; it is made as it is taken."""
        self._ending = iter(pieces)

    def take(self, most: int) -> Piece | None:
        """The next text, of one kind, not much longer than `most`."""
        if not self._waiting.pieces:
            return self._next_of_ending()
        kind, text = self._waiting.take()
        if len(text) > most:
            self._put_back((kind, text[most:]))
            text = text[:most]
        parts, size = [text], len(text)
        while self._waiting.pieces and size < most and self._waiting.pieces[0][0] == kind:
            part = self._waiting.take()[1]
            parts.append(part)
            size += len(part)
        return self._remember((kind, "".join(parts)))

    def rewind(self) -> None:
        """Puts what was taken before what is waiting."""
        for piece in reversed(self._shown.pieces):
            self._put_back(piece)
        self._shown = _Store()

    def _next_of_ending(self) -> Piece | None:
        piece = next(self._ending, None) if self._ending is not None else None
        if piece is None:
            self._ending = None
            return None
        return self._remember(piece)

    def _remember(self, piece: Piece) -> Piece:
        self._shown.add(piece)
        self.dropped += self._shown.trim()
        return piece

    def _put_back(self, piece: Piece) -> None:
        self._waiting.pieces.appendleft(piece)
        self._waiting.lines += piece[1].count("\n")
        self._waiting.characters += len(piece[1])


_SAID = {
    "ok": "Finished",
    "error": "Failed",
    "timeout": "Stopped: the time limit is up",
    "cancelled": "Cancelled",
    "crashed": "Crashed",
}
_PIECE = 4096


def result_pieces(record: RunRecord) -> Iterator[Piece]:
    """The status, then the value and the error in full, each from a new line on.

    A generator: a large value is written as it is shown.
    """
    status = record.get("status") or "error"
    yield ("ok" if status == "ok" else "failed"), _summary(status, record)
    if record.get("value") is not None:
        yield "heading", "Value"
        yield from (("value", text) for text in _value(record["value"]))
    error = record.get("error")
    if error:
        yield "heading", "Error"
        yield "error", _error(error)


def _summary(status: str, record: RunRecord) -> str:
    parts = [f"{MARKS.get(status, '✕')} {_SAID.get(status, status)}"]
    duration = record.get("duration_ms")
    if duration is not None:
        parts.append(f"{duration / 1000:.2f} s")
    calls = len(record.get("calls") or ())
    if calls:
        parts.append(f"{calls} call{'' if calls == 1 else 's'}")
    if record.get("return_code"):
        parts.append(f"exit status {record['return_code']}")
    return " · ".join(parts)


def _error(error: RunErrorRecord) -> str:
    said = f"{error.get('type') or 'Error'}: {error.get('message') or ''}".rstrip(": \n")
    traceback = (error.get("traceback") or "").rstrip("\n")
    if not traceback:
        return f"{said} (line {error['line']})" if error.get("line") else said
    # A traceback mostly ends with the message already.
    return traceback if traceback.endswith(said) else f"{traceback}\n{said}"


def _value(value: Any) -> Iterator[str]:
    """The value as JSON with line breaks, in pieces; a text as it is."""
    if isinstance(value, str):
        yield value
        return
    parts: list[str] = []
    size = 0
    for part in json.JSONEncoder(indent=2, ensure_ascii=False, default=str).iterencode(value):
        parts.append(part)
        size += len(part)
        if size >= _PIECE:
            yield "".join(parts)
            parts, size = [], 0
    yield "".join(parts)
