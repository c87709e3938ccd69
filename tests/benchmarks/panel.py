"""The tool panel with twenty sources and two thousand tools: opened, filtered, and while sources come and go."""

import os
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from ptc_studio.core.registry import Registry
from ptc_studio.core.tools import Parameter, ToolSpec
from ptc_studio.ui.tools.panel import ToolPanel
from ptc_studio.ui.tools.rows import RowMaker, SourceRow, ToolRows
from tests.benchmarks.measure import median, tell

SOURCES, TOOLS = 20, 2_000
OPEN_MS, FILTER_MS = 300.0, 16.0
WORDS = ("t", "to", "tool", "tool 7", "module3", "number 1999", "nothing like it", "")
SCHEMA = {"type": "object", "properties": {"name": {"type": "string", "description": "Whose."}}, "required": ["name"]}


class Tool:
    """A tool that nobody calls."""

    bind = invoke = None

    def __init__(self, spec: ToolSpec) -> None:
        self.spec = spec


def main() -> None:
    """Tells the figures, the processor's time beside that of the clock on the wall."""
    application = QApplication.instance() or QApplication([])
    registry, maker = filled(), RowMaker()
    panel = ToolPanel()
    panel.resize(280, 800)
    panel.show()
    application.processEvents()
    wall, used = open_all(application, panel, registry)
    tell("20 sources, 2,000 tools: rows made, filled, painted", f"{wall:.0f} ms", "under 300", wall < OPEN_MS)
    tell("the same, the processor's time alone", f"{used:.0f} ms", "under 300", used < OPEN_MS)
    passes = [filtered(application, panel, word) for word in WORDS for _ in range(5)]
    usual, slowest = median([taken for taken, _ in passes]), max(taken for taken, _ in passes)
    tell("a pass of the filter, usual", f"{usual:.1f} ms", "under 16", usual < FILTER_MS)
    tell("a pass of the filter, slowest", f"{slowest:.1f} ms", "under 16", slowest < FILTER_MS)
    tell("a letter in the filter until it is painted, usual", f"{median([painted for _, painted in passes]):.1f} ms")
    turns = [changed(application, panel, maker, registry, number % SOURCES) for number in range(40)]
    tell("another source hangs: shown and painted, usual", f"{median(turns):.1f} ms")
    panel.close()
    panel.deleteLater()


def open_all(application: object, panel: ToolPanel, registry: Registry) -> tuple[float, float]:
    """Milliseconds by the clock, and of the processor, from the registry to the screen."""
    began, used = time.perf_counter(), time.process_time()
    show(panel, RowMaker().rows(registry, (), states(loading=-1)))
    application.processEvents()  # type: ignore[attr-defined]
    return (time.perf_counter() - began) * 1000, (time.process_time() - used) * 1000


def filtered(application: object, panel: ToolPanel, word: str) -> tuple[float, float]:
    """Milliseconds of the pass, and until it is painted."""
    panel.filter.setText("" if word else "x")
    application.processEvents()  # type: ignore[attr-defined]
    began = time.perf_counter()
    panel.filter.setText(word)
    taken = time.perf_counter() - began
    application.processEvents()  # type: ignore[attr-defined]
    return taken * 1000, (time.perf_counter() - began) * 1000


def changed(application: object, panel: ToolPanel, maker: RowMaker, registry: Registry, hanging: int) -> float:
    """Milliseconds of a change of one source's state, as the window shows it."""
    began = time.perf_counter()
    show(panel, maker.rows(registry, (), states(loading=hanging)))
    application.processEvents()  # type: ignore[attr-defined]
    return (time.perf_counter() - began) * 1000


def show(panel: ToolPanel, rows: ToolRows) -> None:
    panel.set_tools(rows.tools, rows.aliases, rows.errors, rows.sources)


def filled() -> Registry:
    """A registry as twenty sources would fill it."""
    registry = Registry()
    signature = (Parameter("name", annotation="str"),)
    for number in range(TOOLS):
        source = f"source{number % SOURCES}"
        name = f"{source}.module{number % 7}.tool_{number}"
        registry.register(Tool(ToolSpec(name, f"Does number {number}.", SCHEMA, source, signature)))  # type: ignore[arg-type]
    return registry


def states(loading: int) -> tuple[SourceRow, ...]:
    """All sources, one of which hangs."""
    return tuple(
        SourceRow(f"source{number}", "mcp", "loading" if number == loading else "ready", "Starting", "studio.yaml", 1)
        for number in range(SOURCES)
    )


if __name__ == "__main__":
    main()
