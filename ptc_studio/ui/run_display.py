"""What a run does to the panels: its beginning, its events, its end."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from ptc_studio.core.events import OutputWritten

if TYPE_CHECKING:
    from ptc_studio.ui.widgets.editor.page import EditorPage
    from ptc_studio.ui.window import MainWindow

STATS_MS = 100


class RunDisplay(QObject):
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
        bench.run_began.connect(self._on_run_began)
        bench.events_arrived.connect(self._on_events)
        bench.run_ended.connect(self._on_run_ended)
        self._show_state()

    @property
    def open_page(self) -> "EditorPage | None":
        """The page of the run, while it is still open."""
        return self.page if self.page in self._window.editors.pages else None

    def _on_run_began(self) -> None:
        window = self._window
        window.calls.begin_run()
        window.inspector.show_record(None)
        window.output.begin_run()
        window.run_bar.set_running(True)
        self._stats.start()
        self._show_state()
        self._show_figures()

    def _on_events(self, batch: list[Any]) -> None:
        self._window.calls.apply(batch)
        for event in batch:
            if isinstance(event, OutputWritten):
                self._window.output.append(event.stream, event.text.value)

    def _on_run_ended(self, record: dict[str, Any]) -> None:
        window = self._window
        self._stats.stop()
        window.calls.end_run()
        window.output.show_ending(record)
        window.run_bar.set_running(False)
        self._show_figures()
        self._status = record["status"]
        self._show_state()
        error, page = record["error"], self.open_page
        if error and error["line"] and page is not None:
            page.editor.mark_line(error["line"])

    def _show_figures(self) -> None:
        bench, figures = self._window.workbench, self._window.workbench.figures
        self._window.run_bar.set_stats(bench.elapsed, figures.calls, figures.depth, bench.max_depth, figures.redactions)

    def _show_state(self) -> None:
        window, running = self._window, self._window.workbench.is_running
        window.commands["runAction"].setEnabled(not running)
        window.commands["stopAction"].setEnabled(running)
        window.status_line.set_state("running" if running else self._status)
