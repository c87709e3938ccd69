"""Runs scripts that are tools: in any runtime, as a part of the run whose call they answer.

Such a script finds its arguments as variables by name, and all of them in `arguments`. A language without such
variables calls `arguments` as if it were a tool: no other script has it, and it stands in no tree.
"""

import ast
import asyncio
import builtins
import threading
from collections import Counter
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from typing import Any

from ptc_studio.core import codec
from ptc_studio.core.calls import Outcome
from ptc_studio.core.events import Stream
from ptc_studio.core.failures import rebuilt
from ptc_studio.core.registry import EVERYTHING
from ptc_studio.core.run import RunPart
from ptc_studio.core.scripts import Failure, Job, Runtime, Script, ScriptCall, ScriptResult, Visible
from ptc_studio.runtimes.catalog import RuntimeCatalog, UnknownRuntime
from ptc_studio.runtimes.stdio import StdioRouter, Write


class ScriptCrashed(RuntimeError):
    """The script's process or sandbox broke down, or could not be had."""


class ScriptExited(RuntimeError):
    """The script ended itself with a status that means failure."""


class Printed:
    """What a script wrote to its standard output, up to a bound. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._length = 0
        self._pieces: list[str] = []
        self._lock = threading.Lock()

    def add(self, text: str) -> None:
        with self._lock:
            self._length += len(text)
            if self._length <= self._most:
                self._pieces.append(text)

    @property
    def text(self) -> str:
        """All of it; raises ValueError if that is more than is kept."""
        if self._length > self._most:
            raise ValueError(
                f"The script printed {self._length} characters, more than a result may have ({self._most}): "
                "let it end with a value, or print less."
            )
        return "".join(self._pieces)


def result_of(result: ScriptResult, printed: Printed, wanted: ScriptCall) -> Any:
    """The script's value; without one what it printed: as JSON if it is that, else the text without its last newline.

    Raises what the script failed with.
    """
    if result.status != "ok":
        raise exception_of(result, wanted.script.filename)
    if wanted.from_caller:
        return {"stdout": printed.text, "value": result.value}
    if result.value is not None:
        return result.value
    text = printed.text
    if not text:
        return None
    if not wanted.prints_text:
        try:
            return codec.decode(text)
        except ValueError:
            """It is a text, then."""
    return text.removesuffix("\n")


def exception_of(result: ScriptResult, filename: str) -> BaseException:
    """The script's failure as the exception that whoever called it catches: of its own type, as far as one is known."""
    failure = result.failure
    if result.status == "crashed":
        reason = failure.message if failure else f"It ended with status {result.return_code}."
        return ScriptCrashed(f"The script {filename!r} crashed: {reason}")
    if failure is None:
        return ScriptExited(f"The script {filename!r} ended with status {result.return_code}.")
    known = getattr(builtins, failure.type, None)
    if isinstance(known, type) and issubclass(known, BaseException) and not issubclass(known, Exception):
        # Such as SystemExit: it is the script that ends, and not whoever called it.
        return ScriptExited(f"The script {filename!r} ended with status {result.return_code}.")
    return rebuilt(_carried(failure))


def _carried(failure: Failure) -> dict[str, Any]:
    """The failure as `rebuilt` reads it: of a type that is not Python's own only the name is known."""
    return {
        "mro": [failure.type, "Exception"],
        "message": failure.message,
        "args": _arguments(failure),
        "state": None,
        "notes": [],
        "traceback": failure.traceback,
    }


def _arguments(failure: Failure) -> list[Any] | None:
    """Those of a KeyError, whose text is the key as Python writes it; all others are made of their text."""
    if failure.type != "KeyError":
        return None
    try:
        return [ast.literal_eval(failure.message)]
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


ARGUMENTS = "arguments"
MOST_AT_ONCE = 32
"""Scripts of one depth that run at once; further ones wait, within the time of their calls."""


class NestedScripts:
    """Executes the script of a call in the thread that performs it, and gives its result."""

    def __init__(
        self,
        runtimes: RuntimeCatalog,
        stdio: StdioRouter,
        *,
        most_at_once: int = MOST_AT_ONCE,
        prepare: Callable[[Script], None] = lambda _script: None,
    ) -> None:
        """`prepare` is called before the tools of a script are looked up, which it may want loaded first."""
        self._prepare = prepare
        self._runtimes = runtimes
        self._stdio = stdio
        self._places = _Places(most_at_once)

    def __call__(self, wanted: ScriptCall) -> object:
        runtime = self._runtime(wanted)
        self._prepare(wanted.script)
        printed = Printed(wanted.call.run.limits.output_bytes)
        with wanted.call.part() as part, self._places.one(part, wanted.call.depth):
            result = None if part.stop_reason else asyncio.run(runtime.run(self._job(wanted, part, printed)))
            if result is None or part.stop_reason is not None:
                raise wanted.call.refusal(part.stop_reason or "cancelled")
        return result_of(result, printed, wanted)

    def _runtime(self, wanted: ScriptCall) -> Runtime:
        name = wanted.script.filename
        if wanted.runtime is None and not any(name.endswith(one.extensions) for one in self._runtimes.manifests):
            raise UnknownRuntime(f"No runtime is known for the script {name!r}: set the `runtime` of its source.")
        return self._runtimes.get(self._runtimes.choose(wanted.runtime, name).id)

    def _job(self, wanted: ScriptCall, part: RunPart, printed: Printed) -> Job:
        arguments = dict(wanted.arguments)
        variables = {name: value for name, value in arguments.items() if name.isidentifier() and name[:2] != "__"}
        variables[ARGUMENTS] = arguments
        return Job(
            wanted.script,
            part,
            wanted.call.executor,
            _visible(wanted, variables),
            _tee(printed, self._stdio.voice(part.run_id)),
            variables,
            wanted.call,
            {ARGUMENTS: Outcome("ok", arguments, codec.encode(arguments))},
            bound_by_grant=wanted.from_caller,
        )


class _Places:
    """So many for each depth: a script waits for deeper ones only, so that none can be in the way of its own."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[int] = Counter()
        self._changed = threading.Condition()

    @contextmanager
    def one(self, part: RunPart, depth: int) -> Iterator[None]:
        """Waits for a place; a part that is stopped gets one at once, for it does nothing with it."""
        part.on_stop(self._wake)
        with self._changed:
            self._changed.wait_for(lambda: self._taken[depth] < self._most or part.stop_reason is not None)
            self._taken[depth] += 1
        try:
            yield
        finally:
            with self._changed:
                self._taken[depth] -= 1
                self._changed.notify_all()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


def _visible(wanted: ScriptCall, variables: Container[str]) -> tuple[Visible, ...]:
    """All tools, as every tool can call them, or those of the grant; under names that are no parameter's, which wins as
    in a function."""
    registry = wanted.call.executor.registry_of(wanted.call.run)
    found = [
        Visible(tuple(name for name in registry.names_of(target) if name.partition(".")[0] not in variables), target)
        for target in registry.targets(wanted.call.run.grant if wanted.from_caller else EVERYTHING)
    ]
    return tuple(visible for visible in found if visible.names)


def _tee(printed: Printed, voice: Write | None) -> Write:
    """What the script writes may be its result, and is said by a tool of the run in any case."""

    def write(stream: Stream, text: str) -> None:
        if stream == "stdout":
            printed.add(text)
        if voice is not None:
            voice(stream, text)

    return write
