"""One use of a tool: what came in, what came of it, who may still answer it; and how a script's come to their turn."""

import logging
import secrets
import threading
import time
import weakref
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ptc_studio.core.codec import Place
from ptc_studio.core.errors import CallCancelled, CallStatus, CallTimedOut, Refusal
from ptc_studio.core.permissions import Decision, request_input
from ptc_studio.core.redaction import Redaction, Redactor
from ptc_studio.core.registry import Target
from ptc_studio.core.run import Run, RunPart, StopReason
from ptc_studio.core.tools import InputRequest, Ticket

if TYPE_CHECKING:
    from ptc_studio.core.executor import Executor


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CallRequest:
    """A call as it comes in, from a script, a tool or a person."""

    run: Run
    name: str
    args: Sequence[Any] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    parent: "Call | None" = None
    timeout: float | None = None
    line: int | None = None
    known: "Outcome | None" = None
    """The answer, where it is known ahead: such a call uses no tool, and is neither checked nor reported."""
    target: Target | None = None
    """What is called, where that is not what the name leads to: an alias that is tried before it is kept."""
    hidden: tuple[Redaction, ...] = ()
    """What had been hidden in the arguments before they came here, as from a recording."""
    bound_by_grant: bool = False
    """Whether the run's grant counts though a tool makes the call: the tool executes what the script gave it."""
    claimed_depth: int = 0
    """Levels that a caller elsewhere says it is below, beyond what is counted here: it can only make a call deeper."""
    redacted: bool = False
    """Whether the caller gets what everybody else gets to see, as with `redaction.to_script`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call: a value, or the exception instead of one."""

    status: CallStatus
    value: Any = None
    """The tool's very object, for a script that runs in this process."""
    encoded: bytes = b"null"
    """The same as JSON, for all others."""
    bytes_at: Sequence[Place] = ()
    """Where texts in it stand for bytes."""
    copied: Any = None
    """The value in its JSON form, where that was made before the answer; else it is made of `encoded`."""
    exception: BaseException | None = None
    answered_by: str = "tool"
    sanitized: bool = False
    """Whether something in it was hidden from the caller."""

    def unwrap(self) -> Any:
        """The value; raises the exception if there is one."""
        if self.exception is not None:
            raise self.exception
        return self.value


Deliver = Callable[[Outcome], None]


class Call:
    """A call under way. It is also the tool's `Ticket`. Whoever settles it first gives the answer; the rest is late."""

    __slots__ = (
        "__weakref__",
        "_abandon",
        "_abandoned",
        "_executor",
        "_latch",
        "announced",
        "announcing",
        "answered_by",
        "arguments",
        "call_id",
        "deadline",
        "deliver",
        "depth",
        "edited",
        "hidden",
        "queued",
        "redactor",
        "request",
        "run",
        "started",
        "target",
        "timeout",
        "turn_came",
        "unwatch",
        "waited",
    )

    def __init__(self, executor: "Executor", request: CallRequest, deliver: Deliver) -> None:
        self._executor = executor
        self._latch = threading.Lock()
        self._abandon: list[Callable[[], None]] = []
        self._abandoned = False
        self.announcing = threading.Lock()
        self.announced = False
        self.request = request
        self.run = request.run
        self.call_id = request.run.next_call_id()
        # Counted here from the calling call: nothing that a client sends can make it less, and nothing can leak.
        self.depth = (request.parent.depth + 1 if request.parent else 1) + request.claimed_depth
        self.deliver = deliver
        self.started = time.monotonic()
        self.turn_came: float | None = None
        """When its turn came; None before."""
        self.queued = False
        """Whether it had to wait for others, which is told of it."""
        self.deadline = float("inf")
        self.timeout = 0.0
        self.waited = 0.0
        self.target: Target | None = request.target
        self.edited: dict[str, Any] | None = None
        self.hidden: tuple[Redaction, ...] = ()
        """What had been hidden in the answer before it came here, as in a recording."""
        self.answered_by = "tool"
        self.arguments: dict[str, Any] = {}
        self.redactor: Redactor = executor.redactor
        self.unwatch: Callable[[], None] | None = None

    @property
    def run_id(self) -> str:
        return self.run.run_id

    @property
    def executor(self) -> "Executor":
        """Who performs it, for a tool whose own calls are more than `call` can say."""
        return self._executor

    @property
    def name(self) -> str:
        """The name that messages use: the alias's or tool's own, or what was asked for if there is none."""
        return self.target.spec.name if self.target else self.request.name

    def claim(self) -> bool:
        """True for the first who wants to settle the call, and never again."""
        return self._latch.acquire(blocking=False)

    @property
    def settled(self) -> bool:
        return self._latch.locked()

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        return self._executor.call(self._child(name, arguments))

    def call_async(self, name: str, arguments: Mapping[str, Any]) -> Awaitable[Any]:
        return self._executor.call_async(self._child(name, arguments))

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        if not self.settled:
            self._executor.report_progress(self, done, total, message)

    def request_input(self, request: InputRequest, beside: "Sequence[Ticket]" = ()) -> "Future[Decision]":
        others = [each for each in beside if isinstance(each, Call) and each is not self]
        return request_input(self, self._executor, request, others)

    def on_abandon(self, stop: Callable[[], None]) -> None:
        self._abandon.append(stop)
        if self._abandoned:
            self._tell_abandoned()

    def environment(self) -> Mapping[str, str]:
        return self._executor.call_environment(self)

    def held(self, *, by_person: bool = False) -> AbstractContextManager[None]:
        """While this lasts, the time of the call, of those that wait for it and of its run stands still."""
        return self._executor.deadlines.held([*self._waiting(), *self.run.wholes], by_person=by_person)

    def _waiting(self) -> "Iterator[Call]":
        call: Call | None = self
        while call is not None:
            yield call
            call = call.request.parent

    def part(self) -> RunPart:
        """The part of the run for what the tool executes: stopped as soon as nobody waits for this call."""
        part = RunPart(self.run, self.deadline)
        self.on_abandon(lambda: part.stop("cancelled"))
        return part

    def expire(self) -> None:
        """The time is up (see `Deadlines`); where it is the run's as well, the run goes first."""
        if self.run.stop_reason is None and time.monotonic() >= self.run.deadline:
            # Else the script would be told of a tool that took too long, and might catch that and go on.
            self.run.expire()
        self.give_up(self.refusal("timeout"))

    def cancel(self) -> None:
        """The run was stopped."""
        self.give_up(self.refusal("cancelled"))

    def refusal(self, reason: StopReason) -> Refusal:
        """How the call ends if its run, or the tool's part of it, was stopped."""
        if reason == "timeout":
            return CallTimedOut(self.name, round(time.monotonic() - self.started, 1))
        return CallCancelled(self.name)

    def give_up(self, refusal: Refusal) -> None:
        """Answers the call without its tool, which is told that nobody waits any longer."""
        if not self._executor.refuse(self, refusal):
            return
        self._abandoned = True
        self._tell_abandoned()

    def _tell_abandoned(self) -> None:
        """Each is told once, whichever thread comes first, and a failing one does not keep the others from it."""
        while self._abandon:
            try:
                stop = self._abandon.pop(0)
            except IndexError:
                return
            try:
                stop()
            except Exception:
                log.exception("Giving up the call %s of %r failed in part", self.call_id, self.name)

    def _child(self, name: str, arguments: Mapping[str, Any]) -> CallRequest:
        return CallRequest(self.run, name, kwargs=dict(arguments or {}), parent=self)


class CallTokens:
    """Tells a process that a tool started which call it works for, so that its own calls count as made by that one."""

    def __init__(self) -> None:
        self._calls: weakref.WeakValueDictionary[str, Call] = weakref.WeakValueDictionary()
        self._lock = threading.Lock()

    def issue(self, call: Call) -> str:
        """A token that nobody can guess, and that is worth nothing once the call has come to its end."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            self._calls[token] = call
        return token

    def find(self, token: str) -> Call | None:
        """The call of that token, while it is under way."""
        with self._lock:
            call = self._calls.get(token)
        return None if call is None or call.settled else call


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
