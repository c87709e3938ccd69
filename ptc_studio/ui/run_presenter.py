"""Starts runs of what the editor shows, shows them in the panels, and has the panels move together."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer

from ptc_studio.core.cost import CostRecord, RunStats, cost_text
from ptc_studio.core.events import OutputWritten, RunPrepared
from ptc_studio.core.registry import EVERYTHING, Grant
from ptc_studio.core.scripts import Script
from ptc_studio.samples import DEMO, is_example
from ptc_studio.ui.editor.page import EditorPage
from ptc_studio.ui.output.ending import message_of
from ptc_studio.ui.tokens import MARKS
from ptc_studio.ui.workbench import RunConditions

if TYPE_CHECKING:
    from ptc_studio.core.trace import RunRecord
    from ptc_studio.storage.history import PastRun
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.panels import Panels
    from ptc_studio.ui.run_bar.bar import RunBar
    from ptc_studio.ui.run_bar.runtime_choice import OtherLanguage, RuntimeChoice
    from ptc_studio.ui.status_line import StatusLine
    from ptc_studio.ui.targets.actions import TargetRun


STATS_MS = 100


class RunPresenter(QObject):
    """The workbench's run in one window."""

    def __init__(
        self,
        context: "Context",
        panels: "Panels",
        run_bar: "RunBar",
        status_line: "StatusLine",
        runtimes: "RuntimeChoice",
        targets: "TargetRun",
    ) -> None:
        super().__init__(context.window)
        self._context, self._panels, self._bar = context, panels, run_bar
        self._status_line, self._runtimes, self._targets = status_line, runtimes, targets
        self.wanted = False
        """Whether a run was asked for before there was a studio."""
        self.page: EditorPage | None = None
        """Whose text is running, or ran last."""
        self._run_anyway: set[str] = set()
        """Pages, by id, whose language was asked about before."""
        self._status = "ready"
        self._cost: CostRecord | None = None
        """What the run that is shown cost a model's context."""
        self._stats = QTimer(self, interval=STATS_MS)
        self._stats.timeout.connect(self._show_figures)
        bench = context.workbench
        bench.run_started.connect(self._on_run_started)
        bench.events_arrived.connect(self._on_events)
        bench.run_ended.connect(self._on_run_ended)
        bench.matrix_began.connect(lambda _total: self._show_state())
        bench.matrix_ended.connect(self._on_matrix_ended)
        bench.job_shown.connect(self._on_job_shown)
        self._show_state()

    @property
    def open_page(self) -> "EditorPage | None":
        """The page of the run, while it is still open."""
        return self.page if self.page in self._context.editors.pages else None

    def run_script(self, *, same_container: bool = False) -> None:
        """Runs what the editor shows; asked for before there is a studio, as soon as there is one.

        In the same container it goes on with the names of the run before, where the target keeps them.
        """
        page = self._page_to_run()
        if page is None:
            return
        if not self._context.workbench.is_open:
            self.wanted = True
            return
        other = self._runtimes.other_language(page)
        if other is not None and page.id not in self._run_anyway:
            self._tell_language(page, other)
            return
        if self._targets.asks_for_inputs(page, partial(self.run_script, same_container=same_container)):
            return
        self._status_line.set_note(self._runtimes.misfit(page))
        if self._panels.is_selected("matrix"):
            self._panels.select_tab("output")
        choose = self._targets.destination(page, same_container=same_container)
        runtime_id, timeout, samples = self._bar.runtime_id(), self._bar.timeout(), self._has_samples(page)
        self._context.workbench.run(self._script_of(page), runtime_id, timeout, choose, samples=samples)

    def run_again(self, past: "PastRun") -> None:
        """Runs what the editor shows as the past run was run: its runtime, target, grant, limits and inputs."""
        page, summary = self._context.editors.current(), past.summary
        if page is None or self._context.workbench.is_running:
            return
        self._bar.set_runtime(summary.runtime or "")
        choose = self._targets.destination_then(page, summary.target or "", past.inputs)
        conditions = RunConditions(EVERYTHING if past.grant is None else Grant(past.grant), past.limits)
        samples = self._context.workbench.studio.has_workspace and is_example(Path(summary.script or ""))
        timeout = past.limits.get("timeout", self._bar.timeout())
        self._context.workbench.run(
            self._script_of(page), summary.runtime or "", timeout, choose, samples=samples, conditions=conditions
        )

    def _has_samples(self, page: "EditorPage") -> bool:
        """Examples run with the sample tools, which without a workspace are those that are open."""
        return self._context.workbench.studio.has_workspace and is_example(page.path)

    def _tell_language(self, page: "EditorPage", other: "OtherLanguage") -> None:
        """The text is in another language than the runtime's: it would fail in the first line, and not say why."""

        def run_anyway() -> None:
            self._run_anyway.add(page.id)
            self.run_script()

        def run_there() -> None:
            self._bar.set_runtime(other.runtime.id)
            self.run_script()

        there = (f"Run as {other.title}", run_there)
        self._context.messages.offer(other.message, "Run anyway", run_anyway, there, kind="warning")

    def run_in_all(self) -> None:
        """Runs what the editor shows in every runtime for its ending, and compares the runs."""
        page, bench = self._page_to_run(), self._context.workbench
        if page is None or not bench.is_open:
            return
        if not bench.studio.runtimes.ids_for(page.script_name):
            self._context.messages.show_message(
                f"No runtime is known for {page.title}: save it with the ending of its language, such as .py."
            )
            return
        self._panels.select_tab("matrix")
        bench.run_in_all(self._script_of(page), self._bar.timeout(), samples=self._has_samples(page))

    def run_demo(self) -> None:
        """Opens the example of concurrent calls and runs it."""
        self._context.editors.open_file(DEMO)
        self.run_script()

    def show_past(self, events: list[Any], record: "RunRecord", script: str | None = None) -> None:
        """Shows a run that has ended as it stood at its end; of another `script` than ran last, by its name."""
        if self._context.workbench.is_running:
            return
        if script is not None:
            # Its calls lead to lines of that text, if it is open, and of no other.
            self.page = next((page for page in self._context.editors.pages if page.script_name == script), None)
        figures = RunStats()
        figures.take(events)
        self._cost = record.get("cost")
        self._panels.start_run()
        self._on_events(events)
        self._end(record)
        self._show_figures((record["duration_ms"] or 0) / 1000, figures)

    def show_more(self, events: list[Any]) -> None:
        """Adds further calls to the past run that is shown."""
        self._panels.calls.apply(events, more=True)

    def _page_to_run(self) -> "EditorPage | None":
        """What the editor shows; the last script again where that is none, such as `studio.yaml` or a file of tools."""
        page, last = self._context.editors.current(), self.open_page
        if page is None:
            self._context.messages.show_message("There is no script to run: open one, or start with the demo.")
        elif last not in (None, page) and self._context.workbench.is_open and not self._is_script(page):
            return self._instead_of(page, last)
        return page

    def _is_script(self, page: "EditorPage") -> bool:
        tools = {each.path for each in self._panels.files.files if each.group == "tools"}
        return page.path not in tools and bool(self._context.workbench.studio.runtimes.ids_for(page.script_name))

    def _instead_of(self, page: "EditorPage", last: "EditorPage") -> "EditorPage":
        """Says what runs; it comes to the front only where the runtime has to follow it."""
        later = " What was typed counts once it is saved." if page.modified else ""
        self._context.messages.show_message(f"{page.title} is no script: {last.title} runs instead.{later}", "done")
        if self._bar.runtime_id() not in self._context.workbench.studio.runtimes.ids_for(last.script_name):
            self._context.editors.set_current(last)
        return last

    def _script_of(self, page: "EditorPage") -> Script:
        self.page = page
        return Script(page.text, page.script_name, str(page.path.parent) if page.path else None)

    def _on_run_started(self) -> None:
        self._cost = None
        self._panels.calls.has_history = self._context.workbench.studio.history.recorder is not None
        self._panels.start_run()
        self._panels.set_count("output", "")
        self._bar.set_running(True)
        self._stats.start()
        self._show_state()
        self._show_figures()

    def _on_job_shown(self, shown: bool) -> None:
        if shown:
            # There may be no text yet, with which these panels come otherwise.
            self._panels.docks.set_resting(False)
            self._panels.start_run()
            bench = self._context.workbench
            self._panels.calls.has_history = bench.studio.history.recorder is not None
            self._panels.calls.start_job(bench.job_calls_before)
        self._status = "serving" if shown else "ready"
        self._show_state()

    def _on_matrix_ended(self) -> None:
        self._bar.set_running(False)
        self._show_state()

    def _on_events(self, batch: list[Any]) -> None:
        kinds = set(map(type, batch))
        if RunPrepared in kinds:
            # The time of the calls counts from here.
            self._panels.calls.start_run()
        self._panels.calls.apply(batch, more=self._context.workbench.has_more_to_tell)
        if OutputWritten in kinds:
            for event in batch:
                if isinstance(event, OutputWritten):
                    self._panels.output.append(event.stream, event.text.value)

        if self._context.workbench.shows_job:
            self._show_figures()

    def _on_run_ended(self, record: "RunRecord") -> None:
        self._stats.stop()
        self._cost = record.get("cost")
        self._bar.set_running(self._context.workbench.is_running)
        # The very time of the record, not the moment at which the last of it was shown.
        self._show_figures((record["duration_ms"] or 0) / 1000)
        self._end(record)

    def _end(self, record: "RunRecord") -> None:
        self._panels.end_run(record)
        self._status = record["status"] or ""
        self._show_state()
        self._show_failure(record)
        error, page = record["error"], self.open_page
        if error and error["line"] and page is not None:
            page.editor.mark_line(error["line"])

    def _show_failure(self, record: "RunRecord") -> None:
        """Whatever tab is in front: a mark on that of the output, and why in the status line."""
        failed, error = record["status"] != "ok", record["error"]
        self._panels.set_count("output", MARKS["error"] if failed else "")
        if failed and error:
            first = message_of(error).strip().split("\n", 1)[0]
            line = f"line {error['line']}: " if error["line"] else ""
            self._status_line.set_note(f"{MARKS['error']} {line}{error['type']}: {first}".rstrip(": "))

    def _show_figures(self, elapsed: float | None = None, figures: RunStats | None = None) -> None:
        bench, bar = self._context.workbench, self._bar
        figures = figures or bench.figures
        elapsed = bench.elapsed if elapsed is None else elapsed
        if figures.prepare_ms is None and bench.is_compiling:
            bar.show_compiling(elapsed)
            elapsed = 0.0
        else:
            bar.show_compiled(figures.prepare_ms)
        bar.set_stats(elapsed, figures.calls, figures.depth, bench.max_depth, figures.redactions)
        self._panels.corner.show_message(figures.concurrency_text)
        cost = self._cost
        bar.set_cost(f"≈ {cost['tokens_kept_out']:,}" if cost else "", cost_text(cost) if cost else "")

    def _show_state(self) -> None:
        context, running = self._context, self._context.workbench.is_running
        for name in ("runAction", "runAllAction", "demoAction"):
            context.commands[name].setEnabled(not running)
        context.commands["stopAction"].setEnabled(running)
        self._status_line.set_state("running" if running else self._status)


PLACE_AFTER = 40
"""Milliseconds until the status line tells where the cursor is: a key is not to wait for it."""


class SelectionSync(QObject):
    """Connects the panels of one window."""

    def __init__(self, context: "Context", panels: "Panels", status_line: "StatusLine", run: "RunPresenter") -> None:
        super().__init__(context.window)
        self._context, self._panels, self._status_line, self._run = context, panels, status_line, run
        self._place_soon = QTimer(self, singleShot=True, interval=PLACE_AFTER)
        self._place_soon.timeout.connect(self._show_place)
        self._connect()

    def _connect(self) -> None:
        context, panels = self._context, self._panels
        context.workbench.failed.connect(lambda message: context.messages.show_message(message, "error"))
        context.workbench.run_started.connect(context.messages.hide_passing)
        context.editors.current_changed.connect(self._on_page_changed)
        context.editors.failed.connect(lambda message: context.messages.show_message(message, "error"))
        context.tools.insert_requested.connect(self._insert)
        context.tools.file_requested.connect(lambda path, line: context.editors.open_file(Path(path), line))
        panels.calls.call_selected.connect(panels.inspector.show_record)
        panels.calls.call_selected.connect(lambda record: panels.timeline.choose(record["id"] if record else None))
        panels.timeline.call_chosen.connect(panels.calls.select_call)
        panels.calls.progress_told.connect(panels.inspector.show_progress)
        panels.calls.notes_told.connect(panels.inspector.show_notes)
        panels.calls.line_selected.connect(self._mark_line)
        panels.output.line_activated.connect(self._on_place_asked)
        panels.problems.problem_activated.connect(self._go_to)

    def in_editor(self, do: "Callable[[EditorPage], Any]") -> None:
        """Does it in the text that is in front, if there is one."""
        page = self._context.editors.current()
        if page is not None:
            do(page)

    def _on_page_changed(self, page: "EditorPage | None") -> None:
        if page is None:
            self._show_problems([], "")
            self._status_line.clear_place()
            return
        self._show_language()
        page.renamed.connect(self._show_language, Qt.ConnectionType.UniqueConnection)
        page.finder.found.connect(self._on_problems_found, Qt.ConnectionType.UniqueConnection)
        page.editor.line_activated.connect(self._on_line_activated, Qt.ConnectionType.UniqueConnection)
        page.editor.cursorPositionChanged.connect(self._place_soon.start, Qt.ConnectionType.UniqueConnection)
        self._show_problems(page.finder.known, page.finder.note)
        page.finder.look_soon()
        self._on_line_activated(page.editor.cursor_place[0])

    def _show_language(self) -> None:
        page = self._context.editors.current()
        if page is not None:
            self._panels.calls.set_language(page.language)
            self._context.tools.set_language(page.language)

    def _on_problems_found(self, _revision: int, problems: list[Any]) -> None:
        page = self._context.editors.current()
        if page is not None and self.sender() in (page.finder, None):
            self._show_problems(problems, page.finder.note)

    def _show_problems(self, problems: list[Any], note: str) -> None:
        self._panels.problems.set_problems(problems, note)
        self._panels.set_count("problems", len(problems))

    def _on_line_activated(self, line: int) -> None:
        page = self._context.editors.current()
        if page is None:
            return
        self._show_place()
        if page is self._run.page:
            self._panels.calls.select_line(line)

    def _show_place(self) -> None:
        page = self._context.editors.current()
        if page is not None:
            self._status_line.set_place(*page.editor.cursor_place)

    def _mark_line(self, line: int) -> None:
        page = self._run.open_page
        if page is not None:
            page.editor.mark_line(line)

    def _on_place_asked(self, filename: str, line: int) -> None:
        editors = self._context.editors
        for page in editors.pages:
            if filename in (page.script_name, page.title):
                editors.set_current(page)
                page.editor.go_to(line)
                return
        if Path(filename).is_file():
            self._context.editors.open_file(Path(filename), line)

    def _go_to(self, line: int, column: int) -> None:
        self.in_editor(lambda page: (page.editor.go_to(line, column), page.setFocus()))

    def _insert(self, text: str) -> None:
        self.in_editor(lambda page: (page.editor.insert_call(text), page.setFocus()))
