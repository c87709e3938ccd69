"""What was hidden in a call: which rule hit where, with ways to see it for a moment and to say that it is no secret."""

import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from ptc_studio.core.originals import Originals
from ptc_studio.core.redaction.keys import fingerprint
from ptc_studio.core.redaction.redacted import marker
from ptc_studio.core.trace import CallRecord, RedactionRecord
from ptc_studio.ui.dialogs import questions
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.item_views import FlatTree
from ptc_studio.ui.widgets.labels import EmptyState, PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import STRETCH, filled
from ptc_studio.ui.workspace_edits import WorkspaceEdits

if TYPE_CHECKING:
    from ptc_studio.ui.context import Context


MOST = 1_000
HEADERS = ["Rule", "In", "Path"]
WHERE = Qt.ItemDataRole.UserRole + 1
HIDDEN = Qt.ItemDataRole.UserRole + 2
LEAST = 40
SECONDS = 10
LONGEST = 2_000
_LAST_KEY = re.compile(r"(?:\.([A-Za-z_]\w*)|\['((?:[^'\\]|\\.)*)'\])$")


class RedactionList(QWidget):
    """A row for each place, and below what can be done about the one that is selected.

    Signals: opened(str): the part of the call that a place is in was asked for, such as `result`. reveal_asked(call,
    hidden), exception_asked(call, hidden, kind): kind is `value`, `key` or `rule`. rules_asked: to try them.
    """

    opened = Signal(str)
    reveal_asked = Signal(object, object)
    exception_asked = Signal(object, object, str)
    rules_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._record: CallRecord | None = None
        self.model = QStandardItemModel(0, len(HEADERS), self)
        self.tree = FlatTree()
        self.tree.setMinimumHeight(LEAST)
        self.tree.setAccessibleName("What was redacted")
        self.tree.setRootIsDecorated(False)
        self.tree.setModel(self.model)
        self.tree.activated.connect(lambda index: self.opened.emit(index.siblingAtColumn(0).data(WHERE)))
        self.tree.selectionModel().currentRowChanged.connect(self._on_row_changed)
        self.reveal = _button("Reveal…", "revealButton", self._ask_to_reveal)
        self.reveal.setToolTip(plain_tip(f"Shows what was hidden for {SECONDS} seconds, here and nowhere else"))
        self.harmless = _button("Not a secret", "exceptionButton", self._open_menu)
        self.harmless.setToolTip(plain_tip("Has it shown from now on in this workspace"))
        self.rules = _button("Test rules…", "testRulesButton", self.rules_asked.emit)
        self.revealed = PlainLabel(wordWrap=True)
        self.revealed.setObjectName("revealedValue")
        self.revealed.setProperty("role", "redacted")
        self.revealed.hide()
        self._left = 0
        self._clock = QTimer(self, interval=1000)
        self._clock.timeout.connect(self._count_down)
        self._stack = QStackedWidget()
        self._stack.addWidget(EmptyState("Nothing was hidden in this call"))
        self._stack.addWidget(self.tree)
        buttons = QWidget()
        self._buttons = filled(QHBoxLayout(buttons), self.reveal, self.harmless, STRETCH, self.rules)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, SPACE)
        column.setSpacing(SPACE)
        column.addWidget(self._stack, 1)
        column.addWidget(self.revealed)
        column.addWidget(buttons)
        self._enable()

    def set_record(self, record: CallRecord) -> None:
        """Shows what was hidden in this call."""
        self.hide_revealed()
        self._record = record
        redactions = record["redactions"]
        self.model.clear()
        self.model.setHorizontalHeaderLabels(HEADERS)
        for redaction in redactions[:MOST]:
            self.model.appendRow(_row(redaction))
        if len(redactions) > MOST:
            self.model.appendRow(QStandardItem(f"… {len(redactions) - MOST:,} more"))
        self._stack.setCurrentIndex(1 if redactions else 0)
        for column in range(2):
            self.tree.resizeColumnToContents(column)
            self.tree.setColumnWidth(column, self.tree.columnWidth(column) + 4 * SPACE)
        if redactions:
            self.tree.setCurrentIndex(self.model.index(0, 0))
        self._enable()

    def selected(self) -> RedactionRecord | None:
        """The place that is selected."""
        index = self.tree.currentIndex()
        return index.siblingAtColumn(0).data(HIDDEN) if index.isValid() else None

    def show_revealed(self, call: CallRecord, hidden: RedactionRecord, text: str) -> None:
        """Shows it for ten seconds, unless something else is looked at by now."""
        if self._record is not call or self.selected() != hidden or not self.isVisible():
            return
        self._text = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
        self._left = SECONDS
        self._show_left()
        self.revealed.show()
        self._clock.start()

    def hide_revealed(self) -> None:
        """Forgets what is shown."""
        self._clock.stop()
        self._text = ""
        self.revealed.clear()
        self.revealed.hide()

    def menu(self) -> QMenu:
        """What the selected place may be excepted by."""
        menu = QMenu(self)
        menu.setObjectName("exceptionMenu")
        hidden = self.selected()
        if hidden is None:
            return menu
        kinds = [("value", "This value")]
        key = key_of(hidden["path"])
        if key and key.lower().replace("_", "").replace("-", "") == hidden["rule"].replace("_", "").replace("-", ""):
            kinds.append(("key", f"Whatever stands under {key!r}"))
        elif not hidden["rule"].startswith("secret:"):
            kinds.append(("rule", f"Whatever the rule {hidden['rule']!r} finds"))
        for kind, text in kinds:
            menu.addAction(text, lambda kind=kind: self.exception_asked.emit(self._record, hidden, kind))
        return menu

    def _ask_to_reveal(self) -> None:
        hidden = self.selected()
        if hidden is not None:
            self.reveal_asked.emit(self._record, hidden)

    def _open_menu(self) -> None:
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.harmless.mapToGlobal(QPoint(0, self.harmless.height())))

    def _on_row_changed(self, _current: QModelIndex, _previous: QModelIndex) -> None:
        self.hide_revealed()
        self._enable()

    def _enable(self) -> None:
        for button in (self.reveal, self.harmless):
            button.setEnabled(self.selected() is not None)

    def _count_down(self) -> None:
        self._left -= 1
        if self._left > 0:
            self._show_left()
        else:
            self.hide_revealed()

    def _show_left(self) -> None:
        self.revealed.setText(f"{self._text}\n◐ hidden again in {self._left} s")

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.hide_revealed()


def key_of(path: str) -> str:
    """The key that a place stands under; empty if it is the whole, or an item of a list."""
    found = _LAST_KEY.search(path)
    return (found[1] or re.sub(r"\\(.)", r"\1", found[2])) if found else ""


def _button(text: str, name: str, act: "object") -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAutoDefault(False)
    button.clicked.connect(lambda: act())  # type: ignore[operator]
    return button


def _row(redaction: RedactionRecord) -> list[QStandardItem]:
    chip = QStandardItem(marker(redaction["rule"]))
    chip.setData(redaction["where"], WHERE)
    chip.setData(redaction, HIDDEN)
    chip.setForeground(theme().colour("redacted"))
    chip.setFont(theme().code_font())
    items = [chip, QStandardItem(redaction["where"]), QStandardItem(redaction["path"])]
    items[2].setFont(theme().code_font())
    for item in items:
        item.setToolTip(plain_tip(item.text()))
    return items


CONFIRM = f"Show what was hidden for {SECONDS} seconds? Whoever sees this screen sees it, too. It is not stored."
GONE = "It is not known any more: only the last run's are, in memory, and nothing of them is stored."
STORED = "It is one of your own secrets, and stays hidden: see Tools, Secrets."
NO_WORKSPACE = "There is no workspace to keep it in: File, Open workspace."


class RedactionLens(QObject):
    """Answers the list of what was hidden."""

    def __init__(self, context: "Context", shown: RedactionList) -> None:
        super().__init__(context.window)
        self._context, self._shown = context, shown
        self._originals = Originals()
        bench = context.workbench
        bench.attached.connect(self._on_attached)
        bench.run_started.connect(self._originals.forget)
        bench.closed.connect(self._originals.forget)
        shown.reveal_asked.connect(lambda call, hidden: context.start_reported(self._reveal(call, hidden)))
        shown.exception_asked.connect(
            lambda call, hidden, kind: context.start_reported(self._except(call, hidden, kind))
        )
        if bench.is_open:
            self._on_attached()

    def _on_attached(self) -> None:
        self._context.workbench.studio.executor.originals = self._originals

    async def _original(self, call: "CallRecord", hidden: "RedactionRecord") -> str | None:
        found = await self._context.workbench.studio.in_thread(lambda: self._originals.reveal(call, hidden))
        if found is None:
            self._context.messages.show_message(GONE)
        return found

    async def _reveal(self, call: "CallRecord", hidden: "RedactionRecord") -> None:
        window = self._context.window
        if not await questions.ask(window, "Reveal", CONFIRM, accept="Reveal", reject="Cancel"):
            return
        found = await self._original(call, hidden)
        if found is not None:
            self._shown.show_revealed(call, hidden, found)

    async def _except(self, call: "CallRecord", hidden: "RedactionRecord", kind: str) -> None:
        studio = self._context.workbench.studio
        if not studio.has_workspace:
            self._context.messages.show_message(NO_WORKSPACE)
            return
        if studio.executor.redactor.secrets.is_given(hidden["rule"]):
            self._context.messages.show_message(STORED)
            return
        entry: dict[str, Any] = {kind: hidden["rule"] if kind == "rule" else key_of(hidden["path"])}
        if kind == "value":
            found = await self._original(call, hidden)
            if found is None:
                return
            entry = {"value": fingerprint(found)}
        known = [each.model_dump(exclude_none=True) for each in studio.file.redaction.exceptions]
        edits = WorkspaceEdits(self._context)
        if entry not in known:
            done = await edits.change(lambda editor: editor.set_redaction("exceptions", [*known, entry]))
            what = {"value": "This value", "key": f"What stands under {entry.get('key')!r}"}.get(
                kind, f"What {hidden['rule']!r} finds"
            )
            edits.offer_undo(done, f"{what} is shown from the next run on.")
