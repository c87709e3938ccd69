"""The list of a window's mocks, and how the tab of breakpoints and mocks is connected with the rest."""

from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from ptc_studio.ui.breakpoints_and_mocks.breakpoints import BreakpointsPresenter
from ptc_studio.ui.breakpoints_and_mocks.mock_values import summary_of, tooltip_of
from ptc_studio.ui.breakpoints_and_mocks.panel import CheckedRow
from ptc_studio.ui.workspace_edits import MockEdits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ptc_studio.core.trace import CallRecord
    from ptc_studio.ui.breakpoints_and_mocks.panel import BreakpointsAndMocksPanel
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.panels import Panels
    from ptc_studio.ui.run_presenter import RunPresenter
    from ptc_studio.ui.status_line import StatusLine


NOT_YET = "The workspace is still being opened: try again in a moment."


class MocksPresenter(QObject):
    """Signals: counted: other mocks count now."""

    counted = Signal()
    _spoken = Signal()
    """The studio's mocks changed, perhaps in another thread."""

    def __init__(self, context: "Context", panel: "BreakpointsAndMocksPanel") -> None:
        super().__init__(context.window)
        self._context, self._section = context, panel.mocks
        self.edits = MockEdits(context)
        self._fault: str | None = None
        section = panel.mocks
        self.all_button = section.add_all_button("Switches all mocks off, or on again", self._switch_all)
        self.add_button = section.add_button("+", "Adds a mock", self.edit)
        section.switched.connect(lambda row, on: self._start(self._enable([row], on)))
        section.activated.connect(self.edit)
        section.deleted.connect(lambda rows: self._start(self._remove(rows)))
        section.set_menu(self._menu)
        self._spoken.connect(self._show, Qt.ConnectionType.QueuedConnection)
        context.workbench.attached.connect(self._on_attached)
        if context.workbench.is_open:
            self._on_attached()
        self._show()

    @property
    def count(self) -> int:
        """How many are on."""
        bench = self._context.workbench
        return len(bench.studio.mocks.enabled) if bench.is_open else 0

    def edit(self, row: int | None = None) -> Any:
        """Opens the form of a mock, or of a new one."""
        if row is None:
            return self.mock({})
        entry = self.edits.entries[row]
        return self._open(entry.model_dump(exclude_unset=True), row)

    def mock(self, values: Mapping[str, Any]) -> Any:
        """Opens the form of a new mock, with some of it filled in; of the one for that name if there is one."""
        known = [entry.name for entry in self.edits.entries]
        if "value" not in values and values.get("name") in known:
            return self.edit(known.index(values["name"]))
        return self._open(values, None)

    def _open(self, values: Mapping[str, Any], row: int | None) -> Any:
        from ptc_studio.ui.breakpoints_and_mocks.mock_dialog import MockDialog

        if not self._context.workbench.is_open:
            self._context.messages.show_message(NOT_YET, until=self._context.workbench.attached)
            return None
        dialog = MockDialog(self._context, self.edits, values, row)
        dialog.open()
        return dialog

    def _menu(self, rows: list[int]) -> "Sequence[tuple[str, Callable[[], object]]]":
        if not rows:
            return [("Add mock…", self.edit)]
        on = all(self.edits.entries[row].enabled for row in rows)
        single: list[tuple[str, Callable[[], object]]] = [
            ("Edit…", lambda: self.edit(rows[0])),
            ("Duplicate…", lambda: self._open(self.edits.entries[rows[0]].model_dump(exclude_unset=True), None)),
        ]
        return [
            *(single if len(rows) == 1 else ()),
            ("Disable" if on else "Enable", lambda: self._start(self._enable(rows, not on))),
            ("", lambda: None),
            ("Delete", lambda: self._start(self._remove(rows))),
        ]

    def _switch_all(self) -> None:
        entries = self.edits.entries
        on = any(entry.enabled for entry in entries)
        if entries:
            self._start(self._enable([row for row, entry in enumerate(entries) if entry.enabled == on], not on))

    async def _enable(self, rows: list[int], enabled: bool) -> None:
        try:
            await self.edits.enable(rows, enabled)
        finally:
            # A box that was ticked in vain is drawn as it is.
            self._show()

    async def _remove(self, rows: list[int]) -> None:
        names = [self.edits.entries[row].name for row in rows]
        back = await self.edits.remove(rows)
        what = f"the mock of {names[0]}" if len(names) == 1 else f"{len(names)} mocks"
        self.edits.offer_undo(back, f"Deleted {what}.")

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._context.start_reported(work)

    def _show_error(self) -> None:
        """Once for each thing that is wrong with the file."""
        bench = self._context.workbench
        error = bench.studio.kept_mocks.fault if bench.is_open else None
        if error is not None and error != self._fault:
            self._context.messages.show_message(f"{error.rstrip('.')}. The mocks are as they were before.", "warning")
        self._fault = error

    def _on_attached(self) -> None:
        self._context.workbench.studio.mocks.listen(self._spoken.emit)
        self._show()

    def _show(self) -> None:
        self._show_error()
        self._section.set_rows(
            [CheckedRow(each.name, summary_of(each), each.enabled, tip=tooltip_of(each)) for each in self.edits.entries]
        )
        self.counted.emit()


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
