"""What a run does to the panels: its beginning, its events, its end."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from ptc_studio.core.events import OutputWritten, RunPrepared
from ptc_studio.ui.run_stats import RunStats

if TYPE_CHECKING:
    from ptc_studio.core.trace import RunRecord
    from ptc_studio.ui.editor.page import EditorPage
    from ptc_studio.ui.main_window import MainWindow

STATS_MS = 100


class RunPresenter(QObject):
    """Shows the workbench's run in one window."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.page: EditorPage | None = None
        """Whose text is running, or ran last."""
        self._status = "ready"
        self._stats = QTimer(self, interval=STATS_MS)
        self._stats.timeout.connect(self._show_figures)
        bench = window.workbench
        bench.run_started.connect(self._on_run_started)
        bench.events_arrived.connect(self._on_events)
        bench.run_ended.connect(self._on_run_ended)
        bench.matrix_began.connect(lambda _total: self._show_state())
        bench.matrix_ended.connect(self._on_matrix_ended)
        self._show_state()

    @property
    def open_page(self) -> "EditorPage | None":
        """The page of the run, while it is still open."""
        return self.page if self.page in self._window.editors.pages else None

    def show_past(self, events: list[Any], record: "RunRecord") -> None:
        """Shows a run that has ended as it stood at its end."""
        if self._window.workbench.is_running:
            return
        figures = RunStats()
        figures.take(events)
        self._clear()
        self._on_events(events)
        self._close(record)
        self._show_figures((record["duration_ms"] or 0) / 1000, figures)

    def _clear(self) -> None:
        window = self._window
        window.calls.start_run()
        window.inspector.show_record(None)
        window.timeline.start_run()
        window.output.start_run()

    def _on_run_started(self) -> None:
        self._clear()
        self._window.run_bar.set_running(True)
        self._stats.start()
        self._show_state()
        self._show_figures()

    def _on_matrix_ended(self) -> None:
        self._window.run_bar.set_running(False)
        self._show_state()

    def _on_events(self, batch: list[Any]) -> None:
        kinds = set(map(type, batch))
        if RunPrepared in kinds:
            # The time of the calls counts from here.
            self._window.calls.start_run()
        self._window.calls.apply(batch, more=self._window.workbench.has_more_to_tell)
        if OutputWritten in kinds:
            for event in batch:
                if isinstance(event, OutputWritten):
                    self._window.output.append(event.stream, event.text.value)

    def _on_run_ended(self, record: "RunRecord") -> None:
        self._stats.stop()
        self._window.run_bar.set_running(self._window.workbench.is_running)
        # The very time of the record, not the moment at which the last of it was shown.
        self._show_figures((record["duration_ms"] or 0) / 1000)
        self._close(record)

    def _close(self, record: "RunRecord") -> None:
        window = self._window
        window.calls.end_run()
        window.timeline.end_run()
        window.output.show_ending(record)
        self._status = record["status"] or ""
        self._show_state()
        error, page = record["error"], self.open_page
        if error and error["line"] and page is not None:
            page.editor.mark_line(error["line"])

    def _show_figures(self, elapsed: float | None = None, figures: RunStats | None = None) -> None:
        bench, bar = self._window.workbench, self._window.run_bar
        figures = figures or bench.figures
        elapsed = bench.elapsed if elapsed is None else elapsed
        if figures.prepare_ms is None and bench.is_compiling:
            bar.show_compiling(elapsed)
            elapsed = 0.0
        else:
            bar.show_compiled(figures.prepare_ms)
        bar.set_stats(elapsed, figures.calls, figures.depth, bench.max_depth, figures.redactions)
        self._window.concurrency.show_message(figures.concurrency_text)

    def _show_state(self) -> None:
        window, running = self._window, self._window.workbench.is_running
        for name in ("runAction", "runAllAction", "demoAction"):
            window.commands[name].setEnabled(not running)
        window.commands["stopAction"].setEnabled(running)
        window.status_line.set_state("running" if running else self._status)
