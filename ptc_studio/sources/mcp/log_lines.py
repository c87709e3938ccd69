"""The last lines that a server wrote, without the secrets that it was given."""

import threading
from collections import deque
from collections.abc import Iterable

KEPT = 200
LINE_LIMIT = 1000
HIDDEN = "•••"


class LogLines:
    """A bounded log; every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: deque[str] = deque(maxlen=KEPT)
        self._secrets: tuple[str, ...] = ()

    def hide(self, secrets: Iterable[str]) -> None:
        """Has these values hidden from now on, the longest first."""
        self._secrets = tuple(sorted({*self._secrets, *filter(None, secrets)}, key=len, reverse=True))

    def add(self, line: str) -> None:
        """Appends a line, cut and cleaned."""
        line = self.hidden(line.rstrip())[:LINE_LIMIT]
        if line:
            with self._lock:
                self._lines.append(line)

    def hidden(self, text: str) -> str:
        """The text without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text

    @property
    def lines(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._lines)

    @property
    def last(self) -> str:
        """The last line; empty if there is none."""
        with self._lock:
            return self._lines[-1] if self._lines else ""
