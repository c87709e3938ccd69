"""Collects the events of one run, and turns them into the run's record."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NotRequired, TypedDict

from ptc_studio.core.cost import CostRecord
from ptc_studio.core.errors import CallStatus
from ptc_studio.core.events import (
    CallEdited,
    CallFailure,
    CallFinished,
    CallNoted,
    CallProgressed,
    CallStarted,
    Event,
    OutputWritten,
    RunFinished,
    RunPrepared,
    RunStarted,
    RunStatus,
    Stream,
)
from ptc_studio.core.redaction import Redaction, read_back

STRETCH = 250
"""So many calls are made into records before others get their turn."""
NO_TARGET = "plain"
"""Where a script goes that goes nowhere in particular."""


class RedactionRecord(TypedDict):
    """One place where something was hidden."""

    rule: str
    where: str
    path: str


class CallErrorRecord(TypedDict):
    """Why a call failed."""

    type: str
    message: Any


class RunErrorRecord(CallErrorRecord):
    """Why a script did not end well."""

    traceback: Any
    line: int | None


class CallRecord(TypedDict):
    """One call; what is not known before its end is null until then."""

    id: str
    parent_id: str | None
    depth: int
    tool: str
    alias: str | None
    source: str | None
    arguments: Any
    status: CallStatus | None
    result: Any
    error: CallErrorRecord | None
    started_ms: float
    duration_ms: float | None
    line: int | None
    redactions: list[RedactionRecord]
    truncated: bool
    answered_by: str | None
    original_arguments: NotRequired[Any]
    """What it was called with, where a person changed that."""
    waited_ms: NotRequired[float]
    """How long it waited for a person, where it did; not part of `duration_ms`."""
    queued_ms: NotRequired[float]
    """How long it waited for its turn, where it did; not part of `duration_ms`."""


class WarningRecord(TypedDict):
    """What works here and fails where the script is going."""

    line: int | None
    message: Any


class RunRecord(TypedDict):
    """One run with its calls; what is not known before its end is null until then."""

    run_id: str
    runtime: str | None
    status: RunStatus | None
    stdout: str
    stderr: str
    return_code: int | None
    error: RunErrorRecord | None
    value: Any
    duration_ms: float | None
    prepare_ms: float | None
    isolation: str | None
    waited_ms: NotRequired[float]
    """How long it waited for a person, where it did; not part of `duration_ms`."""
    cost: CostRecord | None
    target: str
    model_sees: Any
    warnings: list[WarningRecord]
    calls: list[CallRecord]


class Trace:
    """The calls, output and end of one run, in the order in which they happened."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self._run: RunStarted | None = None
        self._prepared: RunPrepared | None = None
        self._end: RunFinished | None = None
        self._output: dict[str, list[str]] = {"stdout": [], "stderr": []}
        self._started: dict[str, CallStarted] = {}
        self._finished: dict[str, CallFinished] = {}
        self.forgotten = 0
        """So many of the first calls are not known here any longer; see `forget_before`."""
        self.most_calls: int | None = None
        """So many calls are kept at least, of a run that never ends by itself; None: all of them."""
        self.cost: CostRecord | None = None
        """What it cost a model's context; told once it is over, by whoever knows the script."""

    def observe(self, batch: Sequence[Event]) -> None:
        """Takes in what belongs to this run."""
        for event in batch:
            if event.run_id == self.run_id:
                self._take(event)
        if self.most_calls is not None and len(self._started) >= 2 * self.most_calls:
            self.forget_before(self.call_count - self.most_calls)

    def forget_before(self, number: int) -> None:
        """Forgets the calls that announced themselves before that one, up to the first that is under way."""
        for call_id in list(self._started)[: max(number - self.forgotten, 0)]:
            if call_id not in self._finished:
                return
            # Whoever looks at it meanwhile finds the call without its end, or not at all.
            del self._started[call_id]
            del self._finished[call_id]
            self.forgotten += 1

    def calls(self) -> Iterator[CallRecord]:
        """The record of every call, in the order in which they started."""
        # Concurrent calls announce themselves from several threads, not always in the order in which they came in.
        for started in sorted(self._started.values(), key=lambda event: event.started_ms):
            yield call_record(started, self._finished.get(started.call_id))

    def started_calls(self) -> list[CallStarted]:
        """The calls that are known, in the order in which they announced themselves; from any thread."""
        # A copy in one step: the loop adds to it meanwhile.
        return list(self._started.values())

    def record_of(self, started: CallStarted) -> CallRecord:
        """The record of one of these calls, as far as it came; from any thread."""
        return call_record(started, self._finished.get(started.call_id))

    def end_of(self, call_id: str) -> CallFinished | None:
        """How the call ended, if it did."""
        return self._finished.get(call_id)

    @property
    def runtime(self) -> str:
        return self._run.runtime if self._run else ""

    @property
    def target(self) -> str:
        """Where the run went."""
        return self._run.target if self._run else NO_TARGET

    @property
    def status(self) -> str | None:
        """How the run ended; None before its end."""
        return self._end.status if self._end else None

    @property
    def call_count(self) -> int:
        return self.forgotten + len(self._started)

    @property
    def script_calls(self) -> int:
        """How many calls the script itself made."""
        return sum(event.depth == 1 for event in self._started.values())

    def record(self, breathe: Callable[[], None] | None = None) -> RunRecord:
        """The whole run; with `breathe`, that is called now and then, for others to have their turn."""
        return {**self.record_without_calls(), "calls": self._call_records(breathe)}

    def record_without_calls(self) -> RunRecord:
        """All but the calls, of which there may be many; from any thread."""
        return self.record_with(self._end)

    def record_with(self, end: RunFinished | None) -> RunRecord:
        """The run as it is with this end, without its calls."""
        error = end.error if end else None
        record: RunRecord = {
            "run_id": self.run_id,
            "runtime": self._run.runtime if self._run else None,
            "status": end.status if end else None,
            "stdout": "".join(self._output["stdout"]),
            "stderr": "".join(self._output["stderr"]),
            "return_code": end.return_code if end else None,
            "error": error
            and {
                "type": error.type,
                "message": error.message.value,
                "traceback": error.traceback.value,
                "line": error.line,
            },
            "value": end.value.value if end and end.value else None,
            "duration_ms": end.duration_ms if end else None,
            "prepare_ms": self._prepared.prepare_ms if self._prepared else None,
            "isolation": self._run.isolation if self._run else None,
            "cost": self.cost,
            "target": self.target,
            "model_sees": end.model_sees.value if end and end.model_sees else None,
            "warnings": [{"line": line, "message": text.value} for line, text in end.warnings] if end else [],
            "calls": [],
        }
        if end and end.waited_ms:
            record["waited_ms"] = end.waited_ms
        return record

    def _call_records(self, breathe: Callable[[], None] | None) -> list[CallRecord]:
        made: list[CallRecord] = []
        for record in self.calls():
            made.append(record)
            if breathe is not None and len(made) % STRETCH == 0:
                breathe()
        return made

    def _take(self, event: Event) -> None:
        match event:
            case CallStarted():
                self._started[event.call_id] = event
            case CallFinished():
                self._finished[event.call_id] = event
            case OutputWritten():
                self._output[event.stream].append(event.text.value)
            case RunStarted():
                self._run = event
            case RunPrepared():
                self._prepared = event
            case RunFinished():
                self._end = event
            case CallEdited():
                self._started[event.call_id] = self._started[event.call_id].edited(event.arguments)
            case CallProgressed() | CallNoted():
                """Of interest while it lasts."""


def call_record(started: CallStarted, finished: CallFinished | None) -> CallRecord:
    """One call as the contract has it."""
    result = finished.result if finished else None
    error = finished.error if finished else None
    record: CallRecord = {
        "id": started.call_id,
        "parent_id": started.parent_id,
        "depth": started.depth,
        "tool": started.tool,
        "alias": started.alias,
        "source": started.source,
        "arguments": started.arguments.value,
        "status": finished.status if finished else None,
        "result": result.value if result else None,
        "error": {"type": error.type, "message": error.message.value} if error else None,
        "started_ms": started.started_ms,
        "duration_ms": finished.duration_ms if finished else None,
        "line": started.line,
        "redactions": [_redaction_record(redaction) for redaction in redactions_of(started, finished)],
        "truncated": bool(result and result.truncated) or started.arguments.truncated,
        "answered_by": finished.answered_by if finished else None,
    }
    if started.original is not None:
        record["original_arguments"] = started.original.value
    if finished and finished.waited_ms:
        record["waited_ms"] = finished.waited_ms
    if finished and finished.queued_ms:
        record["queued_ms"] = finished.queued_ms
    return record


def redactions_of(started: CallStarted, finished: CallFinished | None) -> tuple[Redaction, ...]:
    """Where something of one call was hidden."""
    result = finished.result if finished else None
    error = finished.error if finished else None
    return (
        *started.arguments.redactions,
        *(result.redactions if result else ()),
        *(error.message.redactions if error else ()),
    )


def events_of_call(run_id: str, record: CallRecord) -> list[Event]:
    """What was told of a call when it was made, of which only its record is left; one that never ended has no end."""
    hidden = [Redaction(**each) for each in record["redactions"]]
    given = tuple(each for each in hidden if each.where == "arguments")
    answered = tuple(each for each in hidden if each.where != "arguments")
    cut = record["truncated"]
    started = CallStarted(
        run_id, record["id"], record["parent_id"], record["depth"], record["tool"], record["alias"], record["source"],
        read_back(record["arguments"], given), record["started_ms"], record["line"],
    )  # fmt: skip
    status, error = record["status"], record["error"]
    if status is None:
        return [started]
    failure = error and CallFailure(error["type"], read_back(error["message"], answered))
    result = None if failure else read_back(record["result"], answered, truncated=cut)
    took, by = record["duration_ms"] or 0.0, record["answered_by"] or "tool"
    waits = record.get("waited_ms", 0.0), record.get("queued_ms", 0.0)
    return [started, CallFinished(run_id, record["id"], status, result, failure, took, by, *waits)]


def events_of_output(record: RunRecord) -> list[Event]:
    """What a run wrote; in which order the two streams were written is not known any longer."""
    run_id = record["run_id"]
    streams: tuple[Stream, ...] = ("stdout", "stderr")
    return [OutputWritten(run_id, stream, read_back(record[stream])) for stream in streams if record[stream]]


def _redaction_record(redaction: Redaction) -> RedactionRecord:
    return {"rule": redaction.rule, "where": redaction.where, "path": redaction.path}
