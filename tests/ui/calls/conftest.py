"""Events as a run would send them, and the panel that shows them."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from ptc_studio.core.events import CallFailure, CallFinished, CallStarted, Event
from ptc_studio.core.redaction import Redactor
from ptc_studio.ui.calls.inspector import CallInspector
from ptc_studio.ui.calls.panel import CallTreePanel


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            # Said by the offscreen platform itself at each window that has a layout.
            item.add_marker(pytest.mark.qt_log_ignore("propagateSizeHints", extend=True))


class FakeRun:
    """Makes the events of calls."""

    def __init__(self, run_id: str = "r1") -> None:
        self.run_id = run_id
        self._numbers = itertools.count()
        self._redactor = Redactor(keys=["card"])

    def start(
        self, tool: str = "price", line: int | None = 8, parent: str | None = None, **options: Any
    ) -> CallStarted:
        number = next(self._numbers)
        arguments = self._redactor.value(options.get("arguments", {"number": number}), "arguments")
        depth = 2 if parent else 1
        at = options.get("at", float(number))
        alias = options.get("alias")
        return CallStarted(self.run_id, f"c{number}", parent, depth, tool, alias, "shop", arguments, at, line)

    def end(self, started: CallStarted, result: Any = None, ms: float = 5.0) -> CallFinished:
        value = self._redactor.value(result, "result")
        return CallFinished(self.run_id, started.call_id, "ok", value, None, ms, "tool")

    def fail(self, started: CallStarted, message: str = "no such thing", status: Any = "error") -> CallFinished:
        error = CallFailure("KeyError", self._redactor.text(message, "error"))
        return CallFinished(self.run_id, started.call_id, status, None, error, 5.0, "tool")

    def starts(self, count: int, tool: str = "price", **options: Any) -> list[Event]:
        return [self.start(tool, **options) for _ in range(count)]

    def call(self, tool: str = "price", result: Any = None, **options: Any) -> list[Event]:
        started = self.start(tool, **options)
        return [started, self.end(started, result)]


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> QApplication:
    """Models have timers, which need an application."""
    return qapp


@pytest.fixture
def run() -> FakeRun:
    return FakeRun()


@pytest.fixture
def panel(qtbot: Any) -> Iterator[CallTreePanel]:
    panel = CallTreePanel()
    qtbot.addWidget(panel)
    panel.resize(420, 500)
    panel.show()
    panel.start_run()
    yield panel
    panel.end_run()


@pytest.fixture
def inspector(qtbot: Any) -> CallInspector:
    inspector = CallInspector()
    qtbot.addWidget(inspector)
    inspector.resize(420, 500)
    inspector.show()
    return inspector


@pytest.fixture
def clipboard(qapp: QApplication) -> Any:
    return qapp.clipboard()
