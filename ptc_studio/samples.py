"""What is shipped to be tried: the demo, the examples, what each shows, and the tools that they are written for."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from ptc_studio.locations import EXAMPLES, RUNTIMES, SAMPLE_TOOLS

if TYPE_CHECKING:
    from concurrent.futures import Future

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
        found = _COMMENT.match(example.read_text(encoding="utf-8"))
    except OSError:
        return ""
    return found[1].strip().removesuffix('"""') if found else ""


class SampleTools:
    """The sample tools in a registry of their own, beside those of the workspace: neither sees the other."""

    def __init__(self, context: "SourceContext", workers: "Workers") -> None:
        # Imported late: whoever only wants to know what is shipped needs no sources.
        from ptc_studio.core.registry import Registry
        from ptc_studio.sources.functions.entry import FunctionsEntry
        from ptc_studio.sources.registry_sync import RegistrySync
        from ptc_studio.sources.source_set import SourceLocation, SourceSet

        self.registry: Registry = Registry()
        self._sync = RegistrySync(self.registry)
        self._sources = SourceSet(context, workers, self._on_changed)
        self._sources.set_entries([(FunctionsEntry(path=SAMPLE_TOOLS), SourceLocation(str(SAMPLE_TOOLS), None))])

    def refresh(self) -> "list[Future[None]]":
        """Has the tools read, or what changed in them; the futures end when they have been."""
        return self._sources.refresh()

    def close(self) -> None:
        self._sources.close()

    def _on_changed(self) -> None:
        self._sync.fill(lambda: [each.offer() for each in self._sources.loaded_sources], [])
