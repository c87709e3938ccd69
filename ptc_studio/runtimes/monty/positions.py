"""Lines of the script, from the byte offsets by which Monty tells where it is."""

import bisect

from pydantic_monty import SourceRange

SOURCE = "<python-input-0>"
"""What Monty calls the one text that a session is fed."""


class Positions:
    """Knows where the lines of a script begin."""

    def __init__(self, code: str) -> None:
        data = code.encode("utf-8", "surrogatepass")
        self._starts = [0]
        while (newline := data.find(b"\n", self._starts[-1])) >= 0:
            self._starts.append(newline + 1)

    def line(self, position: SourceRange) -> int | None:
        """The line where the expression begins; None for what `eval` was given."""
        return bisect.bisect_right(self._starts, position.start) if position.filename == SOURCE else None
