"""The runs of one script in every runtime for it, side by side; what is unlike in most of the others is marked."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QTreeView, QVBoxLayout, QWidget

from ptc_studio.core.compare_runs import differences
from ptc_studio.core.trace import RunRecord
from ptc_studio.ui.run_bar.runtime_selector import NO_ISOLATION, plain_name, title
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS
from ptc_studio.ui.widgets.buttons import flat_button
from ptc_studio.ui.widgets.item_views import RowTable, table_view
from ptc_studio.ui.widgets.labels import EmptyOverlay, PlainLabel

if TYPE_CHECKING:
    from ptc_studio.runtimes.catalog import RuntimeInfo
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.run_presenter import RunPresenter
    from ptc_studio.ui.status_line import StatusLine


COLUMNS = ("Runtime", "Version", "Isolation", "Status", "Time", "Compiled", "Calls", "Value", "Output", "Error")
RUNTIME, VERSION, ISOLATION, STATUS, TIME, COMPILED, CALLS, VALUE, OUTPUT, ERROR = range(len(COLUMNS))
COMPARED = {
    STATUS: ("status", "return_code"),
    CALLS: ("calls",),
    VALUE: ("value",),
    OUTPUT: ("stdout", "stderr"),
    ERROR: ("error",),
}
"""The fields of the record that a cell tells of."""
UNLIKE = "≠"
ROOM = 120
TOOLTIP_ROOM = 4_000


@dataclass(slots=True)
class MatrixRow:
    """One runtime, and what came of the script in it."""

    info: "RuntimeInfo"
    record: RunRecord | None = None
    running: bool = False
    elapsed: float = 0.0
    """Seconds, while it runs."""
    unlike: tuple[str, ...] = ()
    """The fields of the record that are not as in most of the others."""
    events: list[Any] = field(default_factory=list[Any])

    @property
    def status(self) -> str:
        if self.running or self.record is None:
            return "running" if self.running else "not available"
        return self.record["status"] or ""

    def is_unlike(self, column: int) -> bool:
        return bool(set(COMPARED.get(column, ())) & set(self.unlike))


def cell(row: MatrixRow, column: int) -> str:
    """What stands in the cell, on one line."""
    text = _short(_plain(row, column))
    return f"{UNLIKE} {text}".rstrip() if row.is_unlike(column) else text


def whole(row: MatrixRow, column: int) -> str:
    """All of what the cell tells, for a tooltip; long texts are cut."""
    record = row.record
    if column == OUTPUT and record is not None:
        streams = (record["stdout"], f"stderr:\n{record['stderr']}" if record["stderr"] else "")
        text = "\n".join(filter(None, streams)).rstrip()
    elif column == ERROR and record is not None and record["error"]:
        text = record["error"]["traceback"].rstrip() or _plain(row, column)
    elif column == VALUE and record is not None and record["value"] is not None:
        text = json.dumps(record["value"], ensure_ascii=False, indent=2)
    else:
        text = _plain(row, column)
    text = text if len(text) <= TOOLTIP_ROOM else text[:TOOLTIP_ROOM] + "…"
    return f"{text}\n{UNLIKE} unlike most of the others" if row.is_unlike(column) else text


def as_text(rows: Sequence[MatrixRow]) -> str:
    """The table in columns of even width, to be pasted where people read."""
    lines = [list(COLUMNS), *([cell(row, column) for column in range(len(COLUMNS))] for row in rows)]
    used = [column for column in range(len(COLUMNS)) if any(line[column] for line in lines[1:])]
    widths = {column: max(len(line[column]) for line in lines) for column in used}
    return "".join("  ".join(line[column].ljust(widths[column]) for column in used).rstrip() + "\n" for line in lines)


def as_json(rows: Sequence[MatrixRow]) -> str:
    """The records, and in which fields which of them are unlike the others."""
    ended = [row for row in rows if row.record is not None]
    unlike = [{"runtime": row.info.id, "fields": list(row.unlike)} for row in ended if row.unlike]
    return json.dumps(
        {"runs": [row.record for row in ended], "differences": unlike}, ensure_ascii=False, indent=2, default=str
    )


def _plain(row: MatrixRow, column: int) -> str:
    info, record = row.info, row.record
    match column:
        case 0:
            return plain_name(info)
        case 1:
            return info.version or ""
        case 2:
            told = record["isolation"] if record is not None else None
            return told or (info.isolation if info.available else "")
        case 3:
            return _status(row)
        case 4 if row.running:
            return f"{row.elapsed:.2f} s"
        case 9 if record is None and not row.running:
            return info.reason or ""
        case _:
            return _outcome(record, column) if record is not None else ""


def _status(row: MatrixRow) -> str:
    mark = MARKS.get(row.status, "–" if row.record is None else "✕")
    # Of a run that was stopped it only tells how.
    code = row.record["return_code"] if row.record and row.status in ("error", "crashed") else None
    return f"{mark} {row.status}" + (f" ({code})" if code else "")


def _outcome(record: RunRecord, column: int) -> str:
    error = record["error"]
    match column:
        case 4:
            return _seconds(record["duration_ms"])
        case 5:
            return _seconds(record["prepare_ms"])
        case 6:
            return f"{len(record['calls']):,}"
        case 7:
            return "" if record["value"] is None else json.dumps(record["value"], ensure_ascii=False)
        case 8:
            return record["stdout"] or record["stderr"]
        case _:
            return f"{error['type']}: {error['message']}" if error else ""


def _seconds(milliseconds: float | None) -> str:
    return "" if milliseconds is None else f"{milliseconds / 1000:.3f} s"


def _short(text: str) -> str:
    """The first line that says something."""
    lines = text.strip().splitlines() or [""]
    first = lines[0][:ROOM]
    return f"{first} …" if len(lines) > 1 or len(lines[0]) > ROOM else first


FIGURES = (TIME, COMPILED, CALLS)
TONES = {"ok": "ok", "running": "accent", "not available": "muted", "cancelled": "warning"}


class MatrixModel(RowTable[MatrixRow]):
    """The rows in the order in which the runs began."""

    columns, figures = COLUMNS, FIGURES

    def cell(self, row: MatrixRow, column: int) -> str:
        return cell(row, column)

    def whole(self, row: MatrixRow, column: int) -> str:
        return whole(row, column)

    def tone(self, row: MatrixRow, column: int) -> str:
        if row.is_unlike(column):
            return "warning"
        if column == STATUS:
            return TONES.get(row.status, "error")
        if column == ERROR and row.record is not None:
            return "error"
        if column == ISOLATION and cell(row, column) == NO_ISOLATION:
            return "warning"
        return "text" if column == 0 or row.record is not None or row.running else "muted"

    def start_row(self, info: "RuntimeInfo") -> MatrixRow:
        """The script begins in this runtime."""
        return self.append(MatrixRow(info, running=True))

    def end_row(self, info: "RuntimeInfo", record: RunRecord | None) -> None:
        """It has ended there; without a record, the runtime is not available."""
        row = next((row for row in self.rows if row.info.id == info.id), None) or self.append(MatrixRow(info))
        row.running, row.record = False, record
        self._compare()
        self.repaint()

    def set_elapsed(self, seconds: float) -> None:
        """How long the run that goes on has taken."""
        for number, row in enumerate(self.rows):
            if row.running:
                row.elapsed = seconds
                self.dataChanged.emit(self.index(number, TIME), self.index(number, TIME))

    def stop(self) -> None:
        """No run goes on any more, whatever is said of it."""
        for row in self.rows:
            row.running = False
        self.repaint()

    def _compare(self) -> None:
        ended = [row for row in self.rows if row.record is not None]
        for row, unlike in zip(ended, differences([row.record for row in ended if row.record]), strict=True):
            row.unlike = unlike


EMPTY = "Run in all (Ctrl+F5) runs the script in every runtime for its language and compares the runs here"
WIDTHS = {VALUE: 80, OUTPUT: 180, ERROR: 200}
"""Of what may be long; the others are as wide as what stands in them."""
NARROWEST = 48


class MatrixPanel(QWidget):
    """The table, a line that says how far it is, and its buttons.

    Signals: row_activated(row): all of this run is to be seen. compare_asked(a, b): these two, call by call.
    """

    row_activated = Signal(object)
    compare_asked = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = MatrixModel(self)
        self._total = 0
        self._lay_out()
        self.view.activated.connect(self._on_activated)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._show_possible())
        self._show_possible()
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def begin(self, total: int) -> None:
        """Makes way for the runs of a script in so many runtimes."""
        self._total = total
        self.model.set_rows([])
        self._show_columns()
        self.progress.show()
        self._say(f"Looking for {total} runtimes…" if total > 1 else "Looking for the runtime…")

    def start_row(self, info: "RuntimeInfo") -> None:
        """The script begins in this runtime."""
        self.model.start_row(info)
        self._say(f"◐ Running in {info.name}, {len(self.model.rows)} of {self._total}")
        self.view.scrollToBottom()

    def end_row(self, info: "RuntimeInfo", record: RunRecord | None) -> None:
        """It has ended there, or could not begin."""
        self.model.end_row(info, record)
        self._show_columns()
        self._show_possible()

    def end(self) -> None:
        """All have ended, or were stopped."""
        self.model.stop()
        self._say(self.summary())

    def summary(self) -> str:
        """What came of all the runs."""
        ran = [row for row in self.model.rows if row.record is not None]
        if not ran:
            return "▲ None of the runtimes for this script is available"
        if ran[-1].status == "cancelled":
            return f"▲ Stopped after {len(ran)} of {self._total}"
        unlike = sum(bool(row.unlike) for row in ran)
        if len(ran) == 1:
            return "Ran in one runtime: there is no other to compare it with"
        return f"≠ {unlike} of {len(ran)} runs differ from the others" if unlike else f"✓ {len(ran)} runs, all alike"

    def copy_text(self) -> None:
        """Puts the table on the clipboard."""
        QGuiApplication.clipboard().setText(as_text(self.model.rows))

    def copy_json(self) -> None:
        """Puts the records and their differences on the clipboard."""
        QGuiApplication.clipboard().setText(as_json(self.model.rows))

    def chosen(self) -> list[MatrixRow]:
        """The runs that are chosen and over, in the order of the table."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return [self.model.rows[row] for row in rows if self.model.rows[row].record is not None]

    def _compare_chosen(self) -> None:
        chosen = self.chosen()
        if len(chosen) == 2:
            self.compare_asked.emit(*chosen)

    def _show_possible(self) -> None:
        self.compare_button.setEnabled(len(self.chosen()) == 2)

    def _show_columns(self) -> None:
        """A column in which nothing stands takes no room."""
        for column in (COMPILED, VALUE, OUTPUT, ERROR):
            self.view.setColumnHidden(column, not any(cell(row, column) for row in self.model.rows))

    def _say(self, text: str) -> None:
        self.progress.setText(text)

    def _lay_out(self) -> None:
        self.view = table_view("matrixView", "Runs compared", self.model)
        self.view.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
        EmptyOverlay(self.view, EMPTY).watch(self.model)
        header = self.view.header()
        header.setStretchLastSection(True)
        for column in set(range(len(COLUMNS))) - set(WIDTHS):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.progress = PlainLabel()
        self.progress.setProperty("role", "muted")
        self.progress.setContentsMargins(12, 4, 12, 4)
        self.progress.hide()
        buttons = QVBoxLayout()
        buttons.setContentsMargins(4, 4, 4, 4)
        buttons.setSpacing(2)
        self.compare_button = flat_button("wrap", "Compare two call by call: choose both", self._compare_chosen)
        buttons.addWidget(self.compare_button)
        buttons.addWidget(flat_button("copy", "Copy the table as text", self.copy_text))
        buttons.addWidget(flat_button("file", "Copy the runs as JSON", self.copy_json))
        buttons.addStretch(1)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.progress)
        column.addWidget(self.view, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(column, 1)
        row.addLayout(buttons)

    def _on_activated(self, index: QModelIndex) -> None:
        row = self.model.rows[index.row()]
        if row.record is not None:
            self.row_activated.emit(row)

    def _on_theme_changed(self) -> None:
        self.view.header().setMinimumSectionSize(theme().pixels(NARROWEST))
        for column, width in WIDTHS.items():
            self.view.setColumnWidth(column, theme().pixels(width))
        self.model.repaint()


TICK_MS = 100


class MatrixPresenter(QObject):
    """Shows the workbench's runs in all runtimes in one window."""

    def __init__(
        self,
        context: "Context",
        panel: MatrixPanel,
        status_line: "StatusLine",
        run: "RunPresenter",
        show_difference: Callable[[RunRecord, RunRecord, tuple[str, str]], None],
    ) -> None:
        super().__init__(context.window)
        self._panel, self._status_line, self._run = panel, status_line, run
        self._show_difference = show_difference
        self._bench = bench = context.workbench
        self._ticks = QTimer(self, interval=TICK_MS)
        self._ticks.timeout.connect(lambda: panel.model.set_elapsed(bench.elapsed))
        bench.matrix_began.connect(self._on_began)
        bench.matrix_row_began.connect(self._on_row_began)
        bench.matrix_row_ended.connect(panel.end_row)
        bench.matrix_ended.connect(self._on_ended)
        panel.row_activated.connect(self._show_run)
        panel.compare_asked.connect(self._compare)

    def _on_began(self, total: int) -> None:
        self._panel.begin(total)
        self._status_line.set_note("")
        self._ticks.start()
        # Runs of one runtime alone are none of its business.
        self._bench.events_arrived.connect(self._on_events)

    def _on_row_began(self, info: "RuntimeInfo") -> None:
        self._panel.start_row(info)
        self._status_line.set_note(f"in {title(info)}")

    def _on_events(self, batch: list[Any]) -> None:
        rows = self._panel.model.rows
        if rows and rows[-1].running:
            rows[-1].events += batch

    def _on_ended(self) -> None:
        self._bench.events_arrived.disconnect(self._on_events)
        self._ticks.stop()
        self._panel.end()
        self._status_line.set_note("")

    def _show_run(self, row: MatrixRow) -> None:
        """In the call tree, the inspector and the output, as if it had just ended."""
        if row.record is not None and not self._bench.is_running:
            self._run.show_past(row.events, row.record)
            self._status_line.set_note(f"in {title(row.info)}")

    def _compare(self, a: MatrixRow, b: MatrixRow) -> None:
        if a.record is not None and b.record is not None:
            self._show_difference(a.record, b.record, (title(a.info), title(b.info)))
