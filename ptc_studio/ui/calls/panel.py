"""The panel in which a person watches the calls of a run, and what can be done with them there."""

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QStackedWidget, QVBoxLayout, QWidget

from ptc_studio.core.events import CallEdited, CallFinished, CallNoted, CallProgressed, CallStarted
from ptc_studio.ui.calls.call_tree import OF_A_JOB
from ptc_studio.ui.calls.code import as_code, as_json, table_lines
from ptc_studio.ui.calls.filter import CallFilter, CallFilterRow
from ptc_studio.ui.calls.header import CallHeader
from ptc_studio.ui.calls.model import LINE, CallModel
from ptc_studio.ui.calls.nodes import CallNode, LineGroup, TreeNode
from ptc_studio.ui.calls.values import progress_text
from ptc_studio.ui.calls.view import MOST_OPENED, CallTreeView, Follower
from ptc_studio.ui.chunked_task import ChunkedTask
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import CALLS as EMPTY
from ptc_studio.ui.widgets.labels import EmptyState, PlainLabel
from ptc_studio.ui.widgets.layout import rule


class CallCopying(QObject):
    """The three forms in which calls are copied.

    Signals: copied(int): so many calls are on the clipboard.
    """

    copied = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.language = "python"
        self._work = ChunkedTask(self)

    def copy_json(self, calls: Sequence[CallNode]) -> None:
        self._work.start(self._json(calls))

    def copy_code(self, calls: Sequence[CallNode]) -> None:
        """In the script's language, a line a call."""
        lines = (as_code(call.record(), self.language) for call in calls)
        self._work.start(self._lines(lines, len(calls)))

    def copy_table(self, calls: Sequence[CallNode]) -> None:
        self._work.start(self._lines(table_lines(call.record() for call in calls), len(calls)))

    def _json(self, calls: Sequence[CallNode]) -> Iterator[None]:
        if len(calls) == 1:
            self._put(as_json([calls[0].record()]), 1)
            return
        texts: list[str] = []
        for call in calls:
            texts.append("\n".join(f"  {line}" for line in as_json([call.record()]).splitlines()))
            yield
        self._put("[\n" + ",\n".join(texts) + "\n]", len(calls))

    def _lines(self, lines: Iterator[str], count: int) -> Iterator[None]:
        texts: list[str] = []
        for line in lines:
            texts.append(line)
            yield
        self._put("\n".join(texts), count)

    def _put(self, text: str, count: int) -> None:
        if count:
            QGuiApplication.clipboard().setText(text)
            self.copied.emit(count)


class CallActions:
    """The actions of a call tree."""

    def __init__(self, view: CallTreeView, copying: CallCopying, open_all: Callable[[], None]) -> None:
        self._view = view
        self.copy_json = self._add("Copy as JSON", "Ctrl+C", lambda: copying.copy_json(view.selected_calls()))
        self.copy_code = self._add("Copy as code", "Ctrl+Shift+C", lambda: copying.copy_code(view.selected_calls()))
        self.copy_table = self._add("Copy as table", "Ctrl+Alt+C", lambda: copying.copy_table(view.selected_calls()))
        self.again = self._add("Call again…", "", self._ask_again)
        self.stop_at = self._add("Break on this tool", "", lambda: self._ask_answer("break"))
        self.mock = self._add("Mock…", "", lambda: self._ask_answer("mock"))
        self._separator = QAction(view)
        self._separator.setSeparator(True)
        self.open_all = self._add("Expand all", "Alt+Shift+Right", open_all)
        self.close_all = self._add("Collapse all", "Alt+Shift+Left", view.collapseAll)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._on_menu_wanted)

    def _add(self, text: str, keys: str, work: Callable[[], None]) -> QAction:
        action = QAction(text, self._view)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda _checked=False: work())
        self._view.addAction(action)
        return action

    def menu(self) -> QMenu:
        """The context menu for what is selected."""
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copies = (self.copy_json, self.copy_code, self.copy_table)
        for action in copies:
            action.setEnabled(self._view.selectionModel().hasSelection())
        menu.aboutToHide.connect(lambda: [action.setEnabled(True) for action in copies])
        self.again.setEnabled(len(self._view.selected_calls()) == 1)
        for action in (self.stop_at, self.mock):
            action.setEnabled(self.again.isEnabled())
        self.mock.setText(self._mock_text())
        menu.addActions([self.again, self.stop_at, self.mock, *copies, self._separator, self.open_all, self.close_all])
        return menu

    def _ask_again(self) -> None:
        """Of one call; who selected several is not asked for which."""
        calls = self._view.selected_calls()
        if len(calls) == 1:
            self._view.again_requested.emit(calls[0].record())

    def _ask_answer(self, verb: str) -> None:
        calls = self._view.selected_calls()
        if len(calls) == 1:
            self._view.answer_requested.emit(verb, calls[0].record())

    def _mock_text(self) -> str:
        """A call that has ended has an answer to begin with."""
        calls = self._view.selected_calls()
        status = calls[0].record()["status"] if len(calls) == 1 else ""
        return {"ok": "Mock with this result…", "error": "Mock with this error…"}.get(status or "", "Mock…")

    def _on_menu_wanted(self, location: QPoint) -> None:
        # `popup`, not `exec`: a loop within the loop breaks a running task.
        self.menu().popup(self._view.viewport().mapToGlobal(location))


TICK_MS = 100
NOTICE_MS = 4_000
NO_CALLS = "The script made no calls"
LEFT_OUT = "{count:,} calls are left out here; {where}"
IN_HISTORY, NOWHERE_ELSE = "the history has all of them", "they are not kept, as the history is off"
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
        self.left_out = PlainLabel()
        self.left_out.setMargin(SPACE)
        self.left_out.setWordWrap(True)
        self.left_out.hide()
        self.left_out.setProperty("role", "muted")
        self.has_history = True
        """Whether what happens is kept elsewhere, too."""
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

    def start_job(self, before: int) -> None:
        """What is served follows, of which not all is kept: so many calls came before those that are."""
        self.model.kept = OF_A_JOB
        self.model.leave_out(before)

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
        self.model.let_go(self._current())

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
            self.follower.stay_with(call)
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
        column.addWidget(self.left_out)
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
        if self.model.left_out:
            self.left_out.setText(
                LEFT_OUT.format(count=self.model.left_out, where=IN_HISTORY if self.has_history else NOWHERE_ELSE)
            )
        self.left_out.setVisible(self.model.left_out > 0)
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
