"""One execution of one script: its limits, its clock, the calls under way and how it is stopped."""

import itertools
import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from ptc_studio.core.grants import EVERYTHING, Grant
from ptc_studio.core.limits import Limits

if TYPE_CHECKING:
    from ptc_studio.core.calls import Call

log = logging.getLogger(__name__)

StopReason = Literal["timeout", "cancelled"]


class Run:
    """What all calls of one execution share. Thread-safe."""

    def __init__(self, run_id: str, *, grant: Grant = EVERYTHING, limits: Limits | None = None) -> None:
        self.run_id = run_id
        self.grant = grant
        self.limits = limits or Limits()
        self.started = time.monotonic()
        self.deadline = self.started + self.limits.timeout
        self.stop_reason: StopReason | None = None
        self.allowed_for_run: set[str] = set()
        """Names that a person allowed for the whole run."""
        self._numbers = itertools.count(1)
        self._active: dict[str, Call] = {}
        self._stops: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def pause_clock(self) -> None:
        """While the script is made ready, which has a bound of its own, its time does not run."""
        self.deadline = float("inf")

    def restart_clock(self) -> None:
        """The script begins now."""
        self.started = time.monotonic()
        self.deadline = self.started + self.limits.timeout

    def next_call_id(self) -> str:
        return f"c{next(self._numbers)}"

    def elapsed_ms(self) -> float:
        return round((time.monotonic() - self.started) * 1000, 3)

    def enter(self, call: "Call") -> None:
        """Counts the call as under way."""
        self._active[call.call_id] = call

    def leave(self, call: "Call") -> None:
        """The call has been answered and reported."""
        self._active.pop(call.call_id, None)

    @property
    def active(self) -> tuple["Call", ...]:
        return tuple(self._active.values())

    def on_stop(self, stop: Callable[[], None]) -> None:
        """Has `stop` called when the run is stopped; at once if it already is."""
        with self._lock:
            if self.stop_reason is None:
                self._stops.append(stop)
                return
        stop()

    def stop(self, reason: StopReason) -> None:
        """Ends the run from outside: first whatever executes it, then its calls. Only the first reason counts."""
        with self._lock:
            if self.stop_reason is not None:
                return
            self.stop_reason = reason
            stops, self._stops = self._stops, []
        for stop in stops:
            try:
                stop()
            except Exception:
                log.exception("Stopping the run %s failed in part", self.run_id)
        self.end_calls()

    def end_calls(self) -> None:
        """Gives up on every call that is still under way, once nobody can receive its answer."""
        for call in self.active:
            if self.stop_reason == "timeout":
                call.expire()
            else:
                call.cancel()

    def expire(self) -> None:
        """The time is up (see `Deadlines`)."""
        self.stop("timeout")
