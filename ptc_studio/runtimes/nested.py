"""Runs scripts that are tools: in any runtime, as a part of the run whose call they answer.

Such a script finds its arguments as variables by name, and all of them in `arguments`. A language without such
variables calls `arguments` as if it were a tool: no other script has it, and it stands in no tree.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Container, Iterator
from contextlib import contextmanager

from ptc_studio.core import codec
from ptc_studio.core.calls import Outcome
from ptc_studio.core.events import Stream
from ptc_studio.core.grants import EVERYTHING
from ptc_studio.core.runs import RunPart
from ptc_studio.core.scripts import Job, Runtime, ScriptCall, Visible
from ptc_studio.runtimes.catalog import RuntimeCatalog, UnknownRuntime
from ptc_studio.runtimes.nested_results import Printed, result_of
from ptc_studio.runtimes.stdio import StdioRouter, Write

ARGUMENTS = "arguments"
MOST_AT_ONCE = 32
"""Scripts of one depth that run at once; further ones wait, within the time of their calls."""


class NestedScripts:
    """Executes the script of a call in the thread that performs it, and gives its result."""

    def __init__(self, runtimes: RuntimeCatalog, stdio: StdioRouter, *, most_at_once: int = MOST_AT_ONCE) -> None:
        self._runtimes = runtimes
        self._stdio = stdio
        self._places = _Places(most_at_once)

    def __call__(self, wanted: ScriptCall) -> object:
        runtime = self._runtime(wanted)
        printed = Printed(wanted.call.run.limits.output_bytes)
        with wanted.call.part() as part, self._places.one(part, wanted.call.depth):
            ending = None if part.stop_reason else asyncio.run(runtime.run(self._job(wanted, part, printed)))
            if ending is None or part.stop_reason is not None:
                raise wanted.call.refusal(part.stop_reason or "cancelled")
        return result_of(ending, printed, wanted)

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
    """All tools, as every tool can call them; under names that are no parameter's, which wins as in a function."""
    registry = wanted.call.executor.registry
    found = [
        Visible(tuple(name for name in registry.names_of(target) if name.partition(".")[0] not in variables), target)
        for target in registry.targets(EVERYTHING)
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
