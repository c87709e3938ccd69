"""What a runtime is given and what it gives back: the seam between a session and whatever executes scripts."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ptc_studio.core.calls import Call, CallRequest, Outcome
from ptc_studio.core.events import RunPrepared, Stream
from ptc_studio.core.executor import Executor
from ptc_studio.core.registry import Target
from ptc_studio.core.run import Run

if TYPE_CHECKING:
    from ptc_studio.core.trace import RunRecord


class Container:
    """What the runs of one container share: the names that a run leaves to the next. Of one run at a time."""

    def __init__(self) -> None:
        self.state: Any = None
        """What the frame of the last run left for that of the next, as JSON."""
        self._lock = threading.Lock()
        self._kept: tuple[Any, Callable[[], object]] | None = None
        self._closed = False

    @property
    def used(self) -> bool:
        """Whether a run left anything."""
        return self._kept is not None or self.state is not None

    def take(self) -> Any:
        """What the runtime kept of the run before, such as its process; None if there is nothing."""
        with self._lock:
            kept, self._kept = self._kept, None
        return kept[0] if kept else None

    def keep(self, thing: Any, end: Callable[[], object]) -> None:
        """Keeps it for the next run; `end` is called if there is none."""
        with self._lock:
            if not self._closed:
                self._kept = (thing, end)
                return
        end()

    def reset(self) -> None:
        """Forgets everything: the next run begins anew."""
        with self._lock:
            kept, self._kept, self.state = self._kept, None, None
        if kept:
            kept[1]()

    def close(self) -> None:
        """Forgets everything, and keeps nothing from now on."""
        self._closed = True
        self.reset()


class Containers:
    """Those of a studio, by whatever they belong to, such as a script and its target."""

    def __init__(self) -> None:
        self._made: dict[Any, Container] = {}

    def of(self, owner: Any) -> Container:
        """The owner's container; the first time, a new one."""
        return self._made.setdefault(owner, Container())

    def close(self) -> None:
        for container in self._made.values():
            container.close()


@dataclass(frozen=True, slots=True)
class Script:
    """The text to run."""

    code: str
    filename: str = "script.py"
    """As it stands in tracebacks."""
    directory: str | None = None
    """Where it runs and finds its neighbours; None: nowhere in particular."""


@dataclass(frozen=True, slots=True)
class ImportedObject:
    """Something that a script is given by being imported where it runs: a module, or what is at a path in it."""

    module: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Visible:
    """A tool as a script sees it, with every name that leads to it."""

    names: tuple[str, ...]
    target: Target


@dataclass(frozen=True, slots=True)
class Frame:
    """What a deployment target puts around a script: its calling convention, its globals, what ends it."""

    target: str
    code: str = ""
    """The text of the guest's side of it, executed there before the script is; empty: the kit's own way."""
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """What each tool is called there, and the name of the tool that it leads to."""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What else the guest's side is told, as JSON."""
    compiled: Mapping[str, str] | None = None
    """The same for a guest of the very Python that the studio runs in: `python`, its version, and `code`."""
    compile: Callable[[], Mapping[str, Any]] = dict
    """What the kit is told of how to compile the script; asked in the thread that starts it, as it may take a while."""
    driver: Any = None
    """The same for a runtime that executes scripts inside the studio, as that runtime wants it."""
    memory_mb: int | None = None
    """What the script may have in memory there, for a runtime that can bound it."""
    language: str = ""
    """What the script is read as there, whatever its file is called."""


@dataclass(frozen=True, slots=True)
class Job:
    """All that a runtime needs to execute one script."""

    script: Script
    run: Run
    executor: Executor
    tools: tuple[Visible, ...]
    write: Callable[[Stream, str], None]
    """Takes what the script writes; from any thread, one at a time for each stream."""
    extra_globals: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Values by name; of those that are an `ImportedObject` only guests in Python know what to do."""
    parent: Call | None = None
    """The call that the script answers, if it is a tool."""
    answers: Mapping[str, Outcome] = field(default_factory=dict[str, Outcome])
    """What the script may ask for as it calls tools, though it is none, such as its arguments."""
    frame: Frame | None = None
    """What the target puts around the script; None: the runtime's own way."""
    container: Container | None = None
    """What the runs before left, and where this one leaves its names; None: it begins and ends alone."""
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    """Variables of the script's environment, beyond those that every script has."""
    bound_by_grant: bool = False
    """Whether the run's grant counts for a script that answers a call: its text is the caller's."""

    @property
    def memory_mb(self) -> int | None:
        """What the script may have in memory where it is going, as far as there is a limit."""
        return self.frame.memory_mb if self.frame is not None else None

    def request(
        self,
        name: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        *,
        timeout: float | None = None,
        line: int | None = None,
    ) -> CallRequest:
        """A call of the script's, for the executor."""
        known = self.answers.get(name)
        bound = self.bound_by_grant
        return CallRequest(self.run, name, args, kwargs, self.parent, timeout, line, known, bound_by_grant=bound)

    def pause_clock(self) -> None:
        """Told by a runtime that has to make the script ready first, such as by compiling it."""
        # One that is a tool is made ready within the time of its call.
        if self.parent is None:
            self.run.pause_clock()

    def begun(self, prepare_ms: float | None) -> None:
        """Told by the same runtime when the script begins; None if there was nothing worth speaking of."""
        if self.parent is not None:
            return
        self.run.restart_clock()
        self.executor.deadlines.watch(self.run)
        if prepare_ms is not None:
            self.executor.bus.publish(RunPrepared(self.run.run_id, prepare_ms))


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a script did not end well, in its own words; not redacted yet."""

    type: str
    message: str
    traceback: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ScriptResult:
    """How a script ended by itself, or where it was when it was stopped."""

    status: Literal["ok", "error", "crashed"] = "ok"
    return_code: int | None = 0
    failure: Failure | None = None
    value: Any = None
    """The last expression, in JSON form."""
    report: Any = None
    """What the target's frame tells of the end beyond the value, in JSON form."""
    memory: int | None = None
    """By how many bytes its process grew at most, where the kit can tell; else what the process was seen to have."""


@dataclass(frozen=True, slots=True)
class TargetWarning:
    """What works here and fails where the script is going."""

    line: int | None
    message: str


@dataclass(frozen=True, slots=True)
class Deployment:
    """Where a script is going, as far as a session has to know it."""

    target: str
    frame: Callable[[Sequence[Visible]], Frame | None] = lambda _tools: None
    """Made of the tools of the run; raises PtcError if the target refuses them."""
    reply: Callable[["RunRecord", Any], Any] = lambda _record, _report: None
    """What the model is given back: made of the record, without its calls, and of the frame's report."""
    warnings: Callable[["RunRecord", int, int | None], Sequence[TargetWarning]] = lambda _record, _calls, _memory: ()
    """What is to be said of the script, and of how near the run came to a limit; with the number of its own calls and
    the bytes that it had in memory."""
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    container: Container | None = None


@dataclass(frozen=True, slots=True)
class ScriptCall:
    """The use of a script as a tool."""

    script: Script
    runtime: str | None
    """None: the ending of the file's name decides."""
    arguments: Mapping[str, Any]
    call: Call
    """The call that it answers."""
    prints_text: bool = False
    """What it prints is a text, whatever it looks like."""
    from_caller: bool = False
    """Its text came with the call: it may call what the run was granted, and gives `stdout` and `value`."""


RunScript = Callable[[ScriptCall], Any]
"""Runs the script and gives its result; raises what the script failed with. In a worker thread, as it waits."""


class Runtime(Protocol):
    """Something that executes scripts; the catalogue knows what is to be said about it."""

    @property
    def id(self) -> str: ...
    @property
    def isolation(self) -> str:
        """What keeps a script apart, in a word or two."""
        ...

    async def run(self, job: Job) -> ScriptResult:
        """Executes to the end. Returns soon after `job.run` is stopped, with nothing left running."""
        ...

    def warm(self, memory_mb: int | None = None) -> None:
        """Makes ready for a run that is about to come, with the memory that its target allows; does not wait."""
        ...

    def close(self) -> None:
        """Ends what is kept ready."""
        ...
