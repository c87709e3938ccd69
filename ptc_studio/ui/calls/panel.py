"""The panel in which a person watches the calls of a run."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from ptc_studio.core.events import CallEdited, CallFinished, CallNoted, CallProgressed, CallStarted
from ptc_studio.ui.calls.actions import CallActions, CallCopying
from ptc_studio.ui.calls.filter import CallFilter, CallFilterRow
from ptc_studio.ui.calls.header import CallHeader
from ptc_studio.ui.calls.model import LINE, CallModel
from ptc_studio.ui.calls.nodes import CallNode, LineGroup, TreeNode
from ptc_studio.ui.calls.values import progress_text
from ptc_studio.ui.calls.view import MOST_OPENED, CallTreeView, Follower
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import CALLS as EMPTY
from ptc_studio.ui.widgets.labels import EmptyState, PlainLabel
from ptc_studio.ui.widgets.layout import rule

TICK_MS = 100
NOTICE_MS = 4_000
NO_CALLS = "The script made no calls"
NO_MATCH = "No call matches the filter"
_NOTES = (CallNoted, CallEdited)
_SHOWN = (CallStarted, CallFinished, CallProgressed, *_NOTES)


class CallTreePanel(QWidget):
    """Header, filter and tree.

    Signals: call_selected(record or None): another call is the current one, or the current one has ended.
    line_selected(int): the user, or `select_call`, went to a call made from that line. progress_told(text): how far
    the current call says it is; empty if it does not. notes_told(notes): what else is to be seen of the current call.
    """

    call_selected = Signal(object)
    line_selected = Signal(int)
    progress_told = Signal(str)
    notes_told = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("callPanel")
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.model = CallModel(self)
        self.header = CallHeader()
        self.filter_row = CallFilterRow()
        self.tree = CallTreeView(self.model)
        self.follower = Follower(self.tree, self.model)
        self.copying = CallCopying(self)
        self.actions_of_calls = CallActions(self.tree, self.copying, self._open_all)
        self._empty = EmptyState(EMPTY)
        self._notice = PlainLabel()
        self._notice.setMargin(SPACE)
        self._notice.hide()
        self._notice.setProperty("role", "muted")
        self._known: int | None = None
        """How many calls were shown when those came of which more is to come."""
        self._looked_at: str | None = None
        """The call to select again, once it stands in its new place."""
        self._began = self._quiet = self._drawn = False
        self._ticks = QTimer(self)
        self._ticks.setInterval(TICK_MS)
        self._hush = QTimer(self)
        self._hush.setSingleShot(True)
        self._hush.setInterval(NOTICE_MS)
        self._lay_out()
        self._connect()
        self._on_counted()

    def set_language(self, language: str) -> None:
        """The language in which calls are copied as code: that of the script."""
        self.copying.language = language

    def start_run(self) -> None:
        """Forgets the calls of the last run."""
        self._began, self._known, self._looked_at = True, None, None
        self.tree.setUpdatesEnabled(True)
        self.filter_row.reset_tools()
        self.model.start_run()
        self.follower.forget()
        self.follower.switch(True)
        self._ticks.start()
        self.call_selected.emit(None)

    def apply(self, batch: Sequence[object], *, more: bool = False) -> None:
        """Shows what happened; with `more`, it is shown with the rest, which follows in a moment."""
        news = _last_progress([event for event in batch if isinstance(event, _SHOWN)])
        if news:
            self._known = len(self.model.calls()) if self._known is None else self._known
            self.tree.setUpdatesEnabled(not more)
            self.model.apply(news, more=more)
            self._tell_end_of_current(news)
        elif not more and self._known is not None:
            self.model.catch_up()
        if not more and self._known is not None:
            self._show_from(self._known)

    def _show_from(self, known: int) -> None:
        self._known = None
        self.follower.arrived(self.model.calls()[known:])
        self.tree.lay_out_now()
        self.tree.setUpdatesEnabled(True)
        # Every bar is measured by the whole run, which has just become longer.
        self.tree.viewport().update()
        self._drawn = True

    def end_run(self, _record: object = None) -> None:
        """The clock stands still."""
        self._keep_looking(self.model.end_run)
        self._ticks.stop()
        self._on_counted()
        self.tree.viewport().update()

    def select_call(self, call_id: str) -> None:
        """Goes to a call, wherever it stands."""
        call = self.model.call(call_id)
        if call is not None and self._current() is not call:
            self.follower.switch(False)
            self.tree.select(call)

    def reveal_call(self, call_id: str, *, quiet: bool = False) -> None:
        """Goes to a call that needs attention, and goes on following; `quiet` tells no line."""
        call = self.model.call(call_id)
        if call is None or self._current() is call:
            return
        self._quiet = quiet
        try:
            self.tree.select(call)
        finally:
            self._quiet = False

    def select_line(self, line: int) -> None:
        """Goes to what was called from a line of the script; tells no line, as whoever asked is there."""
        call = self.model.call_on_line(line)
        current = self._current()
        if call is None or (isinstance(current, CallNode | LineGroup) and current.line == line):
            return
        self._quiet = True
        try:
            self.tree.select(self._group_of(call) or call)
        finally:
            self._quiet = False

    def open_filter(self) -> None:
        """Opens the filter and puts the cursor into it."""
        self.header.filter.setChecked(True)
        self.filter_row.text.setFocus()
        self.filter_row.text.selectAll()

    def _lay_out(self) -> None:
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.tree)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        for widget in (self.header, rule(), self.filter_row):
            column.addWidget(widget)
        column.addWidget(self._stack, 1)
        column.addWidget(self._notice)
        self.filter_row.hide()

    def _connect(self) -> None:
        self.model.counted.connect(self._on_counted)
        self.model.filtering.done.connect(self._on_counted)
        self.model.filtering.done.connect(self._look_again)
        self.header.filter.toggled.connect(self._on_filter_toggled)
        self.header.group.toggled.connect(self._on_grouped)
        self.header.follow.toggled.connect(self.follower.switch)
        self.follower.switched.connect(self.header.follow.setChecked)
        self.filter_row.changed.connect(self._on_filter_changed)
        self.filter_row.left.connect(self._on_filter_left)
        self.copying.copied.connect(lambda count: self._tell(f"Copied {count:,} call{'' if count == 1 else 's'}"))
        self.tree.touched.connect(lambda: self.follower.switch(False))
        self.tree.selectionModel().currentRowChanged.connect(self._on_current_changed)
        self._ticks.timeout.connect(self._on_tick)
        self._hush.timeout.connect(self._notice.hide)
        find = QShortcut(QKeySequence.StandardKey.Find, self, self.open_filter)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _current(self) -> TreeNode | None:
        index = self.tree.currentIndex()
        return self.model.node(index) if index.isValid() else None

    @staticmethod
    def _group_of(call: CallNode) -> LineGroup | None:
        above = call.parent
        while above is not None and not isinstance(above, LineGroup | CallNode):
            above = above.parent
        return above if isinstance(above, LineGroup) else None

    def _tell_end_of_current(self, batch: Sequence[object]) -> None:
        current = self._current()
        if not isinstance(current, CallNode):
            return
        noted = any(isinstance(event, _NOTES) and event.call_id == current.call_id for event in batch)
        if noted or any(event is current.finished for event in batch):
            self.call_selected.emit(current.record())
            self.notes_told.emit(current.notes)
        elif any(event is current.progress for event in batch):
            self.progress_told.emit(progress_text(current))

    def _tell(self, text: str) -> None:
        self._notice.setText(text)
        self._notice.show()
        self._hush.start()

    def _open_all(self) -> None:
        if not self.tree.open_all():
            self._tell(f"Opened the first {MOST_OPENED:,} rows: open the others one by one, or filter")

    def _on_counted(self) -> None:
        total, matching = self.model.total, self.model.matching
        self.header.set_count(total, matching)
        none = NO_MATCH if total else NO_CALLS if self._began and not self.model.clock.running else EMPTY
        self._empty.setText("Waiting for the first call…" if not total and self.model.clock.running else none)
        shown = self.tree if self.model.rowCount() else self._empty
        if self._stack.currentWidget() is not shown:
            self._stack.setCurrentWidget(shown)

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.call_selected.emit(self.model.record(current))
        node = self._current()
        self.progress_told.emit(progress_text(node) if isinstance(node, CallNode) else "")
        self.notes_told.emit(node.notes if isinstance(node, CallNode) else ())
        line = current.data(LINE) if current.isValid() else None
        if line is not None and not self._quiet:
            self.line_selected.emit(line)

    def _on_filter_toggled(self, on: bool) -> None:
        self.filter_row.setVisible(on)
        if on:
            self.filter_row.set_tools(self.model.tools)
            self.filter_row.text.setFocus()
        elif self.model.filter:
            self.filter_row.clear()

    def _on_filter_changed(self, wanted: CallFilter) -> None:
        self.follower.forget()
        self.model.set_filter(wanted)

    def _on_grouped(self, grouped: bool) -> None:
        self.follower.forget()
        self._keep_looking(lambda: self.model.set_grouped(grouped))

    def _keep_looking(self, change: Callable[[], None]) -> None:
        """Has the same calls stand elsewhere; the one that is looked at still is."""
        current = self._current()
        self._looked_at = current.call_id if isinstance(current, CallNode) else None
        change()
        self._look_again()

    def _look_again(self) -> None:
        call = self.model.call(self._looked_at) if self._looked_at else None
        if call is not None:
            self._looked_at = None
            self.reveal_call(call.call_id, quiet=True)

    def _on_filter_left(self) -> None:
        self.header.filter.setChecked(False)
        self.tree.setFocus()

    def _on_tick(self) -> None:
        # While calls keep coming in, everything is drawn often enough.
        if not self._drawn:
            self.tree.update_running()
        self._drawn = False
        self.follower.catch_up()
        if self.filter_row.isVisible():
            self.filter_row.set_tools(self.model.tools)


def _last_progress(batch: list[object]) -> list[object]:
    """The events without what a call said of itself before it said something newer."""
    if CallProgressed not in set(map(type, batch)):
        return batch
    last = {event.call_id: event for event in batch if isinstance(event, CallProgressed)}
    return [event for event in batch if not isinstance(event, CallProgressed) or last[event.call_id] is event]
