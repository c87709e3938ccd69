"""Answers of the user's own instead of a tool's: to try a script without the world, or with a worse one."""

import builtins
import random
import threading
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ptc_studio.core import errors
from ptc_studio.core.errors import CallCancelled, CallStatus, ExpressionError, Refusal
from ptc_studio.core.failures import rebuilt
from ptc_studio.core.responders.cassette import RecordedCall
from ptc_studio.core.responders.chain import Answer, arguments_by_name, closeness
from ptc_studio.core.responders.examples import example
from ptc_studio.core.responders.expressions import expression

if TYPE_CHECKING:
    from ptc_studio.core.calls import Call
    from ptc_studio.core.executor import Executor


RUNTIME_ERROR = "RuntimeError"
_UNFIT = (StopIteration, StopAsyncIteration)
"""Those that mean something to whoever passes them on."""


def error_named(name: str, message: str) -> Exception:
    """The built-in exception of that name; a RuntimeError that tells the name where there is no such thing."""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, _UNFIT):
        try:
            return kind(message)
        except TypeError:
            # Some are made of more than a text.
            pass
    return RuntimeError(f"{name}: {message}" if message else name)


def error_names() -> list[str]:
    """The names to choose from: those that tools raise, the usual ones first."""
    usual = ["RuntimeError", "ValueError", "TypeError", "KeyError", "LookupError", "TimeoutError", "ConnectionError"]
    usual += ["PermissionError", "FileNotFoundError", "OSError", "NotImplementedError"]
    kinds = [kind for kind in vars(builtins).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    others = {kind.__name__ for kind in kinds if not issubclass(kind, Warning) and type(_made(kind)) is kind}
    return [*usual, *sorted(others - {*usual})]


def _made(kind: type[Exception]) -> Exception:
    return error_named(kind.__name__, "")


_REFUSALS: dict[CallStatus, type[Refusal]] = {
    refusal.status: refusal
    for refusal in (
        errors.ToolNotFound,
        errors.CallDenied,
        errors.UnfitArguments,
        errors.DepthExceeded,
        errors.CallTimedOut,
        errors.CallCancelled,
    )
}


def raised(recorded: RecordedCall) -> BaseException:
    """The exception to raise instead of a value."""
    assert recorded.error is not None
    assert recorded.status is not None
    error = recorded.error
    kind = _REFUSALS.get(recorded.status)
    if kind is None:
        return rebuilt(
            {
                "mro": [error.type, *([error.base] if error.base else [])],
                "message": error.message,
                "args": None,
                "state": None,
                "notes": (),
                "traceback": "",
            }
        )
    if kind is errors.UnfitArguments and error.type == "ValueError":
        kind = errors.UnfitValues
    refusal = kind.__new__(kind)
    refusal.args = (error.message,)
    return refusal


MockAnswer = Literal["value", "schema", "expression", "error", "tool"]
"""A fixed value; one made from the tool's output schema; an expression over the arguments; an error; the tool's own,
only later or not always."""
RUNS_KEPT = 32


@dataclass(frozen=True, slots=True)
class Mock:
    """What answers the calls of a name."""

    name: str
    """Of an alias or a tool, or a pattern over both."""
    answer: MockAnswer = "value"
    value: Any = None
    expression: str = ""
    error: str = RUNTIME_ERROR
    """The name of a built-in type of exceptions: the answer, or what a failure is."""
    message: str = ""
    delay: float = 0.0
    """Seconds before the answer; they count against the call's time."""
    failure_rate: float = 0.0
    """How many of the calls fail, from 0 to 1."""
    seed: int = 0
    """Which of them, and what is made from a schema: the same in every run."""
    enabled: bool = True


class Mocks:
    """All mocks, and the stand-in that answers by them. Stands in the chain only while one is enabled."""

    kind, rank = "mock", 20

    def __init__(self, executor: "Executor") -> None:
        self._executor = executor
        self._listeners: list[Callable[[], None]] = []
        self._lock = threading.RLock()
        self._kept: tuple[Mock, ...] = ()
        self._added: tuple[Mock, ...] = ()
        self._leave: Callable[[], None] | None = None
        self._chances: dict[str, dict[tuple[str, int], random.Random]] = {}
        """Of each run, by the names of mocks and their seeds."""

    @property
    def all(self) -> tuple[Mock, ...]:
        return (*self._added, *self._kept)

    @property
    def enabled(self) -> tuple[Mock, ...]:
        return tuple(mock for mock in self.all if mock.enabled)

    def listen(self, listener: Callable[[], None]) -> None:
        """Has the listener called after each change, from the thread that made it."""
        self._listeners.append(listener)

    def set(self, mocks: Iterable[Mock]) -> None:
        """Those that are kept with the workspace; of two for one name the first that is enabled counts."""
        with self._lock:
            self._kept = tuple(mocks)
        self._on_change()

    def add(self, mock: Mock) -> None:
        """One more, for as long as the program runs; it goes before those that are kept."""
        with self._lock:
            self._added = (mock, *self._added)
        self._on_change()

    def answer(self, call: "Call", rest: Answer) -> Any:
        mock = self.meant(call)
        if mock is None:
            return rest(call)
        _wait(call, mock.delay)
        if self._fails(call, mock):
            share = f"{mock.failure_rate:.0%} of the calls of {mock.name!r} fail"
            self._executor.note(call, "fault", f"it fails on purpose: {share}")
            raise error_named(mock.error, mock.message or f"A failure on purpose: {share}.")
        return self._answered(mock, call, rest)

    def meant(self, call: "Call") -> Mock | None:
        """The mock that means the call most closely; of several the first. None means the tools of an example."""
        if call.run.registry is not None:
            return None
        near = [(close, mock) for mock in self.enabled if (close := closeness(mock.name, call)) is not None]
        return max(near, key=lambda pair: pair[0])[1] if near else None

    def _answered(self, mock: Mock, call: "Call", rest: Answer) -> Any:
        assert call.target is not None
        match mock.answer:
            case "value":
                # A script in this process may change what it gets.
                return deepcopy(mock.value)
            case "schema":
                return example(call.target.tool.spec.output, mock.seed).value
            case "expression":
                return _evaluated(mock, call)
            case "error":
                raise error_named(mock.error, mock.message)
            case "tool":
                return rest(call)

    def _fails(self, call: "Call", mock: Mock) -> bool:
        """By a sequence of its own for each run, so that every run of a script meets the same failures."""
        if not mock.failure_rate:
            return False
        with self._lock:
            chances = self._chances.setdefault(call.run_id, {})
            while len(self._chances) > RUNS_KEPT:
                del self._chances[next(iter(self._chances))]
            chance = chances.setdefault((mock.name, mock.seed), random.Random(mock.seed))  # noqa: S311 - no secret
            return chance.random() < mock.failure_rate

    def _on_change(self) -> None:
        with self._lock:
            if self.enabled and self._leave is None:
                self._leave = self._executor.answers.add(self)
            elif not self.enabled and self._leave is not None:
                self._leave()
                self._leave = None
        for listener in tuple(self._listeners):
            listener()


def _evaluated(mock: Mock, call: "Call") -> Any:
    try:
        return expression(mock.expression).value(arguments_by_name(call))
    except ExpressionError as error:
        raise RuntimeError(f"The mock of {mock.name!r} has no answer. {error}") from None


def _wait(call: "Call", seconds: float) -> None:
    """Waits, and not a moment longer than somebody else waits for the call."""
    if seconds:
        given_up = threading.Event()
        call.on_abandon(given_up.set)
        given_up.wait(seconds)
        if call.settled:
            raise CallCancelled(call.name)
