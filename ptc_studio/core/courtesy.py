"""Lets one thread have the interpreter to itself for a moment."""

import threading
from collections.abc import Generator
from contextlib import contextmanager

LONGEST = 0.05
"""Seconds that anybody waits: whoever asks too much is not waited for."""


class Courtesy:
    """Asked for by a thread that has little to do in many small steps, such as painting.

    Each step of it gives the interpreter away and has to wait to get it back, while others do calls: a paint of ten
    milliseconds then takes two hundred. So those who do calls hold back between two of them while somebody asks.
    """

    def __init__(self) -> None:
        self._free = threading.Event()
        self._free.set()

    @contextmanager
    def asked(self) -> Generator[None]:
        """Until its end, others hold back; for one thread, the loop's."""
        nested = not self._free.is_set()
        self._free.clear()
        try:
            yield
        finally:
            if not nested:
                self._free.set()

    def give_way(self) -> None:
        """Waits while somebody asks for it."""
        if not self._free.is_set():
            self._free.wait(LONGEST)
