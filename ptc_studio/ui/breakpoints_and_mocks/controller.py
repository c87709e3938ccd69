"""Connects the tab of breakpoints and mocks with the rest of one window."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ptc_studio.ui.breakpoints_and_mocks.breakpoints import BreakpointsPresenter
from ptc_studio.ui.breakpoints_and_mocks.mocks import MocksPresenter

if TYPE_CHECKING:
    from pathlib import Path

    from ptc_studio.core.trace import CallRecord
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.panels import Panels
    from ptc_studio.ui.run_presenter import RunPresenter
    from ptc_studio.ui.status_line import StatusLine


class BreakpointsAndMocks(QObject):
    """The panel, and what leads to it from elsewhere: menus, commands, the status line."""

    def __init__(
        self,
        context: "Context",
        panels: "Panels",
        status_line: "StatusLine",
        run: "RunPresenter",
        workspace: "Path | None",
    ) -> None:
        super().__init__(context.window)
        self.setObjectName("answers")
        self._panels, self._status_line = panels, status_line
        self.breakpoints = BreakpointsPresenter(context, panels.answers, run, workspace)
        self.mocks = MocksPresenter(context, panels.answers)
        for display in (self.breakpoints, self.mocks):
            display.counted.connect(self._show_count)
        context.tools.answer_requested.connect(self._on_tool_asked)
        panels.calls.tree.answer_requested.connect(self._on_call_asked)
        self._show_count()

    def show(self) -> None:
        """Brings the tab to the front."""
        self._panels.show("answers")

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

    def _show_count(self) -> None:
        """So that nobody takes a mocked run for a real one."""
        mocks, stops = self.mocks.count, self.breakpoints.count
        parts = [
            f"{mocks} mock{'s' if mocks != 1 else ''}" if mocks else "",
            f"{stops} breakpoint{'s' if stops != 1 else ''}" if stops else "",
            "stops at the next call" if self.breakpoints.waits_for_next else "",
        ]
        self._status_line.set_answers(" · ".join(filter(None, parts)))
        self._panels.set_count("answers", mocks + stops)
