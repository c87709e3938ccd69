"""What happened, in the past tense, and the bus that carries it. Values in events have been redacted, by type."""

import asyncio
import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ptc_studio.core.errors import CallStatus
from ptc_studio.core.redaction import Redacted

RunStatus = Literal["ok", "error", "timeout", "cancelled", "crashed"]
Stream = Literal["stdout", "stderr"]
NoteKind = Literal["waiting", "resumed", "drift", "fault"]
"""It waits for a person; it goes on; it is not as it was recorded; it fails on purpose."""


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A script begins."""

    run_id: str
    runtime: str
    isolation: str = ""
    """What keeps the script apart from the rest of the machine."""
    target: str = "plain"
    """Where the script is going."""


@dataclass(frozen=True, slots=True)
class RunPrepared:
    """The script was compiled and begins; its time is counted from here."""

    run_id: str
    prepare_ms: float


@dataclass(frozen=True, slots=True)
class OutputWritten:
    """The script, or a tool on its behalf, wrote something."""

    run_id: str
    stream: Stream
    text: Redacted


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A call came in."""

    run_id: str
    call_id: str
    parent_id: str | None
    depth: int
    tool: str
    alias: str | None
    source: str | None
    arguments: Redacted
    started_ms: float
    line: int | None
    original: Redacted | None = None
    """What it was called with, where a person changed that."""

    def edited(self, arguments: Redacted) -> "CallStarted":
        """The same call with other arguments; what it was called with at first stays beside them."""
        return replace(self, arguments=arguments, original=self.original or self.arguments)


@dataclass(frozen=True, slots=True)
class CallProgressed:
    """A call that takes long said how far it is."""

    run_id: str
    call_id: str
    done: float
    total: float | None
    """None where nobody knows how much there is to do."""
    message: Redacted


@dataclass(frozen=True, slots=True)
class CallEdited:
    """A person changed the arguments of a call before it was answered."""

    run_id: str
    call_id: str
    arguments: Redacted


@dataclass(frozen=True, slots=True)
class CallNoted:
    """Something about a call that whoever watches should see, such as that it is not as it was when it was recorded."""

    run_id: str
    call_id: str
    kind: NoteKind
    text: Redacted


@dataclass(frozen=True, slots=True)
class CallFailure:
    """Why a call did not give a value."""

    type: str
    message: Redacted
    base: str = ""
    """The nearest built-in type."""


@dataclass(frozen=True, slots=True)
class CallFinished:
    """A call came to its end, whatever end."""

    run_id: str
    call_id: str
    status: CallStatus
    result: Redacted | None
    error: CallFailure | None
    duration_ms: float
    """What the tool took; neither what a person took to decide about the call, nor what it waited for its turn."""
    answered_by: str
    waited_ms: float = 0.0
    """How long the call, or one that it made, waited for a person."""
    queued_ms: float = 0.0
    """How long it waited for its turn, or for the source of its tool to load, where it had to."""

    @property
    def span_ms(self) -> float:
        """From its start to its end."""
        return self.duration_ms + self.waited_ms + self.queued_ms


@dataclass(frozen=True, slots=True)
class ScriptFailure:
    """Why a script did not end well."""

    type: str
    message: Redacted
    traceback: Redacted
    line: int | None


@dataclass(frozen=True, slots=True)
class RunFinished:
    """A script came to its end, whatever end."""

    run_id: str
    status: RunStatus
    return_code: int | None
    error: ScriptFailure | None
    value: Redacted | None
    duration_ms: float
    """Without the time for which it waited for a person."""
    waited_ms: float = 0.0
    model_sees: Redacted | None = None
    """What the target gives back to the model."""
    warnings: tuple[tuple[int | None, Redacted], ...] = ()
    """What fails where the script is going: lines and texts."""


Event = (
    RunStarted
    | RunPrepared
    | OutputWritten
    | CallStarted
    | CallProgressed
    | CallEdited
    | CallNoted
    | CallFinished
    | RunFinished
)


log = logging.getLogger(__name__)

Observer = Callable[[Sequence[Event]], None]
Schedule = Callable[[Callable[[], None]], None]
"""Has a function called a little later on the observers' thread; may be called from any thread."""
BATCH_SECONDS = 0.016
"""How long events gather before they are handed over: a frame of the screen."""


def batches_on(loop: asyncio.AbstractEventLoop) -> Schedule:
    """Hands events over on that loop, all of a short while at once."""

    def schedule(due: Callable[[], None]) -> None:
        # Whoever listened is gone where the loop is closed.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(loop.call_later, BATCH_SECONDS, due)

    return schedule


class Bus:
    """Events go in from any thread and come out on one.

    Waking the loop costs more than a whole call does elsewhere, so it is woken once for all events of a short while.
    """

    def __init__(self, schedule: Schedule | None = None) -> None:
        self._schedule = schedule
        self._events: deque[Event] = deque()
        self._observers: list[Observer] = []
        self._due = threading.Lock()

    def publish(self, event: Event) -> None:
        """Takes an event from any thread."""
        self._events.append(event)
        if self._schedule is not None and self._due.acquire(blocking=False):
            self._schedule(self.flush)

    def subscribe(self, observer: Observer) -> Callable[[], None]:
        """Has the observer called with each batch; the answer ends that."""
        self._observers.append(observer)
        return lambda: self._remove(observer)

    def flush(self) -> None:
        """Hands over everything that has been published, now; on the observers' thread only."""
        # A wake-up may have got lost, as when its thread was stopped just then; the next event asks for a new one.
        with contextlib.suppress(RuntimeError):
            self._due.release()
        batch = [self._events.popleft() for _ in range(len(self._events))]
        if batch:
            for observer in tuple(self._observers):
                self._hand(observer, batch)

    def _hand(self, observer: Observer, batch: Sequence[Event]) -> None:
        try:
            observer(batch)
        except Exception:
            # One broken view must not end the run for the others.
            log.exception("The observer %r failed and is removed", observer)
            self._remove(observer)

    def _remove(self, observer: Observer) -> None:
        if observer in self._observers:
            self._observers.remove(observer)
