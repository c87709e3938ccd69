"""The calls of one script that come to their turn one after the other."""

import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptc_studio.core.calls import Call
    from ptc_studio.core.executor import Executor

MOST_WAITING = 2_000
"""Calls that wait for their turn; a script that makes more waits itself."""
HELD_BYTES = 32 << 20
"""Of calls under way; a script that sends more waits, too. As values their arguments take several times that."""
ROOM_SECONDS = 0.1
"""How often it is looked whether a script still waits for room."""


class CallQueue:
    """Performs calls in threads, no more at once than a run may have: thousands of threads leave the window no turn."""

    def __init__(self, executor: "Executor", at_once: int) -> None:
        self._executor = executor
        self._free = at_once
        self._waiting: deque[tuple[Call, int]] = deque()
        """The calls, each with the bytes that it holds."""
        self._held = 0
        self._changed = threading.Condition(threading.Lock())

    @property
    def is_full(self) -> bool:
        """Whether the script is to wait before it makes another call."""
        return len(self._waiting) >= MOST_WAITING or self._held > HELD_BYTES

    def add(self, call: "Call", size: int = 0) -> None:
        """Has the call performed when its turn comes."""
        with self._changed:
            self._waiting.append((call, size))
            self._held += size
            call.queued = self._free <= 0
        self._perform_next()

    def await_room(self, given_up: Callable[[], bool]) -> None:
        """Waits while the queue is full; the calls in it do not wait for that, and come to their turn."""
        with self._changed:
            while self.is_full and not given_up():
                self._changed.wait(ROOM_SECONDS)

    def _perform_next(self) -> None:
        with self._changed:
            if not self._waiting or self._free <= 0:
                return
            self._free -= 1
            call, size = self._waiting.popleft()
            if len(self._waiting) == MOST_WAITING - 1:
                self._changed.notify_all()

        def perform() -> None:
            self._executor.perform(call)
            with self._changed:
                self._free += 1
                if self._held > HELD_BYTES:
                    self._changed.notify_all()
                self._held -= size
            self._perform_next()

        self._executor.workers.submit(perform)
