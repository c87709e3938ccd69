"""Everything about one call: its result, arguments, error, what was hidden, and the raw record."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextOption
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from ptc_studio.core.cost import answer_tokens
from ptc_studio.core.events import CallEdited
from ptc_studio.core.trace import CallRecord
from ptc_studio.ui.calls.lens import RedactionList
from ptc_studio.ui.calls.long_text import ErrorView, LongText
from ptc_studio.ui.calls.nodes import Note
from ptc_studio.ui.calls.value_view import ValueView, pretty
from ptc_studio.ui.calls.values import WAITS, argument_parts, duration_text, note_sentence, plain, preview_parts, waits
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import MARKS, SPACE
from ptc_studio.ui.widgets.labels import INSPECTOR as EMPTY
from ptc_studio.ui.widgets.labels import EmptyState, PlainLabel
from ptc_studio.ui.widgets.layout import rule
from ptc_studio.ui.widgets.pages import StillBrowser

NARROWEST = 60


class FlowingText(StillBrowser):
    """As a label with rich text, which breaks between words alone: an address or a name of a tool may have none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._html = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().contentsChanged.connect(self._grow)
        self._grow()

    def text(self) -> str:
        return self._html

    def setText(self, text: str) -> None:
        if text != self._html:
            self._html = text
            self.setHtml(text)

    def _grow(self) -> None:
        self.setFixedHeight(max(1, round(self.document().size().height() + 0.49)))

    def sizeHint(self) -> QSize:
        return QSize(theme().pixels(4 * NARROWEST), self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().pixels(NARROWEST), self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grow()


ROOM = 240
TITLES = 64
"""How wide the column of the titles is at least."""


class CallSummary(QWidget):
    """Call and status."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.call, self.status = FlowingText(), FlowingText()
        grid = QGridLayout(self)
        grid.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        grid.setHorizontalSpacing(3 * SPACE)
        grid.setVerticalSpacing(2 * SPACE)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate((("Call", self.call), ("Status", self.status))):
            title = PlainLabel(name)
            title.setProperty("role", "muted")
            value.setAccessibleName(name)
            grid.addWidget(title, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, row, 1, Qt.AlignmentFlag.AlignTop)
        self._grid = grid
        theme().changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self._grid.setColumnMinimumWidth(0, theme().pixels(TITLES))

    def set_record(self, record: CallRecord, progress: str = "", notes: Sequence[Note] = ()) -> None:
        self.call.setText(_call_html(record))
        self.set_status(record, progress, notes)

    def set_status(self, record: CallRecord, progress: str = "", notes: Sequence[Note] = ()) -> None:
        """How it went, or how far it is, and what else is to be seen of it."""
        # Colour alone tells nothing: the mark stands before the word.
        colour = theme().status_colour(_mark(record, notes)).name()
        told = "".join(map(_note_html, notes))
        words = escape(status_text(record, progress, notes))
        # A figure does not begin a line without its word.
        words = words.replace("· depth ", "· depth&nbsp;").replace("· line ", "· line&nbsp;")
        self.status.setText(f"<span style='color: {colour}'>{_with_chip(words, record)}</span>{told}")


def status_text(record: CallRecord, progress: str = "", notes: Sequence[Note] = ()) -> str:
    """`✓ ok · 612 ms · answer ≈ 40 tokens · depth 1 · line 8`, or `◐ running · 3 of 10 · depth 1 · line 8`."""
    status = _mark(record, notes)
    words = [f"{MARKS.get(status, '✕')} {WAITS if status == 'waiting' else status.replace('_', ' ')}"]
    if progress and record["status"] is None:
        words.append(progress)
    if record["duration_ms"] is not None:
        words.append(duration_text(record["duration_ms"]))
    if record.get("waited_ms"):
        words.append(f"{duration_text(record.get('waited_ms', 0.0))} waiting for you")
    if record.get("queued_ms"):
        words.append(f"{duration_text(record.get('queued_ms', 0.0))} waiting for its turn")
    if record["status"] is not None:
        words.append(answer_tokens(record))
    words.append(f"depth {record['depth']}")
    if record["line"] is not None:
        words.append(f"line {record['line']}")
    if record["truncated"]:
        words.append("too long: cut off")
    if record["answered_by"] not in (None, "tool"):
        words.append(f"answered by {record['answered_by']}")
    return " · ".join(words)


def _mark(record: CallRecord, notes: Sequence[Note]) -> str:
    return record["status"] or ("waiting" if waits(notes) else "running")


def _note_html(note: Note) -> str:
    """What one should be aware of has a mark; that somebody edited the call is a fact like others."""
    mark = "" if isinstance(note, CallEdited) else f"<span style='color: {theme().colours.warning}'>▲</span> "
    return f"<br>{mark}{escape(note_sentence(note))}"


def _with_chip(words: str, record: CallRecord) -> str:
    """Who answered instead of the tool stands out: it is what one would take for the real thing."""
    who, colours = record["answered_by"], theme().colours
    if who in (None, "tool"):
        return words
    chip = f"<span style='color: {colours.text}; background: {colours.selection}'>&nbsp;{escape(who)}&nbsp;</span>"
    return words.removesuffix(escape(who)) + chip


def _call_html(record: CallRecord) -> str:
    colours, font = theme().colours, theme().code_font()
    name = escape(record["alias"] or record["tool"])
    pieces = [f"<span style='color: {colours.tool}'>{name}</span>"]
    for colour, text in argument_parts(record["arguments"], ROOM):
        ink = f"color: {colours.redacted}; background: {colours.redacted_ground}" if colour == "redacted" else ""
        pieces.append(f"<span style='{ink}'>{escape(text)}</span>")
    if record["alias"]:
        pieces.append(f"<span style='color: {colours.muted}'> → {escape(record['tool'])}</span>")
    return f"<span style=\"font-family: '{font.family()}'; font-size: {font.pixelSize()}px\">{''.join(pieces)}</span>"


def one_line(record: CallRecord) -> str:
    """The call in one line, for screen readers."""
    name = record["alias"] or record["tool"]
    return f"{name}{plain(argument_parts(record['arguments'], ROOM))} {plain(preview_parts(record['result']))}"


RUNNING = "The call has not ended yet: its result comes here"
FAILED = "No result: the call failed"
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
        self._record: CallRecord | None = None
        self._progress = ""
        self._notes: Sequence[Note] = ()
        self._stale: set[int] = set()
        self.tabs = QTabBar()
        self.badge = PlainLabel("", self.tabs)
        self.badge.hide()
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
    def record(self) -> CallRecord | None:
        return self._record

    def show_record(self, record: CallRecord | None) -> None:
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

    def _choose_tab(self, record: CallRecord) -> None:
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
            edited = "original_arguments" in record
            both = {"edited": record["arguments"], "original": record.get("original_arguments")}
            self.arguments.set_value(both if edited else record["arguments"])
        elif tab == ERROR:
            self.error.set_error(record["error"], running=record["status"] is None)
        elif tab == REDACTIONS:
            self.redactions.set_record(record)
        else:
            self.raw.set_pieces(lambda: pretty(record))

    def _fill_result(self, record: CallRecord) -> None:
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
