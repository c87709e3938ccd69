"""What is shipped to be tried: the demo, the examples, what each shows, and the tools that they are written for."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ptc_studio.bounded_files import read_bytes
from ptc_studio.locations import EXAMPLES, RUNTIMES, SAMPLE_TOOLS

if TYPE_CHECKING:
    from ptc_studio.core.trace import RunRecord
    from ptc_studio.core.workers import Workers
    from ptc_studio.sources.kinds import SourceContext

DEMO = EXAMPLES / "03_concurrent.py"
_COMMENT = re.compile(r'(?:#!.*\n)?\s*(?:"""|#|//)\s*(.*)')


def examples() -> list[Path]:
    """The scripts that the welcome page offers, in their order."""
    return sorted(EXAMPLES.glob("[0-9]*.*"))


def is_example(script: Path | None) -> bool:
    """Whether the script is one of those shipped: it runs with the sample tools, whatever else is open."""
    return script is not None and any(script.resolve().is_relative_to(folder) for folder in (EXAMPLES, RUNTIMES))


def shown_by(example: Path) -> str:
    """What the example shows, in its own words: the first line of its comment."""
    try:
        found = _COMMENT.match(read_bytes(example).decode())
    except OSError:
        return ""
    return found[1].strip().removesuffix('"""') if found else ""


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """What one task takes with one call a turn and by a script: counted on the record of a run, not made up."""

    calls: int
    """Turns of a model that makes each call itself."""
    passed: int
    """Tokens of arguments and results, which it then reads."""
    read: int
    """Tokens of the script and of what it gave, which is all that it reads otherwise."""
    waiting_ms: float
    """Of the calls one after the other, without the time that the model takes for its turns."""
    elapsed_ms: float
    """Of the run, whose calls wait for each other only where they must."""


DEMO_FIGURES = TaskFigures(calls=41, passed=17021, read=277, waiting_ms=4400, elapsed_ms=500)
"""Of the demo before it has run here."""


def figures_of(record: "RunRecord", script: str) -> TaskFigures:
    """What the run that is over took, and what its calls would have taken one by one."""
    # Imported late: the welcome page is painted without it.
    from ptc_studio.core.cost import cost_of, tokens_of, tokens_of_call

    own = [call for call in record["calls"] if call["depth"] == 1]
    passed = sum(tokens_of(call["arguments"]) + tokens_of_call(call) for call in own)
    read = cost_of(record, script)["tokens_in_context"]
    waiting = sum(call["duration_ms"] or 0 for call in own)
    return TaskFigures(len(own), passed, read, waiting, record["duration_ms"] or 0)


class SampleTools:
    """The sample tools in a registry of their own, beside those of the workspace: neither sees the other."""

    def __init__(self, context: "SourceContext", workers: "Workers") -> None:
        # Imported late, here and below: whoever only wants to know what is shipped needs no sources.
        from ptc_studio.core.registry import Registry
        from ptc_studio.sources.functions.entry import FunctionsEntry
        from ptc_studio.sources.registry_sync import RegistrySync
        from ptc_studio.sources.source_set import SourceLocation, SourceSet

        self.registry: Registry = Registry()
        self._sync = RegistrySync(self.registry)
        self._sources = SourceSet(context, workers, self._on_changed)
        self._sources.set_entries([(FunctionsEntry(path=SAMPLE_TOOLS), SourceLocation(str(SAMPLE_TOOLS), None))])

    async def load(self) -> None:
        """Has the tools read, or what changed in them."""
        import asyncio

        await asyncio.gather(*map(asyncio.wrap_future, self._sources.refresh()))

    def close(self) -> None:
        self._sources.close()

    def _on_changed(self, _tools: bool) -> None:
        self._sync.fill(lambda: [each.offer() for each in self._sources.loaded_sources], list)
