"""What the window does with past runs."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Signal

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.compare_runs import record_of_cassette
from ptc_studio.core.redaction.redacted import MARKER_START
from ptc_studio.core.trace import CallRecord, RunRecord, events_of_call, events_of_output
from ptc_studio.locations import HISTORY
from ptc_studio.reports import FORMATS, report
from ptc_studio.reports.bundle import read_bundle
from ptc_studio.storage.cassettes import cassettes_in, read_cassette
from ptc_studio.storage.history import History, PastRun, RunSummary
from ptc_studio.storage.text_files import replace_file
from ptc_studio.ui.dialogs.questions import choose_file
from ptc_studio.ui.history.difference_view import compared
from ptc_studio.ui.history.panel import when
from ptc_studio.ui.language.names import language_of
from ptc_studio.ui.widgets.picker import Picker, PickerChoice

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.panels import Panels
    from ptc_studio.ui.run_bar.bar import RunBar
    from ptc_studio.ui.run_presenter import RunPresenter
    from ptc_studio.ui.status_line import StatusLine

T = TypeVar("T")
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
        self._repeated: PastRun | None = None
        """The past run that runs again."""
        bench, commands = context.workbench, context.commands
        bench.attached.connect(self._on_attached)
        bench.run_started.connect(self._on_run_started)
        bench.run_ended.connect(self._on_run_ended)
        bench.failed.connect(self._on_failed)
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

    def show_difference(self, a: RunRecord, b: RunRecord, names: tuple[str, str]) -> None:
        """Puts two runs side by side."""
        self._context.start_reported(self._compare_records(a, b, names))

    async def _refresh(self, number: int) -> None:
        query, history = self._panel.query(), self._history
        runs, runtimes, tools = await self._in_thread(
            lambda: (history.runs(query), history.runtimes(), history.tools())
        )
        if number == self._asked:
            self._panel.offer(runtimes, tools)
            recorder = self._context.workbench.studio.history.recorder
            self._panel.show_runs(runs, is_kept=recorder is not None)
            if recorder is not None:
                self._panel.tell_removed(recorder.removed, recorder.most_bytes)

    async def _open(self, run: RunSummary) -> None:
        past = await self._in_thread(lambda: self._history.open(run.run_id))
        chunks = self._history.calls(run.run_id)
        first = await self._in_thread(lambda: next(chunks, []))
        if self._context.workbench.is_running:
            return
        self._shown = past.summary
        record = past.record
        events = self._events(run.run_id, first)
        shown: RunRecord = {**record, "calls": first}
        self._run.show_past([*events, *events_of_output(record)], shown, past.summary.script or "")
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
            case "compare" if len(runs) == 2:
                # The older one is what the newer is compared with.
                self._context.start_reported(self._compare(runs[1].run_id, one.run_id))
            case "pin":
                self._edit(lambda: [self._history.set_pinned(run.run_id, not one.pinned) for run in runs])
            case "delete":
                self._delete(runs)
            case _:
                acts: dict[str, Callable[[PastRun], object]] = {
                    "again": self._run_again,
                    "restore": self._restore,
                    "export": self.export,
                    "compare": self._compare_with_other,
                    "present": self.present_asked.emit,
                }
                self._context.start_reported(self._with_past(one, acts[action]))

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

    def _restore(self, past: PastRun) -> bool:
        """Puts its script into a new tab as it was, or shows its file if that is still the same; what is open stays.

        Whether it can be run as it is.
        """
        if not past.code:
            self._context.messages.show_message("Its script is not text, and was not kept.")
            return False
        file = Path(past.summary.script or "")
        if file.is_absolute() and _says(file, past.code):
            self._context.editors.open_file(file)
        else:
            self._context.editors.new_untitled(past.code, language_of(file))
        hidden = [name for name, value in past.inputs.items() if MARKER_START in json.dumps(value)]
        hidden += ["the script"] if MARKER_START in past.code else []
        if hidden:
            where = ", ".join(hidden)
            self._context.messages.show_message(
                f"A secret in {where} was hidden before it was kept: put it in again, then run.", "warning"
            )
        return not hidden

    def _run_again(self, past: PastRun) -> None:
        if self._context.workbench.is_running:
            self._context.messages.show_message("A run goes on: stop it, or wait for its end, to repeat a past one.")
        elif self._restore(past) and past.summary.runtime:
            self._repeated = past
            self._run.run_again(past)

    def _on_failed(self, _message: str) -> None:
        """What could not be begun is not what ends next."""
        self._repeated = None

    def _on_run_ended(self, record: RunRecord) -> None:
        self.refresh()
        past, self._repeated = self._repeated, None
        if past is not None:
            self._context.messages.offer(
                f"{past.title} ran again, with the grant, the limits and the inputs of {when(past.summary.started)}.",
                "Compare the two",
                partial(self.show_difference, past.record, record, (_label(past), "now")),
            )

    def _delete(self, runs: list[RunSummary]) -> None:
        ids = [run.run_id for run in runs]
        self._edit(lambda: self._history.delete(ids))
        what = f"{runs[0].title} was deleted." if len(runs) == 1 else f"{len(runs)} runs were deleted."
        self._context.messages.offer(what, "Undo", partial(self._edit, lambda: self._history.restore(ids)))

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

    async def _compare_with_former(self, later: RunSummary | None = None) -> None:
        runs = [run for run in await self._in_thread(self._history.runs) if run.kind == "run"]
        later = later or next(iter(runs), None)
        same = [run for run in runs if later and run.script == later.script and run.started < later.started]
        if later is None or not same:
            self._context.messages.show_message("There is no earlier run of this script: choose two in the history.")
            return
        await self._compare(same[0].run_id, later.run_id)

    async def _compare(self, a: str, b: str) -> None:
        one, other = await self._in_thread(lambda: [self._history.open(name, with_calls=True) for name in (a, b)])
        await self._compare_records(one.record, other.record, (_label(one), _label(other)))

    def _compare_with_other(self, past: PastRun) -> None:
        """Has the user choose what one run is compared with: the one before it, or a cassette."""
        studio = self._context.workbench.studio
        start = self._context.start_reported
        cassettes = cassettes_in(studio.folder if studio.has_workspace else self._context.settings.folder)
        choices = [
            PickerChoice("The run of this script before it", lambda: start(self._compare_with_former(past.summary)))
        ]
        choices += [
            PickerChoice(f"Cassette {path.stem}", lambda path=path: start(self._compare_with_cassette(past, path)))
            for path in cassettes
        ]
        Picker(self._context.window, f"Compare {past.title} with", choices).pop_up()

    async def _compare_with_cassette(self, past: PastRun, path: Path) -> None:
        cassette = await self._in_thread(lambda: read_cassette(path))
        recorded = record_of_cassette(cassette, past.record)
        await self._compare_records(recorded, past.record, (f"cassette {path.stem}", _label(past)))

    async def _compare_records(self, a: RunRecord, b: RunRecord, names: tuple[str, str]) -> None:
        made = await self._in_thread(lambda: compared(a, b, names))
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


def _says(file: Path, text: str) -> bool:
    """Whether that is what stands in the file."""
    try:
        return read_bytes(file).decode() == text
    except (OSError, ValueError):
        return False


def _label(past: PastRun) -> str:
    return f"{past.title}, {when(past.summary.started)}"
