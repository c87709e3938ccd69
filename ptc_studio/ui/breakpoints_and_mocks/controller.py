"""Connects the tab of breakpoints and mocks with the rest of one window."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ptc_studio.ui.breakpoints_and_mocks.breakpoints import BreakpointsPresenter
from ptc_studio.ui.breakpoints_and_mocks.mocks import MocksPresenter
from ptc_studio.ui.breakpoints_and_mocks.panel import BreakpointsAndMocksPanel

if TYPE_CHECKING:
    from ptc_studio.core.trace import CallRecord
    from ptc_studio.storage.settings import Settings
    from ptc_studio.ui.main_window import MainWindow


class BreakpointsAndMocks(QObject):
    """The panel, and what leads to it from elsewhere: menus, commands, the status line."""

    def __init__(self, window: "MainWindow", panel: BreakpointsAndMocksPanel, settings: "Settings") -> None:
        super().__init__(window)
        self.setObjectName("answers")
        self._window, self.panel = window, panel
        self.breakpoints = BreakpointsPresenter(window, panel, settings)
        self.mocks = MocksPresenter(window, panel)
        for display in (self.breakpoints, self.mocks):
            display.counted.connect(self._tell_count)
        window.tools.answer_requested.connect(self._on_tool_asked)
        window.calls.tree.answer_requested.connect(self._on_call_asked)
        self._tell_count()

    def show(self) -> None:
        """Brings the tab to the front."""
        window = self._window
        window.bottom.setCurrentWidget(self.panel)
        window.docks.show(window.docks.bottom, self.panel)

    def _on_tool_asked(self, verb: str, name: str) -> None:
        if verb == "break":
            self.breakpoints.break_on(name)
            self.show()
        else:
            self.mocks.mock({"name": name})

    def _on_call_asked(self, verb: str, record: "CallRecord") -> None:
        name = record["alias"] or record["tool"]
        if verb == "mock" and record["status"] == "ok":
            self.mocks.mock({"name": name, "value": record["result"]})
        elif verb == "mock" and record["status"] == "error":
            self.mocks.mock({"name": name, "error": record["error"]})
        else:
            self._on_tool_asked(verb, name)

    def _tell_count(self) -> None:
        """So that nobody takes a mocked run for a real one."""
        mocks, stops = self.mocks.count, self.breakpoints.count
        said = [
            f"{mocks} mock{'s' if mocks != 1 else ''}" if mocks else "",
            f"{stops} breakpoint{'s' if stops != 1 else ''}" if stops else "",
            "stops at the next call" if self.breakpoints.waits_for_next else "",
        ]
        self._window.status_line.set_answers(" · ".join(filter(None, said)))
        number = f" {mocks + stops}" if mocks + stops else ""
        self._window.bottom.setTabText(self._window.bottom.indexOf(self.panel), f"Answers{number}")
