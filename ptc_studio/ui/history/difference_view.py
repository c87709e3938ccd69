"""Two runs side by side: which calls came, went or changed, how, and how long each took; the output as a difference."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from ptc_studio.core.compare_runs import Difference, Pair, aligned, compare
from ptc_studio.core.trace import RunRecord
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import ElidedLabel, EmptyOverlay, plain_tip

EMPTY = "Choose two runs in the history to compare them here"
COLUMNS = ("Call", "Line", "A", "B", "Time A", "Time B")
CALL, LINE, A, B, TIME_A, TIME_B = range(len(COLUMNS))
MARKS = {"same": ("=", "muted"), "added": ("+", "ok"), "gone": ("−", "error"), "changed": ("≠", "warning")}
WORDS = {"return_code": "exit status"}
MOST = 2_000
ROOM = 300


@dataclass(frozen=True, slots=True)
class Compared:
    """What is shown, made in a thread."""

    a: RunRecord
    b: RunRecord
    names: tuple[str, str]
    pairs: list[Pair]
    found: Difference


def compared(a: RunRecord, b: RunRecord, names: tuple[str, str]) -> Compared:
    """The two runs aligned."""
    return Compared(a, b, names, aligned(a["calls"], b["calls"]), compare(a, b))


class DifferenceView(QWidget):
    """Empty until two runs are given."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Compared | None = None
        self.summary = ElidedLabel()
        self.summary.setProperty("role", "muted")
        self.only_changes = QCheckBox("Only what differs")
        self.only_changes.setChecked(True)
        self.only_changes.toggled.connect(lambda _on: self._fill())
        self.tree = QTreeWidget()
        self.tree.setObjectName("differenceView")
        self.tree.setAccessibleName("Difference of two runs")
        self.tree.setUniformRowHeights(True)
        self.tree.setHeaderLabels(COLUMNS)
        _align_times(self.tree.headerItem())
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        for column in (LINE, TIME_A, TIME_B):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        for column in (CALL, A, B):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.empty = EmptyOverlay(self.tree, EMPTY)
        self.empty.watch(self.tree.model())
        head = QHBoxLayout()
        head.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        head.addWidget(self.summary, 1)
        head.addWidget(self.only_changes)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.tree, 1)
        theme().changed.connect(self._fill)

    def show_compared(self, shown: Compared) -> None:
        """Puts the two side by side."""
        self._shown = shown
        self._fill()

    def _fill(self) -> None:
        shown = self._shown
        self.tree.clear()
        if shown is None:
            return
        self.tree.setHeaderLabels(["Call", "Line", f"A: {shown.names[0]}", f"B: {shown.names[1]}", "Time A", "Time B"])
        for column, name in ((A, shown.names[0]), (B, shown.names[1])):
            self.tree.headerItem().setToolTip(column, plain_tip(name))
        self.summary.setText(_summary(shown))
        self.empty.setText("The runs are equal" if shown.found["same"] else EMPTY)
        items = [*self._of_run(shown), *self._of_calls(shown), *self._of_output(shown)]
        self.tree.addTopLevelItems(items)
        for item in items:
            item.setExpanded(True)

    def _of_run(self, shown: Compared) -> Iterable[QTreeWidgetItem]:
        one, other = dict(shown.a), dict(shown.b)
        for field in shown.found["fields"]:
            cells = [_error_text(each[field]) if field == "error" else _text(each[field]) for each in (one, other)]
            yield _item(f"≠ {WORDS.get(field, field)}", "", *cells, "", "", tone="warning")

    def _of_calls(self, shown: Compared) -> Iterable[QTreeWidgetItem]:
        pairs = [pair for pair in shown.pairs if pair.change != "same" or not self.only_changes.isChecked()]
        for pair in pairs[:MOST]:
            mark, tone = MARKS[pair.change]
            call = pair.b or pair.a
            assert call is not None
            name = f"{'    ' * (call['depth'] - 1)}{mark} {call['alias'] or call['tool']}"
            cells = [_answer(each) if each else "" for each in (pair.a, pair.b)]
            times = [
                f"{each['duration_ms']:.1f} ms" if each and each["duration_ms"] else "" for each in (pair.a, pair.b)
            ]
            item = _item(name, str(call["line"] or ""), *cells, *times, tone=tone)
            for field in pair.fields:
                values = [_text(dict(each)[field]) if each else "" for each in (pair.a, pair.b)]
                item.addChild(_item(field, "", *values, "", "", tone="warning"))
            yield item
        if len(pairs) > MOST:
            yield _item(f"… and {len(pairs) - MOST:,} more", "", "", "", "", "", tone="muted")

    def _of_output(self, shown: Compared) -> Iterable[QTreeWidgetItem]:
        lines = shown.found["stdout"].splitlines()
        if not lines:
            return
        item = _item("≠ output", "", "", "", "", "", tone="warning")
        for line in lines[2 : MOST + 2]:
            if line.startswith("@@"):
                # Where in the output is told by the lines around it.
                continue
            gone, came = line.startswith("-"), line.startswith("+")
            tone = "error" if gone else "ok" if came else "muted"
            text = line[1:] if gone or came or line.startswith(" ") else line
            mark = "−" if gone else "+" if came else ""
            item.addChild(_item(mark, "", "" if came else text, "" if gone else text, "", "", tone=tone))
        yield item


def _summary(shown: Compared) -> str:
    changes = [pair.change for pair in shown.pairs]
    parts = [f"{changes.count(change):,} {change}" for change in ("changed", "added", "gone") if change in changes]
    parts += [f"another {WORDS.get(field, field)}" for field in shown.found["fields"]]
    parts += ["another output"] if shown.found["stdout"] else []
    same = changes.count("same")
    return " · ".join([*parts, f"{same:,} call{'' if same == 1 else 's'} the same"])


def _error_text(error: Any) -> str:
    return f"{error['type']}: {error['message']}" if error else "none"


def _answer(call: Any) -> str:
    return f"✕ {call['error']['type']}: {call['error']['message']}" if call["error"] else _text(call["result"])


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= ROOM else f"{text[: ROOM - 1]}…"


def _item(*cells: str, tone: str) -> QTreeWidgetItem:
    item = QTreeWidgetItem([" ".join(cell.split("\n")) for cell in cells])
    for column, text in enumerate(cells):
        item.setForeground(column, theme().colour(tone if column in (CALL, LINE) else "text"))
        item.setToolTip(column, plain_tip(text))
    _align_times(item)
    return item


def _align_times(item: QTreeWidgetItem) -> None:
    for column in (TIME_A, TIME_B):
        item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
