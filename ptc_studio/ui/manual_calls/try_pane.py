"""Tries a tool or an alias: a form for its arguments, the call, and what came of it."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QSplitter, QVBoxLayout, QWidget
from shiboken6 import isValid

from ptc_studio.core.errors import ToolNotFound
from ptc_studio.core.events import CallNoted, CallProgressed, CallStarted, Event
from ptc_studio.core.registry import Registry, Target, spec_through
from ptc_studio.ui.calls.values import one_line, share_text
from ptc_studio.ui.manual_calls.arguments_form import ArgumentsForm, save_arguments, saved_arguments
from ptc_studio.ui.manual_calls.result import CallResult, Describe, outcome
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from ptc_studio.core.session import Session
    from ptc_studio.core.trace import CallRecord
    from ptc_studio.ui.workbench import Workbench


WAITING = "waits for an answer"


class ManualCall(QObject):
    """Goes through the studio's executor as a run of its own, so the run in the window is not touched.

    Signals: progressed(text, share): how far it is, from 0 to 1, or None. finished(record, inner_calls). failed(str).
    """

    progressed = Signal(str, object)
    finished = Signal(object, int)
    failed = Signal(str)

    def __init__(self, workbench: "Workbench", parent: QObject) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._session: Session | None = None
        self._root: str | None = None
        self._began = 0.0

    @property
    def is_busy(self) -> bool:
        return self._session is not None

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began

    def begin(
        self, target: Target, arguments: Mapping[str, Any], *, permitted: bool = False, unsaved: bool = False
    ) -> None:
        """Calls the target, unless a call is under way.

        `permitted`: nobody is asked whether it may be called. `unsaved`: the tool is of a source that is not saved yet.
        """
        if self._session is not None:
            return
        studio = self._workbench.studio
        # The bound is the call's own: a run's would end it sooner than a script's call.
        session = studio.session(timeout=studio.limits.call_timeout_cap + studio.limits.ask_timeout)
        self._session, self._root, self._began = session, None, time.monotonic()
        if permitted:
            session.run.allowed_for_run.add(target.spec.name)
        # Whoever closes the pane does not wait for the answer.
        self.destroyed.connect(session.stop)
        self._workbench.start(self._perform(session, target, dict(arguments), unsaved=unsaved))

    def cancel(self) -> None:
        """Gives the call up; its record says so."""
        if self._session is not None:
            self._session.stop()

    async def _perform(self, session: "Session", target: Target, arguments: dict[str, Any], *, unsaved: bool) -> None:
        studio = self._workbench.studio
        unwatch = studio.watch(lambda batch: self._on_events(session.run.run_id, batch))
        try:
            with self._workbench.by_hand(session):
                await studio.refresh()
                name, found = (target.spec.name, target) if unsaved else as_of_now(studio.registry, target)
                record = await studio.call(session, name, arguments, target=found)
        except Exception as error:
            if isValid(self):
                self._session = None
                self.failed.emit(f"The call could not be made: {error or type(error).__name__}")
            raise
        finally:
            unwatch()
        if isValid(self):
            self._end(session, record)

    def _end(self, session: "Session", record: "CallRecord") -> None:
        self._session = None
        self.destroyed.disconnect(session.stop)
        self.finished.emit(record, session.trace.call_count - 1)

    def _on_events(self, run_id: str, batch: Sequence[Event]) -> None:
        for event in batch:
            if event.run_id != run_id or not isValid(self):
                continue
            if isinstance(event, CallStarted) and event.parent_id is None:
                self._root = event.call_id
            elif isinstance(event, CallProgressed) and event.call_id == self._root:
                share = event.done / event.total if event.total and event.total > 0 else None
                words = (share_text(event.done, event.total), one_line(str(event.message.value)))
                self.progressed.emit(" · ".join(filter(None, words)), share)
            elif isinstance(event, CallNoted) and event.kind in ("waiting", "resumed"):
                self.progressed.emit(WAITING if event.kind == "waiting" else "", None)


def as_of_now(registry: Registry, target: Target) -> tuple[str, Target | None]:
    """The name to call, and what it means, after the sources were read again; nothing where the tool is gone."""
    name = target.tool.spec.name
    try:
        tool = registry.resolve(name).tool
    except ToolNotFound:
        return name, None
    alias = target.alias
    spec = tool.spec if alias is None else spec_through(alias, tool.spec)
    return spec.name, Target(tool, spec, alias)


TICK_MS = 100
PATIENCE = 0.3
"""Seconds before a wait is shown."""
FORM_SHARE = 0.6
"""Of the pane's height, at most, where there is a result."""
KEYS = ("Ctrl+Return", "Ctrl+Enter")
KEYPAD = Qt.KeyboardModifier.KeypadModifier


class TryPane(QWidget):
    """One target at a time, and one call of it.

    Signals: called(record): a call has come to its end, whatever end.
    """

    called = Signal(object)

    def __init__(
        self,
        workbench: "Workbench",
        parent: QWidget | None = None,
        *,
        permits: bool = False,
        unsaved: bool = False,
        describe: Describe = outcome,
    ) -> None:
        """`permits`: pressing Call is the permission, as in a dialog behind which nobody could be asked.

        `unsaved`: what is called is of a source that is not saved yet. `describe` says in a line how it went.
        """
        super().__init__(parent)
        self.setObjectName("tryPane")
        self._permits, self._unsaved = permits, unsaved
        self._workbench = workbench
        self._target: Target | None = None
        self._called: Target | None = None
        self.form = ArgumentsForm()
        self.result = CallResult(describe)
        self.result.hide()
        self.call_button = QPushButton("▶ Call")
        self.call_button.setObjectName("tryCallButton")
        self.call_button.setToolTip("Calls it with these arguments (Ctrl+Enter)")
        self.call_button.setProperty("primary", True)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setObjectName("tryCancelButton")
        self.note = PlainLabel(wordWrap=True)
        self.note.setObjectName("tryNote")
        self.progress = QProgressBar(maximum=0, textVisible=False)
        self.progress.setAccessibleName("Calling")
        self._said, self._share, self._arranged = "", None, False
        self._call = ManualCall(workbench, self)
        self._clock = QTimer(self, interval=TICK_MS)
        self._lay_out()
        self._connect()
        self.set_target(None)

    @property
    def target(self) -> "Target | None":
        return self._target

    @property
    def is_busy(self) -> bool:
        return self._call.is_busy

    def set_target(self, target: "Target | None", problem: str = "") -> None:
        """Shows the form of the target, with what was typed as far as it still fits; or why nothing can be called."""
        self._target = target
        if target is None:
            self.form.show_problem(problem or "Choose a tool or an alias to call.")
        else:
            self.form.show_schema(target.spec.parameters)
            self.form.offer(saved_arguments(self._workbench, target))
        self._top.setStretch(0, 0 if self.form.is_short else 1)
        self._top.setStretch(2, 1 if self.form.is_short else 0)
        self._make_room()
        self._show_state()

    def set_arguments(self, arguments: Mapping[str, Any], note: str = "") -> None:
        """Fills the form in; the note says what is to be known of that."""
        self.form.set_value(dict(arguments))
        self._say(note, "warning")

    def arguments(self) -> Any:
        """What the form holds."""
        return self.form.value()

    def call(self) -> None:
        """Calls the target with what the form holds; what does not fit is said at its field instead."""
        target = self._target
        if target is None or self.is_busy:
            return
        if not self.form.is_ready():
            self.form.reveal_faults()
            self._say("▲ Not called: the arguments do not fit yet.", "warning")
            return
        self._called, self._said, self._share = target, "", None
        arguments = self.form.value()
        self._call.begin(target, arguments, permitted=self._permits, unsaved=self._unsaved)
        save_arguments(self._workbench, target, arguments)
        self.form.offer(saved_arguments(self._workbench, target))
        self._clock.start()
        self._say("")
        self._show_state()

    def start(self) -> None:
        """Puts the keyboard into the first field, or onto the button where there is none."""
        if self.form.schema_form is None or self.form.is_short:
            self.call_button.setFocus()
        else:
            self.form.schema_form.setFocus()

    def cancel(self) -> None:
        """Gives up the call that is under way."""
        self._call.cancel()

    def _connect(self) -> None:
        self.call_button.clicked.connect(self.call)
        self.cancel_button.clicked.connect(self.cancel)
        self.form.changed.connect(lambda: self._say(""))
        self._clock.timeout.connect(self._show_time)
        self._call.progressed.connect(self._on_progressed)
        self._call.finished.connect(self._on_finished)
        self._call.failed.connect(self._on_failed)
        for keys in KEYS:
            shortcut = QShortcut(QKeySequence(keys), self, self.call)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _lay_out(self) -> None:
        edge, space = theme().pixels(3 * SPACE), theme().pixels(2 * SPACE)
        bar = QHBoxLayout()
        bar.setSpacing(space)
        for button in (self.call_button, self.cancel_button):
            button.setAutoDefault(False)
            bar.addWidget(button)
        bar.addWidget(self.progress)
        bar.addWidget(self.note, 1)
        self.progress.setFixedWidth(theme().pixels(120))
        top = QWidget()
        column = QVBoxLayout(top)
        column.setContentsMargins(edge, space, edge, space)
        column.setSpacing(space)
        column.addWidget(self.form, 1)
        column.addLayout(bar)
        column.addStretch(0)
        self._top = column
        self.parts = QSplitter(Qt.Orientation.Vertical)
        self.parts.setChildrenCollapsible(False)
        self.parts.addWidget(top)
        self.parts.addWidget(self.result)
        self.parts.setStretchFactor(0, 1)
        self.parts.setStretchFactor(1, 1)
        self.parts.splitterMoved.connect(self._on_parts_moved)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.parts)

    def _make_room(self) -> None:
        """The form gets what it needs, but not so much that the result cannot be seen; until the user decides."""
        whole = self.parts.height()
        if self._arranged or self.result.isHidden():
            return
        context = self._top.sizeHint().height() - self.form.sizeHint().height()
        wanted = min(self.form.wanted_height() + context, round(whole * FORM_SHARE))
        self.parts.setSizes([wanted, whole - wanted])

    def _on_parts_moved(self) -> None:
        self._arranged = True

    def _show_state(self) -> None:
        busy, can_call = self.is_busy, self._target is not None and not self.is_busy
        # The keyboard goes to what can be done next: a button that is disabled or hidden would give it to any other.
        if busy and self.call_button.hasFocus():
            self.cancel_button.show()
            self.cancel_button.setFocus()
        elif can_call and self.cancel_button.hasFocus():
            self.call_button.setEnabled(True)
            self.call_button.setFocus()
        self.call_button.setEnabled(can_call)
        self.cancel_button.setVisible(busy)
        self._show_time()
        if not busy:
            self._clock.stop()

    def _show_time(self) -> None:
        busy, passed = self.is_busy, self._call.elapsed
        self.progress.setVisible(busy and passed >= PATIENCE)
        self.progress.setMaximum(0 if self._share is None else 1000)
        if self._share is not None:
            self.progress.setValue(round(min(max(self._share, 0.0), 1.0) * 1000))
        if busy:
            since = f"{passed:.0f} s" if passed >= 1 else ""
            self._say("◐ " + " · ".join(filter(None, ("Calling…", since, self._said))), "accent")

    def _say(self, text: str, colour: str = "muted") -> None:
        self.note.setText(text)
        self.note.setAccessibleName(text)
        self.note.setStyleSheet(f"color: {theme().colour(colour).name()};")

    def _on_progressed(self, text: str, share: float | None) -> None:
        self._said, self._share = text, share
        self._show_time()

    def _on_finished(self, record: "CallRecord", inner_calls: int) -> None:
        self.result.show_record(record, inner_calls, self._origin())
        self.result.show()
        self._make_room()
        alias = self._called.alias if self._called is not None else None
        asks = self._permits and alias is not None and alias.permission == "ask"
        self._say("A script has to ask; here, Call is your answer." if asks else "")
        self._show_state()
        self.called.emit(record)

    def _origin(self) -> str:
        """Where the tool's code is, seen from the workspace."""
        origin = self._called.tool.spec.origin if self._called is not None else ""
        return origin.removeprefix(f"{self._workbench.studio.folder}/")

    def _on_failed(self, why: str) -> None:
        self._show_state()
        self._say(f"✕ {why}", "error")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # A dialog around it would do what it does at last, such as save.
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & ~KEYPAD:
            self.call()
        else:
            super().keyPressEvent(event)
