"""What the window does with past runs."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Signal

from ptc_studio.core.trace import CallRecord, events_of_call, events_of_output
from ptc_studio.locations import HISTORY
from ptc_studio.reports import FORMATS, report
from ptc_studio.reports.bundle import read_bundle
from ptc_studio.storage.history import History, PastRun, RunSummary
from ptc_studio.storage.text_files import replace_file
from ptc_studio.ui.dialogs.questions import choose_file
from ptc_studio.ui.history.difference_view import compared
from ptc_studio.ui.history.model import when
from ptc_studio.ui.language.names import language_of
from ptc_studio.ui.widgets.picker import Picker, PickerChoice

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.panels import Panels
    from ptc_studio.ui.run_bar.bar import RunBar
    from ptc_studio.ui.run_presenter import RunPresenter
    from ptc_studio.ui.status_line import StatusLine

T = TypeVar("T")
CALLS_AT_ONCE = 250
MOST_SHOWN = 20_000
"""Of a past run; more calls than that are counted, and exported, but not drawn."""


class HistoryActions(QObject):
    """Serves the history's panel, and the commands about runs.

    Signals: present_asked(past): the run is to be shown to an audience.
    """

    present_asked = Signal(object)
    _faulted = Signal(str)

    def __init__(
        self, context: "Context", panels: "Panels", run: "RunPresenter", run_bar: "RunBar", status_line: "StatusLine"
    ) -> None:
        super().__init__(context.window)
        self._context, self._panels, self._run = context, panels, run
        self._bar, self._status_line = run_bar, status_line
        self._panel = panels.history
        self._history = History(context.settings.folder / HISTORY, self._faulted.emit)
        self._asked = 0
        """Counts the searches: what an earlier one finds late is not shown."""
        self._shown: RunSummary | None = None
        """The past run that the panels show, if it is one."""
        bench, commands = context.workbench, context.commands
        bench.attached.connect(self._on_attached)
        bench.run_started.connect(self._on_run_started)
        bench.run_ended.connect(lambda _record: self.refresh())
        self._panel.query_changed.connect(self.refresh)
        self._panel.asked.connect(self._on_asked)
        self._panel.model.renamed.connect(self._rename)
        self._faulted.connect(context.messages.show_message)
        commands["exportAction"].triggered.connect(lambda: self._with_current(self.export))
        commands["presentAction"].triggered.connect(lambda: self._with_current(self.present_asked.emit))
        commands["compareAction"].triggered.connect(self._compare_last)
        if bench.is_open:
            self._on_attached()
        if (context.settings.folder / HISTORY).is_file():
            panels.reveal("history")

    def refresh(self) -> None:
        """Looks for what the panel asks for, if it is seen."""
        if self._context.workbench.is_open and self._panel.isVisible():
            self._asked += 1
            self._context.start_reported(self._refresh(self._asked))

    def open(self, run: RunSummary) -> None:
        """Shows the run with its tree, timeline and output as they were."""
        if self._context.workbench.is_running:
            self._context.messages.show_message("A run goes on: stop it, or wait for its end, to open a past one.")
        else:
            self._context.start_reported(self._open(run))

    async def open_bundle(self, path: Path) -> None:
        """Shows the run of a bundle as it was; nothing of it is executed."""
        read = await self._in_thread(lambda: read_bundle(path))
        record = read.record
        events = self._events(record["run_id"], record["calls"][:MOST_SHOWN])
        self._run.show_past([*events, *events_of_output(record)], record)
        self._status_line.set_note(f"{read.name}, as {path.name} has it")

    def export(self, past: PastRun) -> None:
        """Has the user choose a format and a file."""
        choices = [
            PickerChoice(form.title, partial(self._choose_file, past, form.id), f"*{form.ending}")
            for form in FORMATS.values()
        ]
        Picker(self._context.window, f"Share or export {past.title} as", choices).pop_up()

    def write_report(self, past: PastRun, form: str, path: Path) -> None:
        """Writes the run there."""
        self._context.start_reported(self._write(past, form, path))

    async def _refresh(self, number: int) -> None:
        query, history = self._panel.query(), self._history
        runs, runtimes, tools = await self._in_thread(
            lambda: (history.runs(query), history.runtimes(), history.tools())
        )
        if number == self._asked:
            self._panel.offer(runtimes, tools)
            is_kept = self._context.workbench.studio.history.recorder is not None
            self._panel.show_runs(runs, is_kept=is_kept)

    async def _open(self, run: RunSummary) -> None:
        past = await self._in_thread(lambda: self._history.open(run.run_id))
        chunks = self._history.calls(run.run_id)
        first = await self._in_thread(lambda: next(chunks, []))
        if self._context.workbench.is_running:
            return
        self._shown = past.summary
        record = past.record
        events = self._events(run.run_id, first)
        self._run.show_past([*events, *events_of_output(record)], {**record, "calls": first})
        self._status_line.set_note(f"{past.title}, a past run")
        count = len(first)
        # The rest comes bit by bit: a window that waits for a hundred thousand calls is one that hangs.
        while count < MOST_SHOWN and self._shown == past.summary:
            chunk: list[CallRecord] = await self._in_thread(lambda: next(chunks, []))
            if not chunk or self._shown != past.summary:
                break
            self._run.show_more(self._events(run.run_id, chunk))
            count += len(chunk)
            await asyncio.sleep(0)
        if past.summary.calls > count:
            self._status_line.set_note(f"{past.title}, a past run: {count:,} of its {past.summary.calls:,} calls")

    def _events(self, run_id: str, calls: list[CallRecord]) -> list[Any]:
        return [event for call in calls for event in events_of_call(run_id, call)]

    def _on_asked(self, action: str, runs: list[RunSummary]) -> None:
        one = runs[0]
        match action:
            case "open":
                self.open(one)
            case "compare":
                # The older one is what the newer is compared with.
                self._context.start_reported(self._compare(runs[1].run_id, one.run_id))
            case "pin":
                self._edit(lambda: [self._history.set_pinned(run.run_id, not one.pinned) for run in runs])
            case "delete":
                self._delete(runs)
            case _:
                act = {"again": self._run_again, "restore": self._restore, "export": self.export}.get(action)
                self._context.start_reported(self._with_past(one, act or self.present_asked.emit))

    async def _with_past(self, run: RunSummary, act: Callable[[PastRun], object]) -> None:
        """Does it with the whole run."""
        act(await self._in_thread(lambda: self._history.open(run.run_id, with_calls=True)))

    def _with_current(self, act: Callable[[PastRun], object]) -> None:
        """Does it with the run that is shown, or the last one."""
        if self._context.is_ready():
            self._context.start_reported(self._with_last(act))

    async def _with_last(self, act: Callable[[PastRun], object]) -> None:
        name = self._shown.run_id if self._shown else "last"
        act(await self._in_thread(lambda: self._history.open(name, with_calls=True)))

    def _restore(self, past: PastRun) -> None:
        """Puts its script into a new tab, as it was; what is open stays."""
        if not past.code:
            self._context.messages.show_message("Its script is not text, and was not kept.")
            return
        self._context.editors.new_untitled(past.code, language_of(Path(past.summary.script or "")))
        if "[REDACTED:" in past.code:
            self._context.messages.show_message(
                "A secret in the script was hidden before it was kept: put it in again."
            )

    def _run_again(self, past: PastRun) -> None:
        self._restore(past)
        if past.code and past.summary.runtime:
            self._bar.set_runtime(past.summary.runtime)
            self._run.run_script()

    def _delete(self, runs: list[RunSummary]) -> None:
        ids = [run.run_id for run in runs]
        self._edit(lambda: self._history.delete(ids))
        what = f"{runs[0].title} was deleted." if len(runs) == 1 else f"{len(runs)} runs were deleted."
        restore = partial(self._edit, lambda: self._history.restore(ids))
        self._context.messages.offer(
            f"{what} was deleted." if len(runs) == 1 else f"{what} were deleted.", "Undo", restore
        )

    def _rename(self, run: RunSummary, name: str) -> None:
        self._edit(lambda: self._history.set_name(run.run_id, name))

    def _edit(self, change: Callable[[], object]) -> None:
        async def edit() -> None:
            await self._in_thread(change)
            self.refresh()

        self._context.start_reported(edit())

    def _compare_last(self) -> None:
        """The last run with the one before it of the same script."""
        if self._context.is_ready():
            self._context.start_reported(self._compare_with_former())

    async def _compare_with_former(self) -> None:
        runs = [run for run in await self._in_thread(self._history.runs) if run.kind == "run"]
        former = next((run for run in runs[1:] if run.script == runs[0].script), None)
        if former is None:
            self._context.messages.show_message("There is no earlier run of this script: choose two in the history.")
            return
        await self._compare(former.run_id, runs[0].run_id)

    async def _compare(self, a: str, b: str) -> None:
        def make() -> Any:
            one, other = (self._history.open(name, with_calls=True) for name in (a, b))
            return compared(one.record, other.record, (_label(one), _label(other)))

        made = await self._in_thread(make)
        self._panels.difference.show_compared(made)
        self._panels.select_tab("difference")

    def _choose_file(self, past: PastRun, form: str) -> None:
        name = f"{Path(past.title).stem or 'run'}-{past.summary.run_id[:6]}{FORMATS[form].ending}"
        choose_file(self._context.window, Path.home() / name, partial(self.write_report, past, form))

    async def _write(self, past: PastRun, form: str, path: Path) -> None:
        try:
            await self._in_thread(lambda: replace_file(path.resolve(), report(past, form)))
        except OSError as error:
            self._context.messages.show_message(f"{path} cannot be written: {error.strerror or error}.")
        else:
            self._context.messages.show_message(f"{past.title} is written to {path}.", "done")

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await self._context.workbench.studio.in_thread(work)

    def _on_attached(self) -> None:
        recorder = self._context.workbench.studio.history.recorder
        if recorder is not None:
            recorder.on_fault = self._faulted.emit
            self._history.path = recorder.path
        self.refresh()

    def _on_run_started(self) -> None:
        self._shown = None


def _label(past: PastRun) -> str:
    return f"{past.title}, {when(past.summary.started)}"
