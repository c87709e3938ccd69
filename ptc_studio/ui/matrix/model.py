"""The runs of one script in several runtimes, a row each; rows come while the runs go on."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ptc_studio.core.compare_runs import differences
from ptc_studio.core.trace import RunRecord
from ptc_studio.ui.run_bar.runtime_selector import NO_ISOLATION, plain_name
from ptc_studio.ui.tokens import MARKS
from ptc_studio.ui.widgets.item_views import RowTable

if TYPE_CHECKING:
    from ptc_studio.runtimes.catalog import RuntimeInfo


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
