"""When a server that ended is started again, and when no longer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Restarts:
    """The pauses between restarts: each twice the one before."""

    first: float = 0.5
    longest: float = 30.0
    steady: float = 60.0
    """A server that stayed up for so many seconds has all its restarts again."""
    tries: int = 6
    patience: float = 5.0
    """So many seconds a call waits for a server that is being restarted."""


class Pauses:
    """Counts the quick ends of one server."""

    def __init__(self, restarts: Restarts) -> None:
        self._restarts = restarts
        self.quick_ends = 0

    def after(self, seconds_up: float) -> float | None:
        """The pause before the next start; None if it ended too often."""
        if seconds_up >= self._restarts.steady:
            self.quick_ends = 0
        self.quick_ends += 1
        if self.quick_ends > self._restarts.tries:
            return None
        return min(self._restarts.first * 2 ** (self.quick_ends - 1), self._restarts.longest)
