"""One execution of one script: its limits, its clock, the calls under way and how it is stopped."""

import itertools
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from ptc_studio.core.grants import EVERYTHING, Grant
from ptc_studio.core.registry import Registry, Target

if TYPE_CHECKING:
    from ptc_studio.core.calls import Call


MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one run; every number has a sensible default."""

    timeout: float = 300.0
    """Seconds for the whole run."""
    max_depth: int = 5
    """How deep calls may nest; a script's own calls are at depth 1."""
    call_timeout: float = 60.0
    """Seconds for a call whose request, alias and tool say nothing."""
    call_timeout_cap: float = 300.0
    """No call gets longer than this, whoever asks."""
    result_bytes: int = 10 * MEGABYTE
    """A longer result reaches the script whole and is cut for display."""
    output_bytes: int = 10 * MEGABYTE
    """Of each of stdout and stderr; what comes after is counted, not kept."""
    ask_timeout: float = 120.0
    """Seconds that a call waits for a person's permission before it is denied."""
    concurrent_calls: int = 256
    """Calls of one script under way at once; further ones wait."""


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
        self.targets: Mapping[str, Target] = {}
        """What names lead to in this run alone, where the registry does not know them."""
        self.registry: Registry | None = None
        """The tools of this run alone, in the place of all others: an example has those that it is written for."""
        self._numbers = itertools.count(1)
        self._active: dict[str, Call] = {}
        self.parts: set[RunPart] = set()
        """Those under way."""
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
    def wholes(self) -> "list[Run]":
        """The run, and what it is a part of."""
        return [self]

    @property
    def active(self) -> tuple["Call", ...]:
        return tuple(self._active.values())

    @property
    def busy(self) -> bool:
        """Whether anything of it is under way: a call, or what is executed on behalf of one that was given up."""
        return bool(self._active or self.parts)

    def on_stop(self, stop: Callable[[], None]) -> None:
        """Has `stop` called when the run is stopped; at once if it already is."""
        with self._lock:
            if self.stop_reason is None:
                self._stops.append(stop)
                return
        stop()

    def stop(self, reason: StopReason) -> None:
        """Ends the run from outside: first whatever executes it, then its parts, then its calls. Only the first
        reason counts."""
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
        self._stop_parts(reason)
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

    def _stop_parts(self, reason: StopReason) -> None:
        """All at once, for each may take a moment; those of the parts are theirs to stop."""
        parts = [part for part in tuple(self.parts) if part.whole is self]
        # Of their own: a run has no workers, and its end must not wait for one to become free.
        threads = [threading.Thread(target=part.stop, args=(reason,), name="ptc-stop", daemon=True) for part in parts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


class RunPart(Run):
    """What is executed on behalf of one call, such as a script that is a tool: of the same run, clock and numbers,
    but with a stop of its own, which ends nothing else. It is stopped with the whole; `with` bounds its time."""

    def __init__(self, whole: Run, deadline: float) -> None:
        super().__init__(whole.run_id, grant=whole.grant, limits=whole.limits)
        self.started = whole.started
        self.deadline = min(whole.deadline, deadline)
        self.allowed_for_run = whole.allowed_for_run
        self.targets, self.registry = whole.targets, whole.registry
        self.whole = whole
        # Shared, so that the whole run is busy as long as a part of a part is.
        self.parts = whole.parts

    def __enter__(self) -> Self:
        self.parts.add(self)
        if self.whole.stop_reason is not None:
            self.stop(self.whole.stop_reason)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # Nobody is left who could receive an answer.
        self.end_calls()
        self.parts.discard(self)

    @property
    def wholes(self) -> list[Run]:
        return [self, *self.whole.wholes]

    def next_call_id(self) -> str:
        return self.whole.next_call_id()

    def enter(self, call: "Call") -> None:
        super().enter(call)
        self.whole.enter(call)

    def leave(self, call: "Call") -> None:
        super().leave(call)
        self.whole.leave(call)
