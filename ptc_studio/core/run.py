"""One execution of one script: its limits, clock, calls under way, how it is stopped, and the watch over deadlines."""

import itertools
import logging
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Protocol, Self

from ptc_studio.core.registry import EVERYTHING, Grant, Registry, Target
from ptc_studio.core.workers import Workers

if TYPE_CHECKING:
    from ptc_studio.core.calls import Call
    from ptc_studio.core.events import Event


log = logging.getLogger(__name__)

RETRY_SECONDS = 0.1
IDLE_SECONDS = 5.0
"""How long the thread that watches deadlines waits for one before it ends."""


class Expiring(Protocol):
    """Something with an end in time, on the clock of `time.monotonic`."""

    @property
    def deadline(self) -> float: ...
    def expire(self) -> None: ...


class Holdable(Protocol):
    """Something whose end in time can be moved."""

    deadline: float
    waited: float
    """Seconds for which a person held it."""


class Deadlines:
    """Watches calls and runs and expires those whose time is up.

    Adding and removing happen twice per call, so both are one dictionary operation; the thread is woken only
    for a deadline earlier than all it knows of. Few things are under way at once, so it looks at all of them. The
    thread ends when there was nothing to watch for a while.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._watched: dict[int, Expiring] = {}
        self._held: dict[int, tuple[int, float, float | None]] = {}
        """How many hold an item, the seconds that it has left, and since when, where that is a person's time."""
        self._condition = threading.Condition()
        self._next = float("inf")
        self._thread: threading.Thread | None = None

    @property
    def watched(self) -> int:
        """How many calls and runs have an end in time just now."""
        return len(self._watched)

    def watch(self, item: Expiring) -> Callable[[], None]:
        """Expires the item, in a worker thread, when its time is up; the answer takes it off the watch."""
        key = id(item)
        self._watched[key] = item
        if item.deadline < self._next:
            self._wake(item.deadline)

        def unwatch() -> None:
            self._watched.pop(key, None)

        return unwatch

    @contextmanager
    def held(self, items: "Sequence[Holdable]", *, by_person: bool = False) -> Generator[None]:
        """While this lasts, the items' time stands still; may be nested, and overlap in several threads."""
        for item in items:
            self._hold(item, by_person)
        try:
            yield
        finally:
            for item in items:
                self._release(item)

    def waited_ms(self, item: "Holdable") -> float:
        """How long the item has been held by a person, all together."""
        held = self._held.get(id(item))
        if held is None and not item.waited:
            return 0.0
        since = held[2] if held else None
        return round(1000 * (item.waited + (time.monotonic() - since if since is not None else 0.0)), 3)

    def _hold(self, item: "Holdable", by_person: bool) -> None:
        with self._condition:
            holders, left, since = self._held.get(id(item), (0, 0.0, None))
            now = time.monotonic()
            if holders == 0:
                left = item.deadline - now
                item.deadline = float("inf")
            if by_person and since is None:
                since = now
            self._held[id(item)] = (holders + 1, left, since)

    def _release(self, item: "Holdable") -> None:
        with self._condition:
            holders, left, since = self._held.pop(id(item))
            if holders > 1:
                self._held[id(item)] = (holders - 1, left, since)
                return
            now = time.monotonic()
            item.deadline = now + left
            item.waited += now - since if since is not None else 0.0
        if id(item) in self._watched and item.deadline < self._next:
            self._wake(item.deadline)

    def _wake(self, deadline: float) -> None:
        with self._condition:
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="ptc-deadlines", daemon=True)
                self._thread.start()
            self._next = min(self._next, deadline)
            self._condition.notify()

    def _watch(self) -> None:
        while self._await_next():
            self._expire_due()
            with self._condition:
                # An item added from here on sees the infinite `_next` and wakes this thread if it is not counted below.
                # `_next` stays when its item is done early: waking once in vain is cheaper than being told of each.
                self._next = float("inf")
                earliest = min((item.deadline for item in tuple(self._watched.values())), default=self._next)
                self._next = min(self._next, earliest)

    def _await_next(self) -> bool:
        """Waits until an item may be due; False if there was none for long, and the thread is to end."""
        with self._condition:
            while (pause := self._next - time.monotonic()) > 0:
                if self._condition.wait(min(pause, IDLE_SECONDS)) or self._watched:
                    continue
                # Whoever adds an item from here on sees the infinite `_next`, and wakes this thread or starts another.
                self._next = float("inf")
                if not self._watched:
                    self._thread = None
                    return False
                break
        return True

    def _expire_due(self) -> None:
        now = time.monotonic()
        for key, item in tuple(self._watched.items()):
            if item.deadline <= now and self._watched.pop(key, None) is not None:
                try:
                    self._workers.submit(item.expire)
                except RuntimeError:
                    # No more threads to be had: it is tried again, and this thread must not end.
                    log.exception("What is out of time cannot be ended yet")
                    self._watched[key] = item
                    time.sleep(RETRY_SECONDS)


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
    kept_bytes: int = 64 * MEGABYTE
    """Of all arguments and results of a run, as they are kept; of what comes after that only the beginning is."""
    output_bytes: int = 10 * MEGABYTE
    """Of each of stdout and stderr; what comes after is counted, not kept."""
    ask_timeout: float = 120.0
    """Seconds that a call waits for a person's permission before it is denied."""
    concurrent_calls: int = 256
    """Calls of one script under way at once; further ones wait."""


BEGINNING_BYTES = 2_000
"""What is kept of a value once a run has kept enough."""
StopReason = Literal["timeout", "cancelled"]


class Run:
    """What all calls of one execution share. Thread-safe."""

    def __init__(self, run_id: str, *, grant: Grant = EVERYTHING, limits: Limits | None = None) -> None:
        self.run_id = run_id
        self.grant = grant
        self.limits = limits or Limits()
        self.started = time.monotonic()
        self.deadline = self.started + self.limits.timeout
        self.waited = 0.0
        self.stop_reason: StopReason | None = None
        self.allowed_for_run: set[str] = set()
        """Names that a person allowed for the whole run."""
        self.targets: Mapping[str, Target] = {}
        """What names lead to in this run alone, where the registry does not know them."""
        self.registry: Registry | None = None
        """The tools of this run alone, in the place of all others: an example has those that it is written for."""
        self.witness: Callable[[Event], None] | None = None
        """Told of each call, in whatever thread, before anybody is answered."""
        self._numbers = itertools.count(1)
        self._active: dict[str, Call] = {}
        self.parts: set[RunPart] = set()
        """Those under way."""
        self._stops: list[Callable[[], None]] = []
        self._kept_bytes = 0
        self._lock = threading.Lock()

    def keep(self, size: int) -> int:
        """How many bytes are kept of a value whose JSON has that size; what is kept counts."""
        with self._lock:
            fits = self._kept_bytes + min(size, self.limits.result_bytes) <= self.limits.kept_bytes
            limit = self.limits.result_bytes if fits else min(BEGINNING_BYTES, self.limits.result_bytes)
            self._kept_bytes += min(size, limit)
        return limit

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
        self.targets, self.registry, self.witness = whole.targets, whole.registry, whole.witness
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

    def keep(self, size: int) -> int:
        return self.whole.keep(size)

    def next_call_id(self) -> str:
        return self.whole.next_call_id()

    def enter(self, call: "Call") -> None:
        super().enter(call)
        self.whole.enter(call)

    def leave(self, call: "Call") -> None:
        super().leave(call)
        self.whole.leave(call)
