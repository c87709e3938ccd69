"""What time it is in a run, by the run's own milliseconds. Knows no Qt."""

import time
from collections.abc import Callable


class RunClock:
    """Learns from what comes in where the run's zero lies; stands still once the run has ended."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._zero = now() * 1000
        self._latest = 0.0
        self._running = True

    @property
    def running(self) -> bool:
        return self._running

    def saw(self, run_ms: float) -> None:
        """Something of that time came in just now, so the run began at least so long ago."""
        self._latest = max(self._latest, run_ms)
        self._zero = min(self._zero, self._now() * 1000 - run_ms)

    def stop(self) -> None:
        """The run has ended."""
        self._latest = self.elapsed()
        self._running = False

    def elapsed(self) -> float:
        """Milliseconds since the run began, or all it took."""
        return max(self._latest, self._now() * 1000 - self._zero) if self._running else self._latest
