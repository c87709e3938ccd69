"""Output on its way to the screen, and what is on it already; bounded, knows no Qt."""

from collections import deque
from collections.abc import Iterable, Iterator

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
