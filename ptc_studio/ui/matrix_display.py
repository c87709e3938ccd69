"""What running a script in all runtimes does to the window: the table fills, and any of the runs can be seen again."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer

from ptc_studio.ui.models.matrix_rows import MatrixRow
from ptc_studio.ui.models.runtime_model import title

if TYPE_CHECKING:
    from ptc_studio.runtimes.catalog import RuntimeInfo
    from ptc_studio.ui.window import MainWindow

TICK_MS = 100


class MatrixDisplay(QObject):
    """Shows the workbench's runs in all runtimes in one window."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._ticks = QTimer(self, interval=TICK_MS)
        self._ticks.timeout.connect(lambda: window.matrix.model.set_elapsed(window.workbench.elapsed))
        bench = window.workbench
        bench.matrix_began.connect(self._on_began)
        bench.matrix_row_began.connect(self._on_row_began)
        bench.events_arrived.connect(self._on_events)
        bench.matrix_row_ended.connect(window.matrix.end_row)
        bench.matrix_ended.connect(self._on_ended)
        window.matrix.row_activated.connect(self._show_run)

    def _on_began(self, total: int) -> None:
        self._window.matrix.begin(total)
        self._window.status_line.set_note("")
        self._ticks.start()

    def _on_row_began(self, info: "RuntimeInfo") -> None:
        self._window.matrix.begin_row(info)
        self._window.status_line.set_note(f"in {title(info)}")

    def _on_events(self, batch: list[Any]) -> None:
        rows = self._window.matrix.model.rows
        if self._ticks.isActive() and rows and rows[-1].running:
            rows[-1].events += batch

    def _on_ended(self) -> None:
        self._ticks.stop()
        self._window.matrix.end()
        self._window.status_line.set_note("")

    def _show_run(self, row: MatrixRow) -> None:
        """In the call tree, the inspector and the output, as if it had just ended."""
        if row.record is not None and not self._window.workbench.is_running:
            self._window.run.show_past(row.events, row.record)
            self._window.status_line.set_note(f"in {title(row.info)}")
