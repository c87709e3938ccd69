"""How a script in Monty sees its tools, and what is made of its calls; targets derive their ways from the studio's."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from queue import Empty, SimpleQueue
from typing import Any

from pydantic_monty import FunctionSnapshot, MontyClassProxy, MontyClassTypeProxy, MontyStdTypeProxy, OSPolicy

from ptc_studio.core import codec
from ptc_studio.core.calls import CallQueue, CallRequest, Outcome
from ptc_studio.core.python_text import parsed
from ptc_studio.core.scripts import Job
from ptc_studio.locations import load_python_kit
from ptc_studio.runtimes.monty import names
from ptc_studio.runtimes.monty.errors import Positions
from ptc_studio.runtimes.monty.names import AIO, Names

_BY_NAME = {"call_tool": False, "call_tool_async": True}
_SCALARS = (str, int, float, type(None))


@dataclass(frozen=True, slots=True)
class WantedCall:
    """A call as the script asks for it."""

    tool: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    timeout: float | None = None
    concurrent: bool = False
    """Whether the script goes on and awaits the answer later."""


def awaited_spans(code: str, positions: Positions) -> frozenset[tuple[int, int]]:
    """Where the calls stand whose results the script awaits, whatever it calls; empty if it cannot be read."""
    if "await" not in code and "asyncio" not in code:
        return frozenset()
    load_python_kit()
    from ptc_kit import awaited

    try:
        calls, _ = awaited.awaited_calls(parsed(code))
        return frozenset(positions.span(call) for call in calls)
    except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
        # Monty itself will say what is wrong, or knows better.
        return frozenset()


def wanted_call(snapshot: FunctionSnapshot, names: Names, *, awaited: bool = False) -> WantedCall | None:
    """The call that the script makes, and whether it awaits it; None if it is none of a tool. Raises what the script
    is to be told."""
    name = names.called(snapshot.function_name, snapshot.object_id)
    args = tuple(map(plain, snapshot.args))
    kwargs = {key: plain(value) for key, value in snapshot.kwargs.items()}
    if name in names.tools:
        return WantedCall(names.tools[name].names[0], args, kwargs, concurrent=awaited)
    if name in _BY_NAME:
        tool, arguments, timeout = _by_name(*args, **kwargs)
        return WantedCall(tool, (), arguments, timeout, awaited or _BY_NAME[name])
    space, _, tool = name.partition(".")
    if space == AIO and tool in names.tools:
        return WantedCall(names.tools[tool].names[0], args, kwargs, concurrent=True)
    return None


def plain(value: Any) -> Any:
    """The value without Monty's stand-ins: an object of a class of the script's becomes a dict of its attributes."""
    match value:
        case MontyClassProxy():
            return {key: plain(item) for key, item in value.attributes.items()}
        case PurePath():
            # As every other script sends it; of the pure kind, no tool with a `Path` would take it.
            return str(value)
        case MontyClassTypeProxy() | MontyStdTypeProxy():
            return value.name
        case list():
            return [plain(item) for item in value]
        case tuple():
            return tuple(plain(item) for item in value)
        case dict():
            return {key: plain(item) for key, item in value.items()}
        case _:
            return value


def answer(outcome: Outcome) -> Any:
    """The tool's value in its JSON form, as every script gets it that does not run in this very process."""
    if type(outcome.value) in _SCALARS or outcome.value is True or outcome.value is False:
        return outcome.value
    value = codec.decode(outcome.encoded) if outcome.copied is None or outcome.bytes_at else outcome.copied
    return codec.with_bytes(value, outcome.bytes_at)


def _by_name(
    name: Any, arguments: Any = None, timeout: Any = None, *, timeout_secs: Any = None
) -> tuple[str, dict[str, Any], float | None]:
    """What a model gets wrong easily is told at once, and alike in every runtime."""
    timeout = timeout_secs if timeout is None else timeout
    if not isinstance(name, str):
        raise TypeError(f"a tool's name must be a text, not {type(name).__name__}")
    if arguments is not None and not isinstance(arguments, dict):
        raise TypeError(f"Invalid parameters for tool {name!r}: they must be a dict, not {type(arguments).__name__}")
    if any(not isinstance(key, str) for key in arguments or ()):
        raise TypeError(f"Invalid parameters for tool {name!r}: the keys of the dict must be texts")
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, int | float)):
        raise TypeError(f"the timeout of a call must be a number, not {type(timeout).__name__}")
    if timeout is not None and not timeout > 0:
        raise ValueError("the timeout of a call must be above 0")
    return name, arguments or {}, timeout


_by_name.__name__ = _by_name.__qualname__ = "call_tool"


Settled = tuple[int, Outcome]


class ConcurrentCalls:
    """Starts calls, no more at once than the run may have, and tells which have been answered."""

    def __init__(self, job: Job) -> None:
        self._executor = job.executor
        self._queue = CallQueue(job.executor, job.run.limits.concurrent_calls)
        self._woken = False
        self._settled: SimpleQueue[Settled | None] = SimpleQueue()

    def start(self, number: int, request: CallRequest) -> None:
        """Has the call performed soon; the number is the script's. Waits while too many wait for their turn."""
        self._queue.await_room(lambda: self._woken)
        if not self._woken:
            self._executor.submit(request, lambda outcome: self._settled.put((number, outcome)), self._queue)

    def sleep(self, number: int, seconds: float) -> None:
        """Something to await that is answered after a while."""
        self._executor.deadlines.watch(_Nap(number, time.monotonic() + seconds, self._settled))

    def settled(self) -> dict[int, Outcome]:
        """What has been answered since the last time; waits for one. Empty once `wake` was called."""
        found: dict[int, Outcome] = {}
        item = self._settled.get()
        while item is not None:
            found[item[0]] = item[1]
            try:
                item = self._settled.get_nowait()
            except Empty:
                break
        return found

    def wake(self) -> None:
        """Lets whoever waits go on, though nothing has been answered: the run is stopped."""
        self._woken = True
        self._settled.put(None)


class _Nap:
    """An `asyncio.sleep` of the script's."""

    def __init__(self, number: int, deadline: float, settled: "SimpleQueue[Settled | None]") -> None:
        self.deadline = deadline
        self._number = number
        self._queue = settled

    def expire(self) -> None:
        self._queue.put((self._number, Outcome("ok")))


class Convention:
    """The studio's own: functions, namespaces and `call_tool`; what Monty has not is refused with advice."""

    filename: str | None = None
    """What the script is called in the type checker's words; None: as it is called here."""
    memory: int | None = None
    """Bytes that the script may use; None: what the runtime gives."""
    seconds: float | None = None
    """For computing; the time that tools take does not count. None: what the run may take."""
    sleep_seconds: float | None = None
    """For sleeping, in all; None: no limit of its own."""
    printed: int | None = None
    """Characters that it may print; None: no limit of its own."""
    policy: OSPolicy | None = None
    """Which operations of the system are asked for; None: Monty's own way."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.names = Names(job.tools)

    def stubs(self) -> str | None:
        """What the script is type-checked against before it runs; None: it is not."""
        return None

    def type_checked(self) -> None:
        """Told once the script has passed that."""

    def given_ahead(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        """The variables of the script."""
        return self.names.given_ahead(variables)

    def value(self, name: str) -> Any:
        """What a bare name stands for; raises KeyError if it stands for nothing."""
        return self.names.value(name)

    def wanted(self, snapshot: FunctionSnapshot, *, awaited: bool) -> WantedCall | None:
        """The call of a tool; None if it is none. Raises what the script is to be told."""
        return wanted_call(snapshot, self.names, awaited=awaited)

    def answer_other(self, snapshot: FunctionSnapshot) -> dict[str, Any]:
        """The answer to a call that is none of a tool."""
        name = self.names.called(snapshot.function_name, snapshot.object_id)
        return names.answer_studio_function(name, snapshot.args, self.names, self.job)

    def answer_system(self, name: str, args: tuple[Any, ...]) -> dict[str, Any] | None:
        """The answer to an operation of the system; None: Monty's own."""
        if name == "os.environ":
            return {"return_value": dict(self.job.environment)}
        if name == "os.getenv" and args[0] in self.job.environment:
            return {"return_value": self.job.environment[args[0]]}
        return names.answer_system_call(name, args, self.names)

    def given(self, wanted: WantedCall, value: Any) -> Any:  # noqa: ARG002 - targets look at it
        """What the script gets for the tool's value."""
        return value

    def failed(self, wanted: WantedCall, error: BaseException) -> BaseException:  # noqa: ARG002
        """What the script catches where the tool failed."""
        return error

    def report(self, kind: str, text: str, display: str) -> Any:
        """What the target's reply is made of where the script failed: the class of Monty's error, its text, and the
        text with a traceback."""
        return {"kind": kind, "text": text, "display": display}


class TargetConvention(Convention):
    """What targets have in common: nothing of the studio's own, and nothing of the system but what Monty has."""

    filename = "main.py"

    def given_ahead(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        return dict(variables)

    def value(self, name: str) -> Any:
        raise KeyError(name)

    def answer_other(self, snapshot: FunctionSnapshot) -> dict[str, Any]:
        return {"exc_type": "NameError", "message": f"name {snapshot.function_name!r} is not defined"}

    def answer_system(self, name: str, args: tuple[Any, ...]) -> dict[str, Any] | None:
        if name == "os.getenv" and args[0] in self.job.environment:
            return {"return_value": self.job.environment[args[0]]}
        if name == "os.environ" and self.job.environment:
            return {"return_value": dict(self.job.environment)}
        return None

    def arguments(self, snapshot: FunctionSnapshot) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The positional and the named arguments, without Monty's stand-ins."""
        return tuple(map(plain, snapshot.args)), {key: plain(value) for key, value in snapshot.kwargs.items()}

    def tool(self, name: str) -> str | None:
        """The tool that a name of the target leads to."""
        assert self.job.frame is not None
        return self.job.frame.names.get(name)
