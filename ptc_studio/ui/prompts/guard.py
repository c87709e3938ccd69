"""Keeps a click or a key that was meant for one question from answering the next."""

import time
from collections.abc import Callable

GUARD_SECONDS = 0.4
"""So long nothing answers a question that took the place of another by itself."""


class Guard:
    """What it guards does nothing for a moment after the question changed."""

    def __init__(self) -> None:
        self._until = 0.0

    @property
    def holds(self) -> bool:
        return time.monotonic() < self._until

    def hold(self) -> None:
        """The question is another one from now on."""
        self._until = time.monotonic() + GUARD_SECONDS

    def release(self) -> None:
        """The user asked for the question himself."""
        self._until = 0.0

    def guarded(self, act: Callable[[], object]) -> Callable[[], None]:
        """Does it, unless the question has only just changed."""

        def do() -> None:
            if not self.holds:
                act()

        return do
