"""Lets one thread have the interpreter: for a moment to itself, and often enough."""

import math
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

LONGEST = 0.05
"""Seconds that anybody waits: whoever asks too much is not waited for."""
PATIENCE, PAUSE = 0.005, 0.0002
"""Seconds without a turn after which others pause, and for how long: so that a thread on another core can wake up."""


class UiPriority:
    """Asked for by a thread that has little to do in many small steps, such as painting.

    Each step of it gives the interpreter away and has to wait to get it back, while others do calls: a paint of ten
    milliseconds then takes two hundred. So those who do calls hold back between two of them while somebody asks.

    Before it can ask, that thread needs the interpreter once. Whoever does calls lets go of it now and then, but has it
    again before a thread that sleeps has woken up, for dozens of milliseconds at bad times. So they also pause if its
    last turn is long ago.
    """

    def __init__(self) -> None:
        self._free = threading.Event()
        self._free.set()
        self._turn_due = math.inf

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

    def had_turn(self) -> None:
        """Told by the loop's thread after each of its turns, for as long as it wants more of them."""
        self._turn_due = time.perf_counter() + PATIENCE

    def needs_no_turns(self) -> None:
        """Told by the loop's thread at the end of that."""
        self._turn_due = math.inf

    def give_way(self) -> None:
        """Pauses if the loop's thread has had no turn for long, and waits while it asks to be alone."""
        if time.perf_counter() >= self._turn_due:
            self.had_turn()
            time.sleep(PAUSE)
        if not self._free.is_set():
            self._free.wait(LONGEST)
