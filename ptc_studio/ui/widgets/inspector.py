"""Everything about one call: its result, arguments, error, what was hidden, and the raw record."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from ptc_studio.core.trace import Record
from ptc_studio.ui.models.call_nodes import Note
from ptc_studio.ui.placeholders import INSPECTOR as EMPTY
from ptc_studio.ui.theme import theme
from ptc_studio.ui.widgets.call_summary import CallSummary, one_line, status_text
from ptc_studio.ui.widgets.empty_state import EmptyState
from ptc_studio.ui.widgets.error_view import ErrorView
from ptc_studio.ui.widgets.long_text import LongText
from ptc_studio.ui.widgets.plain_text import PlainLabel
from ptc_studio.ui.widgets.redaction_list import RedactionList
from ptc_studio.ui.widgets.rule import rule
from ptc_studio.ui.widgets.value_view import ValueView, pretty

RUNNING = "The call has not ended yet: its result comes here"
FAILED = "No result: the call did not go well"
RAW_CAP = 1_000_000
RESULT, ARGUMENTS, ERROR, REDACTIONS, RAW = range(5)
TABS = ("Result", "Arguments", "Error", "Redactions", "Raw")


class CallInspector(QWidget):
    """Shows one call's record at a time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("callInspector")
        self.setAccessibleName("Values of the selected call")
        self.setProperty("panel", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._record: Record | None = None
        self._progress = ""
        self._notes: Sequence[Note] = ()
        self._stale: set[int] = set()
        self.tabs = QTabBar()
        self.badge = PlainLabel()
        self.badge.setProperty("role", "badge")
        self.summary = CallSummary()
        self.result, self.arguments = ValueView("Result"), ValueView("Arguments")
        self.error, self.redactions, self.raw = ErrorView(), RedactionList(), LongText(RAW_CAP)
        self._no_result = EmptyState(RUNNING)
        self.pages = QStackedWidget()
        self._whole = QStackedWidget()
        self._lay_out()
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.redactions.opened.connect(self._on_redaction_opened)
        theme().changed.connect(self._restyle)
        self._restyle()

    @property
    def record(self) -> Record | None:
        return self._record

    def show_record(self, record: Record | None) -> None:
        """Shows another call, or the same one when more of it is known; None for none."""
        if record is None or self._record is None or record["id"] != self._record["id"]:
            self._progress, self._notes = "", ()
        self._record = record
        self._whole.setCurrentIndex(0 if record is None else 1)
        if record is None:
            return
        self.summary.set_record(record, self._progress, self._notes)
        self._whole.setAccessibleName(f"{one_line(record)} {status_text(record)}")
        self._set_badge(len(record["redactions"]))
        # Each page is filled when it is looked at.
        self._stale = set(range(len(TABS)))
        self._choose_tab(record)
        self._fill(self.tabs.currentIndex())

    def show_progress(self, progress: str) -> None:
        """Says how far the call is that is shown; empty if nobody knows."""
        record, self._progress = self._record, progress
        if record is not None and record["status"] is None:
            self.summary.set_status(record, progress, self._notes)

    def show_notes(self, notes: Sequence[Note]) -> None:
        """Says what else is to be seen of the call that is shown: that it waits, was edited, drifted."""
        self._notes = notes
        if self._record is not None:
            self.summary.set_status(self._record, self._progress, notes)

    def _lay_out(self) -> None:
        for name in TABS:
            self.tabs.addTab(name)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setAccessibleName("Parts of the call")
        result = QStackedWidget()
        result.addWidget(self.result)
        result.addWidget(self._no_result)
        self._result_stack = result
        for page in (result, self.arguments, self.error, self.redactions, self.raw):
            self.pages.addWidget(page)
        self._whole.addWidget(EmptyState(EMPTY))
        self._whole.addWidget(self._body())
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.addWidget(self._whole)

    def _body(self) -> QWidget:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.tabs, rule(), self.summary):
            column.addWidget(widget)
        column.addWidget(self.pages, 1)
        return body

    def _set_badge(self, count: int) -> None:
        side = QTabBar.ButtonPosition.RightSide
        # The bar hides the badge it has when it is given another one, even if that is the same.
        self.tabs.setTabButton(REDACTIONS, side, None)  # pyright: ignore[reportArgumentType]
        if count:
            self.badge.setText(f"{count:,}")
            self.badge.ensurePolished()
            self.badge.resize(self.badge.sizeHint())
            self.tabs.setTabButton(REDACTIONS, side, self.badge)

    def _choose_tab(self, record: Record) -> None:
        """A failed call is looked at for its error, another one for its result."""
        if record["error"] and self.tabs.currentIndex() == RESULT:
            self.tabs.setCurrentIndex(ERROR)
        elif not record["error"] and self.tabs.currentIndex() == ERROR:
            self.tabs.setCurrentIndex(RESULT)

    def _fill(self, tab: int) -> None:
        record = self._record
        self.pages.setCurrentIndex(tab)
        if record is None or tab not in self._stale:
            return
        self._stale.discard(tab)
        if tab == RESULT:
            self._fill_result(record)
        elif tab == ARGUMENTS:
            self.arguments.set_value(record["arguments"])
        elif tab == ERROR:
            self.error.set_error(record["error"], running=record["status"] is None)
        elif tab == REDACTIONS:
            self.redactions.set_redactions(record["redactions"])
        else:
            self.raw.set_pieces(lambda: pretty(record))

    def _fill_result(self, record: Record) -> None:
        self._no_result.setText(RUNNING if record["status"] is None else FAILED)
        self._result_stack.setCurrentIndex(0 if record["status"] == "ok" else 1)
        self.result.set_value(record["result"])

    def _restyle(self) -> None:
        """Writes anew what has colours in its text; trees draw themselves, and what was opened in them stays so."""
        record = self._record
        if record is not None:
            self.summary.set_record(record, self._progress, self._notes)
            self._set_badge(len(record["redactions"]))
            self._stale |= {ERROR, REDACTIONS}
            self._fill(self.tabs.currentIndex())

    def _on_tab_changed(self, tab: int) -> None:
        self._fill(tab)

    def _on_redaction_opened(self, where: str) -> None:
        tabs = {"arguments": ARGUMENTS, "result": RESULT}
        self.tabs.setCurrentIndex(tabs.get(where, ERROR))
