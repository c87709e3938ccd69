"""The numbers that people quote of a run, counted while it goes on."""

from collections.abc import Sequence
from dataclasses import dataclass

from ptc_studio.core.events import CallFinished, CallStarted, Event, OutputWritten, RunPrepared


@dataclass(slots=True)
class RunFigures:
    """What has been counted so far."""

    calls: int = 0
    depth: int = 0
    redactions: int = 0
    prepare_ms: float | None = None
    """How long the script was compiled; None if it was not, or is still being compiled."""

    def take(self, batch: Sequence[Event]) -> None:
        for event in batch:
            match event:
                case CallStarted():
                    self.calls += 1
                    self.depth = max(self.depth, event.depth)
                    self.redactions += len(event.arguments.redactions)
                case CallFinished():
                    self.redactions += len(event.result.redactions) if event.result else 0
                    self.redactions += len(event.error.message.redactions) if event.error else 0
                case OutputWritten():
                    self.redactions += len(event.text.redactions)
                case RunPrepared():
                    self.prepare_ms = event.prepare_ms
                case _:
                    pass
