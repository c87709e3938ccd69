"""The list of a window's mocks, each between its form and its file, and how the tab is connected with the rest."""

from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from ptc_studio.core import codec
from ptc_studio.core.responders.mocks import MockAnswer, error_names
from ptc_studio.storage.mock_store import MockEntry
from ptc_studio.ui.breakpoints_and_mocks.breakpoints import BreakpointsPresenter
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


KINDS: dict[MockAnswer, str] = {
    "value": "Value",
    "schema": "From schema",
    "expression": "Expression",
    "error": "Error",
    "tool": "Tool itself",
}
SAID: dict[MockAnswer, str] = {
    "value": "The same value each time.",
    "schema": "A value made up by the tool's output schema.",
    "expression": "What the expression makes of the arguments.",
    "error": "An error that the script can catch.",
    "tool": "The tool's own answer, but late, or not always.",
}
NAME = {
    "type": "string",
    "minLength": 1,
    "title": "Answers calls of",
    "description": "A tool or an alias, or a pattern such as shop.*. The closest name counts.",
}
VALUE = {"title": "Value", "description": "JSON that the script gets."}
EXPRESSION = {
    "type": "string",
    "minLength": 1,
    "title": "Expression",
    "description": 'Over the arguments, such as {"total": qty * 3} or "paid" if amount > 10 else "open".',
}
DELAY = {"type": "number", "minimum": 0, "maximum": 3600, "title": "Delay", "description": "Seconds before the answer."}
RATE = {
    "type": "number",
    "minimum": 0,
    "maximum": 1,
    "title": "Failure rate",
    "description": "How many of the calls fail: 0.2 is one in five. The same ones in every run.",
}
SEED = {"type": "integer", "title": "Seed", "description": "Another number makes other values, or other calls fail."}
NOTES = {"type": "string", "title": "Notes", "contentMediaType": "text/plain"}


def schema_for(kind: MockAnswer) -> dict[str, Any]:
    """What is asked for of a mock of this kind."""
    own: dict[str, Any] = {
        "value": {"value": VALUE},
        "schema": {},
        "expression": {"expression": EXPRESSION},
        "error": _error("error"),
        "tool": {},
    }[kind]
    failing = {} if kind == "error" else {"failure_rate": RATE, **_error("failure")}
    properties = {"name": NAME, **own, "delay": DELAY, **failing, "seed": SEED, "notes": NOTES}
    if kind == "error":
        del properties["seed"]
    required = ["name", *(key for key in ("value", "expression") if key in own)]
    return {"type": "object", "properties": properties, "required": required}


def form_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of the file as the form has it."""
    kind = kind_of(values)
    error = values.get("error") or {}
    word = "error" if kind == "error" else "failure"
    given = {
        key: values[key]
        for key in ("name", "value", "expression", "delay", "failure_rate", "seed", "notes")
        if key in values
    }
    if "type" in error:
        given[f"{word}_type"] = error["type"]
    if error.get("message"):
        given[f"{word}_message"] = error["message"]
    return given


def file_values(kind: MockAnswer, form: Mapping[str, Any], enabled: bool) -> dict[str, Any]:
    """What the form says as the file has it; what is left at its default is not written."""
    values: dict[str, Any] = {"name": str(form.get("name", "")).strip()}
    if kind in ("value", "expression"):
        values[kind] = form.get(kind)
    elif kind == "schema":
        values["from_schema"] = True
    word = "error" if kind == "error" else "failure"
    error = {"type": form.get(f"{word}_type"), "message": form.get(f"{word}_message")}
    error = {key: value for key, value in error.items() if value}
    if kind == "error" or (error and form.get("failure_rate")):
        values["error"] = {"type": "RuntimeError", **error}
    for key in ("delay", "failure_rate", "seed", "notes"):
        if form.get(key):
            values[key] = form[key]
    return values if enabled else {**values, "enabled": False}


def kind_of(values: Mapping[str, Any]) -> MockAnswer:
    """Which kind an entry of the file is; `value` for one that says nothing yet."""
    if "value" in values:
        return "value"
    if values.get("from_schema"):
        return "schema"
    if values.get("expression") is not None:
        return "expression"
    if values.get("error") is not None and not values.get("failure_rate"):
        return "error"
    return "tool" if values.get("delay") or values.get("failure_rate") else "value"


def _error(word: str) -> dict[str, Any]:
    what = "Error" if word == "error" else "Failure is"
    return {
        f"{word}_type": {
            "type": "string",
            "title": what,
            "enum": error_names(),
            "default": "RuntimeError",
            "description": "The type that the script catches.",
        },
        f"{word}_message": {"type": "string", "title": "Message"},
    }


LONGEST = 120


def summary_of(entry: MockEntry) -> str:
    """What it answers, in a line."""
    mock = entry.mock()
    match mock.answer:
        case "value":
            text = codec.encode(mock.value).decode()
        case "schema":
            text = "from the output schema"
        case "expression":
            text = f"= {mock.expression}"
        case "error":
            text = f"raises {mock.error}{f': {mock.message}' if mock.message else ''}"
        case "tool":
            text = "the tool itself"
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    late = f"after {mock.delay:g} s" if mock.delay else ""
    fails = f"{mock.failure_rate:.0%} fail" if mock.failure_rate else ""
    return " · ".join(filter(None, (text, late, fails)))


def tooltip_of(entry: MockEntry) -> str:
    """The same with whatever its user wrote beside it."""
    return "\n".join(filter(None, (entry.name, summary_of(entry), entry.notes)))


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
        from ptc_studio.ui.breakpoints_and_mocks.dialogs import MockDialog

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
