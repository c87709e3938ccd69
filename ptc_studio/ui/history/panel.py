"""The panel of past runs: a search, filters, the table, and what can be done with a run."""

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.storage.history import Query, RunSummary
from ptc_studio.storage.settings import MEGABYTE
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS, SPACE
from ptc_studio.ui.widgets.buttons import ButtonRow, flat_button
from ptc_studio.ui.widgets.item_views import Index, Role, RowTable, table_view
from ptc_studio.ui.widgets.labels import EmptyOverlay, PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import filled

COLUMNS = ("Run", "When", "Runtime", "Status", "Time", "Calls", "Turns", "Kept out")
RUN, WHEN, RUNTIME, STATUS, TIME, CALLS, TURNS, KEPT_OUT = range(len(COLUMNS))
FIGURES = (TIME, CALLS, TURNS, KEPT_OUT)
TONES = {"ok": "ok", "running": "accent", "cancelled": "warning", "interrupted": "warning"}
PIN = "★"


class HistoryModel(RowTable[RunSummary]):
    """What was found.

    Signals: renamed(run, name): the user gives it another name.
    """

    columns, figures = COLUMNS, FIGURES
    renamed = Signal(object, str)

    def cell(self, row: RunSummary, column: int) -> str:
        return cell(row, column)

    def whole(self, row: RunSummary, column: int) -> str:  # noqa: ARG002
        return about(row)

    def tone(self, row: RunSummary, column: int) -> str:
        if column == STATUS:
            return TONES.get(row.status, "error")
        return "text" if column == RUN else "muted"

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if role == Role.ToolTipRole and section in (TURNS, KEPT_OUT):
            return plain_tip("Turns saved, and tokens kept out (about), against the same calls made one a turn")
        return super().headerData(section, orientation, role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == RUN else flags

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.EditRole or not index.isValid():
            return False
        self.renamed.emit(self.rows[index.row()], " ".join(str(value).split()))
        return True

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if role == Role.EditRole and index.isValid():
            return self.rows[index.row()].name or ""
        return super().data(index, role)


def cell(run: RunSummary, column: int) -> str:
    """What stands in the cell."""
    match column:
        case 0:
            return f"{PIN} {run.title}" if run.pinned else run.title
        case 1:
            return when(run.started)
        case 2:
            return "call by hand" if run.kind == "call" else run.runtime or ""
        case 3:
            return f"{MARKS.get(run.status, '✕')} {run.status}"
        case 4:
            return "" if run.duration_ms is None else f"{run.duration_ms / 1000:.2f} s"
        case 5:
            return f"{run.calls:,}"
        case 6:
            return "" if run.turns_saved is None else f"{run.turns_saved:,}"
        case _:
            return "" if run.tokens_kept_out is None else f"≈ {run.tokens_kept_out:,}"


def about(run: RunSummary) -> str:
    """All that is known of a run without opening it."""
    lines = [f"{run.script or run.title}", f"run {run.run_id}, {when(run.started, whole=True)}"]
    lines += [f"in {run.workspace}"] if run.workspace else []
    lines += [f"as {run.target} runs it"] if run.target not in (None, "plain") else []
    return "\n".join(lines)


def when(started: float, *, whole: bool = False) -> str:
    """The moment in the time of whoever sits before it; of today, the time alone."""
    moment = datetime.fromtimestamp(started).astimezone()
    today = moment.date() == datetime.now().astimezone().date()
    return moment.strftime("%H:%M" if today and not whole else "%Y-%m-%d %H:%M")


EMPTY = "Every run and every call by hand is kept here"
NOT_FOUND = "No past run fits what is searched for"
OFF = "Runs are not kept: File, Settings turns the history on"
SEARCH_TIP = "Words in the script, its name, its output or its calls"
SIDE_BY_SIDE = 440
"""A panel that is narrower has its choices below the search."""
PAUSE_MS = 120
"""After a key, so that a word is searched for and not each of its letters."""
DAY = 24 * 3600.0
TIMES = {"Any time": None, "Today": 1.0, "Last 7 days": 7.0, "Last 30 days": 30.0}
STATES = ("ok", "error", "timeout", "cancelled", "crashed", "interrupted", "running")
ACTIONS = {
    "open": ("back", "Open: its calls, timeline and output as they were"),
    "again": ("run", "Run again"),
    "restore": ("file", "Restore its script in a new tab"),
    "compare": ("wrap", "Compare: two that are chosen, or one with a cassette or the run before"),
    "present": ("expand", "Present"),
    "export": ("save", "Share or export…"),
    "pin": ("tick", "Pin, or no longer"),
    "name": ("alias", "Give it a name…"),
    "delete": ("trash", "Delete"),
}
"""What can be done with the chosen runs: an icon and its words."""


class HistoryPanel(QWidget):
    """Signals: query_changed: something else is looked for. asked(action, runs): one of ACTIONS with these."""

    query_changed = Signal()
    asked = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("historyPanel")
        self.model = HistoryModel(self)
        self.search = QLineEdit(placeholderText="Search past runs…", clearButtonEnabled=True)
        self.search.setObjectName("historySearch")
        self.search.setAccessibleName("Search past runs")
        self.search.setToolTip(SEARCH_TIP)
        self.status = _choice("Status", ["Status", *STATES])
        self.runtime = _choice("Runtime", ["Runtime"])
        self.tool = _choice("Tool", ["Tool"])
        self.age = _choice("Time", list(TIMES))
        self._pause = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self.query_changed)
        self._lay_out()
        self.search.textChanged.connect(lambda _text: self._pause.start())
        for choice in (self.status, self.runtime, self.tool, self.age):
            choice.currentIndexChanged.connect(lambda _index: self.query_changed.emit())
        self.view.activated.connect(lambda _index: self._ask("open"))
        self.view.customContextMenuRequested.connect(self._open_menu)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._show_possible())
        QShortcut(QKeySequence.StandardKey.Delete, self.view, lambda: self._ask("delete"), context=_HERE)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self._show_possible()

    def query(self) -> Query:
        """What is looked for."""
        days = TIMES[self.age.currentText()]
        return Query(
            self.search.text(),
            self.tool.currentText() if self.tool.currentIndex() > 0 else "",
            self.status.currentText() if self.status.currentIndex() > 0 else "",
            self.runtime.currentText() if self.runtime.currentIndex() > 0 else "",
            None if days is None else time.time() - days * DAY,
        )

    def show_runs(self, runs: Sequence[RunSummary], *, is_kept: bool = True) -> None:
        """Shows what was found; the chosen runs stay chosen."""
        chosen = {run.run_id for run in self.chosen()}
        self.model.set_rows(runs)
        self.select(chosen)
        searching = self.query() != Query()
        self.empty.setText(NOT_FOUND if searching else EMPTY if is_kept else OFF)
        count, limit = len(runs), Query().limit
        found = f"the newest {limit}" if count >= limit else f"{count:,} run{'' if count == 1 else 's'}"
        self.search.setToolTip(plain_tip(f"{SEARCH_TIP}: {found}"))
        self.view.setAccessibleDescription(found)

    def tell_removed(self, count: int, most_bytes: int) -> None:
        """Says how many old runs went since the start, and why."""
        runs = f"{count:,} old run{' was' if count == 1 else 's were'}"
        size = f"{most_bytes / MEGABYTE:,.0f} MB"
        self.note.setText(f"{runs} removed: past runs may take {size} (File, Settings). Pinned ones stay.")
        self.note.setVisible(count > 0)

    def offer(self, runtimes: Sequence[str], tools: Sequence[str]) -> None:
        """The runtimes and tools that past runs used."""
        for box, names in ((self.runtime, runtimes), (self.tool, tools)):
            if [box.itemText(row) for row in range(1, box.count())] == list(names):
                continue
            chosen = box.currentText()
            box.blockSignals(True)
            while box.count() > 1:
                box.removeItem(1)
            box.addItems(list(names))
            box.setCurrentIndex(max(box.findText(chosen), 0))
            box.blockSignals(False)

    def chosen(self) -> list[RunSummary]:
        """The runs that are chosen, in the order of the table."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return [self.model.rows[row] for row in rows]

    def select(self, run_ids: "set[str]") -> None:
        """Chooses these, as far as they are there."""
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        self.view.clearSelection()
        for row, run in enumerate(self.model.rows):
            if run.run_id in run_ids:
                self.view.selectionModel().select(self.model.index(row, 0), flags)

    def possible(self, runs: Sequence[RunSummary]) -> set[str]:
        """What can be done with these runs."""
        if not runs:
            return set()
        many = {"pin", "delete"} | ({"compare"} if len(runs) == 2 else set[str]())
        if len(runs) > 1:
            return many
        scripted = {"again", "restore", "compare"} if runs[0].kind == "run" else set[str]()
        return {"open", "export", "name", "present"} | many | scripted

    def _ask(self, action: str) -> None:
        runs = self.chosen()
        if action not in self.possible(runs):
            return
        if action == "name":
            self.view.edit(self.view.selectionModel().selectedRows()[0])
        else:
            self.asked.emit(action, runs)

    def _show_possible(self) -> None:
        possible = self.possible(self.chosen())
        for name, button in self._buttons.items():
            button.setEnabled(name in possible)

    def _open_menu(self, place: QPoint) -> None:
        possible = self.possible(self.chosen())
        if not possible:
            return
        menu = QMenu(self)
        pinned = all(run.pinned for run in self.chosen())
        for name, (_icon, text) in ACTIONS.items():
            words = ("Unpin" if pinned else "Pin: it stays when old runs go") if name == "pin" else text
            action = QAction(words, menu)
            action.setEnabled(name in possible)
            action.triggered.connect(lambda _checked=False, name=name: self._ask(name))
            menu.addAction(action)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.view.viewport().mapToGlobal(place))

    def _lay_out(self) -> None:
        self.view = table_view("historyView", "Past runs", self.model)
        self.note = PlainLabel(wordWrap=True)
        self.note.setProperty("role", "muted")
        self.note.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        self.note.hide()
        self.view.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
        self.view.setEditTriggers(QTreeView.EditTrigger.EditKeyPressed)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.empty = EmptyOverlay(self.view, EMPTY)
        self.empty.watch(self.model)
        header = self.view.header()
        header.setStretchLastSection(False)
        for column in range(len(COLUMNS)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(RUN, QHeaderView.ResizeMode.Stretch)
        self._buttons = {
            name: flat_button(icon, text, lambda name=name: self._ask(name)) for name, (icon, text) in ACTIONS.items()
        }
        # Until it is seen it must not make the panels wider that are: all tabs are as wide as the widest.
        self._top = top = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        top.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        top.setSpacing(SPACE)
        self.search.setMinimumWidth(80)
        top.addWidget(self.search, 1)
        top.addLayout(filled(QHBoxLayout(), self.status, self.runtime, self.tool, self.age, spacing=SPACE))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self.view, 1)
        column.addWidget(self.note)
        self.tab_buttons = ButtonRow(list(self._buttons.values()), self)

    def _on_theme_changed(self) -> None:
        self.view.header().setMinimumSectionSize(theme().pixels(48))
        self.model.repaint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # In a narrow panel the choices stand below the search: beside it they would make the panel wider than it is.
        narrow = self.width() < theme().pixels(SIDE_BY_SIDE)
        directions = QBoxLayout.Direction
        self._top.setDirection(directions.TopToBottom if narrow else directions.LeftToRight)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.query_changed.emit()


_HERE = Qt.ShortcutContext.WidgetWithChildrenShortcut


def _choice(name: str, words: Sequence[str]) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(f"{name} of past runs")
    box.setToolTip(plain_tip(name))
    box.addItems(list(words))
    box.setMinimumContentsLength(5)
    box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    box.setMinimumWidth(64)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return box
