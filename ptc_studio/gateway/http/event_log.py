"""The events of one job as a numbered log: each listener has only a place in it, so a slow one holds up nobody."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

from ptc_studio.core import codec
from ptc_studio.core.events import CallFinished, CallStarted, Event
from ptc_studio.gateway.http.wire import as_text

MOST_EVENTS = 10_000
MOST_BYTES = 32_000_000
"""What is kept for listeners that lag behind or come back; whoever lags further is told how much he missed."""
HEARTBEAT_SECONDS = 15.0
AT_ONCE = 64
"""So many events are sent in one go."""
FIRST = b"retry: 1000\n\n"
HEARTBEAT = b": still here\n\n"


class EventLog:
    """What happened in a job, as frames of server-sent events. On the loop's thread only."""

    def __init__(self, job_id: str, *, most_events: int = MOST_EVENTS, most_bytes: int = MOST_BYTES) -> None:
        self._job_id = job_id
        self._frames: deque[bytes] = deque()
        self._bytes = 0
        self._most_events, self._most_bytes = most_events, most_bytes
        self._under_way: dict[str, CallStarted] = {}
        self._grown = asyncio.Event()
        self.last_id = 0
        self.listeners = 0
        self.closed = False
        self.in_tree: Callable[[Sequence[Event]], Sequence[Event]] = self._of_job
        """Which of all events belong to the job."""

    @property
    def first_id(self) -> int:
        """The number of the oldest event that is kept."""
        return self.last_id - len(self._frames) + 1

    def observe(self, batch: Sequence[Event]) -> None:
        """Takes in the calls of the job."""
        for event in self.in_tree(batch):
            if isinstance(event, CallStarted):
                self._under_way[event.call_id] = event
                self._append("job_tool_use", self._use(event))
            elif isinstance(event, CallFinished) and (started := self._under_way.pop(event.call_id, None)):
                self._append("job_tool_result", self._result(started, event))
        self._wake()

    def _of_job(self, batch: Sequence[Event]) -> list[Event]:
        return [event for event in batch if event.run_id == self._job_id]

    def close(self) -> None:
        """Ends every listener once it has got all there is."""
        self.closed = True
        self._wake()

    async def frames(self, after: int | None, heartbeat: float = HEARTBEAT_SECONDS) -> AsyncGenerator[bytes]:
        """What comes after that number, or from now on; a comment now and then tells that the other end is there."""
        at = self.last_id if after is None else min(after, self.last_id)
        self.listeners += 1
        try:
            yield FIRST
            while True:
                if at < self.first_id - 1:
                    missed, at = self.first_id - 1 - at, self.first_id - 1
                    yield _frame(at, "gap", {"type": "gap", "job_id": self._job_id, "missed": missed})
                if at < self.last_id:
                    start = at - self.first_id + 1
                    some = [self._frames[i] for i in range(start, min(start + AT_ONCE, len(self._frames)))]
                    at += len(some)
                    yield b"".join(some)
                elif self.closed:
                    return
                else:
                    grown = self._grown
                    try:
                        await asyncio.wait_for(grown.wait(), heartbeat)
                    except TimeoutError:
                        yield HEARTBEAT
        finally:
            self.listeners -= 1

    def _append(self, kind: str, data: dict[str, Any]) -> None:
        self.last_id += 1
        frame = _frame(self.last_id, kind, data)
        self._frames.append(frame)
        self._bytes += len(frame)
        while len(self._frames) > self._most_events or (self._bytes > self._most_bytes and len(self._frames) > 1):
            self._bytes -= len(self._frames.popleft())

    def _wake(self) -> None:
        self._grown.set()
        self._grown = asyncio.Event()

    def _use(self, event: CallStarted) -> dict[str, Any]:
        return {**self._head("job_tool_use", event), "input": event.arguments.value, "status": "running"}

    def _result(self, started: CallStarted, event: CallFinished) -> dict[str, Any]:
        error = event.error
        return {
            **self._head("job_tool_result", started),
            # A text, as the answer's; of a failed call what went wrong.
            "output": error.message.value if error else codec.decode(as_text(codec.encode(_value(event)))),
            "error": {"type": error.type, "message": error.message.value} if error else None,
            "status": event.status,
            "duration_ms": event.duration_ms,
        }

    def _head(self, kind: str, event: CallStarted) -> dict[str, Any]:
        return {
            "type": kind,
            "job_id": self._job_id,
            "tool_name": event.alias or event.tool,
            "call_id": event.call_id,
            "parent_id": event.parent_id,
            "depth": event.depth,
            "duration_ms": None,
        }


def _value(event: CallFinished) -> Any:
    return event.result.value if event.result else None


def _frame(number: int, kind: str, data: dict[str, Any]) -> bytes:
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (number, kind.encode(), codec.encode(data))
