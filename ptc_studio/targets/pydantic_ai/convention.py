"""pydantic-ai's calling convention in Monty, and what it tells the model of calls that had begun."""

from typing import Any

from pydantic_monty import FunctionSnapshot, OSPolicy

from ptc_studio.core.errors import CallDenied
from ptc_studio.core.scripts import Job
from ptc_studio.runtimes.monty.calls import WantedCall
from ptc_studio.runtimes.monty.convention import TargetConvention
from ptc_studio.targets.pydantic_ai.stubs import stubs

CALLS, SECONDS, MEMORY_MB, PRINTED = 100, 30.0, 256, 10 * 1024 * 1024
NO_CLOCK: OSPolicy = {"datetime": "call_host", "random_start": "call_host"}
LIMITS = ("time limit exceeded", "memory limit exceeded", "suspension limit ")
"""What Monty says when a limit ended the code."""
TOO_LONG = (
    "\n\nThe code ran longer than `max_duration_secs` and was stopped, so the session was reset. Re-run any imports, "
    "recreate any state you need, and make the code do less work per call."
)
MOST_PASSED = 50
PASSED: dict[tuple[str, str], None] = {}
"""Scripts that passed the type check, each with the stubs that it passed against; the latest last."""
PREVIEW, ITEMS, SUMMARY = 120, 5, 2000
"""Characters of a text, items of a list, and characters of the whole, in what is told of the calls."""


class PydanticConvention(TargetConvention):
    """Async functions of keyword arguments, so many calls, and no clock."""

    memory = MEMORY_MB * 1024 * 1024
    seconds = SECONDS
    sleep_seconds = SECONDS
    printed = PRINTED
    policy = NO_CLOCK

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self._started: dict[int, tuple[WantedCall, str]] = {}
        """Every call, by its identity, and how it ended."""
        self._refused = False
        self._checked = ("", "")

    def stubs(self) -> str | None:
        frame = self.job.frame
        assert frame is not None
        text = stubs(self.job.tools, frame.names) if frame.names else None
        self._checked = (self.job.script.code, text or "")
        # What passed once passes again, and the check takes longer than many a run.
        return None if self._checked in PASSED else text

    def type_checked(self) -> None:
        PASSED[self._checked] = None
        while len(PASSED) > MOST_PASSED:
            PASSED.pop(next(iter(PASSED)), None)

    def wanted(self, snapshot: FunctionSnapshot, *, awaited: bool) -> WantedCall | None:  # noqa: ARG002
        name = snapshot.function_name
        tool = self.tool(name)
        if tool is None:
            raise NameError(f"Unknown function: {name}")
        args, kwargs = self.arguments(snapshot)
        if args:
            raise TypeError(f"{name}() does not accept positional arguments; use keyword arguments")
        if len(self._started) >= CALLS:
            self._refused = True
            raise RuntimeError(
                f"Code mode allows {CALLS} nested tool calls per `run_code` call and this snippet asked for more. "
                "Call fewer tools, for example by filtering the inputs first, or split the work across several "
                "`run_code` calls."
            )
        wanted = WantedCall(tool, (), kwargs, concurrent=True)
        self._settle(wanted, "did not finish, so it may have applied a partial change")
        return wanted

    def given(self, wanted: WantedCall, value: Any) -> Any:
        self._settle(wanted, f"returned {preview(value)}")
        return value

    def failed(self, wanted: WantedCall, error: BaseException) -> BaseException:
        if not isinstance(error, PermissionError | CallDenied):
            return error
        self._settle(wanted, "was denied and did not run")
        return RuntimeError(f"Tool {wanted.tool!r} call denied: {error}")

    def report(self, kind: str, text: str, display: str) -> Any:
        """With the calls that had begun, where a limit ended the code: a second try would repeat them."""
        limited = kind == "MontyRuntimeError" and any(words in display for words in LIMITS)
        told = f"\n\n{self._summary()}" if self._started and (self._refused or limited) else ""
        display += told + (TOO_LONG if limited and LIMITS[0] in display else "")
        return super().report(kind, text, display)

    def _settle(self, wanted: WantedCall, how: str) -> None:
        self._started[id(wanted)] = (wanted, how)

    def _summary(self) -> str:
        count, lines, used = len(self._started), list[str](), 0
        for wanted, how in self._started.values():
            line = f"- {wanted.tool}({preview(dict(wanted.kwargs))}) {how}"
            if used + len(line) > SUMMARY:
                lines.append(f"- ... and {count - len(lines)} more not shown")
                break
            lines.append(line)
            used += len(line)
        last = f"Account for all {count} before retrying; repeating a call repeats whatever it already did."
        return "\n".join([f"{count} nested tool calls started before execution stopped:", *lines, last])


def preview(value: Any, *, nested: bool = False) -> str:
    """A value as it is told to the model: cut, and one level deep."""
    match value:
        case str():
            return repr(value[:PREVIEW]) + _elided(len(value), PREVIEW, "chars")
        case list() | tuple() if nested:
            return f"[{len(value)} items]"
        case list() | tuple():
            shown = ", ".join(preview(item, nested=True) for item in value[:ITEMS])
            return f"[{shown}]" + _elided(len(value), ITEMS, "items")
        case dict() if nested:
            return f"{{{len(value)} items}}"
        case dict():
            first = list(value.items())[:ITEMS]
            shown = ", ".join(f"{preview(key, nested=True)}: {preview(item, nested=True)}" for key, item in first)
            return f"{{{shown}}}" + _elided(len(value), ITEMS, "items")
        case _:
            return repr(value)


def _elided(count: int, shown: int, unit: str) -> str:
    return f" ... ({count} {unit} total)" if count > shown else ""
