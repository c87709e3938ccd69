"""What happened, in the past tense. Values in events have been redacted, by type: nothing else is accepted."""

from dataclasses import dataclass
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
    answered_by: str


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
