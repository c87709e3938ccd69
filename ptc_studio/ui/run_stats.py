"""What is counted of a run while it goes on: calls, depth, what was hidden, what concurrency saved."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ptc_studio.core.events import CallFinished, CallStarted, Event, OutputWritten, RunPrepared


@dataclass(slots=True)
class RunStats:
    """What has been counted so far."""

    calls: int = 0
    depth: int = 0
    redactions: int = 0
    prepare_ms: float | None = None
    """How long the script was compiled; None if it was not, or is still being compiled."""
    at_once: int = 0
    """The most calls of the script that were under way at one time."""
    _started: dict[str, float] = field(default_factory=dict)
    """When those began that are under way; those of tools are not counted, as whoever made them waits for them."""
    _waited_ms: float = 0.0
    """What the script's calls took, added up."""
    _busy_ms: float = 0.0
    """How long at least one was under way."""
    _busy_since: float = 0.0
    _person_ms: float = 0.0
    """The longest wait for a person since then: that time is nobody's to save."""

    @property
    def saved_ms(self) -> float:
        """How much longer it would have been waited for had the calls been made one after the other."""
        return max(self._waited_ms - self._busy_ms, 0.0) if self.at_once > 1 else 0.0

    @property
    def concurrency_text(self) -> str:
        """`40 at once · 6.9 s of waiting saved`; empty where one call followed the other."""
        if self.at_once < 2:
            return ""
        saved = self.saved_ms
        time = f"{saved / 1000:,.1f} s" if saved >= 1000 else f"{saved:,.0f} ms"
        return f"{self.at_once:,} at once · {time} of waiting saved"

    def take(self, batch: Sequence[Event]) -> None:
        for event in batch:
            match event:
                case CallStarted():
                    self.calls += 1
                    self.depth = max(self.depth, event.depth)
                    self.redactions += len(event.arguments.redactions)
                    if event.parent_id is None:
                        self._begin(event)
                case CallFinished():
                    self.redactions += len(event.result.redactions) if event.result else 0
                    self.redactions += len(event.error.message.redactions) if event.error else 0
                    if event.call_id in self._started:
                        self._end(event)
                case OutputWritten():
                    self.redactions += len(event.text.redactions)
                case RunPrepared():
                    self.prepare_ms = event.prepare_ms
                case _:
                    pass

    def _begin(self, event: CallStarted) -> None:
        if not self._started:
            self._busy_since = event.started_ms
        self._started[event.call_id] = event.started_ms
        self.at_once = max(self.at_once, len(self._started))

    def _end(self, event: CallFinished) -> None:
        end = self._started.pop(event.call_id) + event.span_ms
        self._waited_ms += event.duration_ms
        self._person_ms = max(self._person_ms, event.waited_ms)
        if not self._started:
            self._busy_ms += max(end - self._busy_since - self._person_ms, 0.0)
            self._person_ms = 0.0
