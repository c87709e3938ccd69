"""Tries a source before it is saved, and shows what it brings or why it does not work."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from ptc_studio.core.registry import Target
from ptc_studio.core.tools import LoadError, Tool, ToolSpec
from ptc_studio.ui.calls.values import duration_text
from ptc_studio.ui.manual_calls.result import outcome
from ptc_studio.ui.manual_calls.try_pane import TryPane
from ptc_studio.ui.stylesheet import set_property
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import ROW, SPACE
from ptc_studio.ui.widgets.labels import ElidedLabel, PlainLabel
from ptc_studio.ui.widgets.layout import filled, rule
from ptc_studio.ui.widgets.pages import StillBrowser

if TYPE_CHECKING:
    from ptc_studio.core.trace import CallRecord
    from ptc_studio.sources.source_set import Trial
    from ptc_studio.ui.workbench import Workbench


MOST_TOOLS = 500
LOG_LINES = 30


def headline(trial: "Trial", seconds: float) -> tuple[str, str]:
    """The mark's colour and the line that says what came of it."""
    if trial.failure is not None:
        return "error", "✕ It did not work"
    count = len(trial.tools)
    tools = "1 tool" if count == 1 else f"{count} tools"
    if trial.errors:
        failed = "1 part did not load" if len(trial.errors) == 1 else f"{len(trial.errors)} parts did not load"
        return "warning", f"▲ {tools}, {failed} · {_time(seconds)}"
    return ("ok", f"✓ {tools} · {_time(seconds)}") if count else ("warning", "▲ It works, but has no tools")


def details(trial: "Trial") -> str:
    """The rest, as rich text."""
    parts = [_paragraph(trial.failure, "text")] if trial.failure else []
    parts += [_error(error) for error in trial.errors]
    parts += [_tool(tool) for tool in trial.tools[:MOST_TOOLS]]
    if len(trial.tools) > MOST_TOOLS:
        parts.append(_paragraph(f"… and {len(trial.tools) - MOST_TOOLS} more", "muted"))
    if trial.failure or not trial.tools:
        parts += _log(trial.log)
    return "".join(parts)


def _tool(tool: ToolSpec) -> str:
    about = tool.description.strip().partition("\n")[0]
    line = f'<br><span style="color:{_hex("muted")}">{escape(about)}</span>' if about else ""
    return f'<p style="margin:0 0 6px 0">{_code(tool.name, "tool")}{line}</p>'


def _error(error: LoadError) -> str:
    location = f"{error.file}:{error.line}" if error.line else error.file
    mark = f'<span style="color:{_hex("error")}">✕</span>'
    return f'<p style="margin:0 0 6px 0">{mark} {_code(location, "text")}<br>{escape(error.message)}</p>'


def _log(lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    text = "<br>".join(_code(line, "text") for line in lines[-LOG_LINES:])
    return [_paragraph("Its last lines:", "muted"), f'<p style="margin:0">{text}</p>']


def _paragraph(text: str, colour: str) -> str:
    return f'<p style="margin:0 0 8px 0;color:{_hex(colour)}">{escape(text)}</p>'


def _code(text: str, colour: str) -> str:
    family = theme().code_font().family()
    return f"<span style=\"font-family:'{family}';color:{_hex(colour)}\">{escape(text)}</span>"


def _hex(colour: str) -> str:
    return theme().colour(colour).name()


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def exchange(record: "CallRecord", inner_calls: int = 0) -> tuple[str, str]:
    """`✓ 200 OK · 132 ms · 2 hidden`, or why nothing came back."""
    result = record["result"]
    if record["status"] != "ok" or not isinstance(result, dict) or "expected" not in result:
        return outcome(record, inner_calls)
    expected = bool(result["expected"])
    words = [f"{'✓' if expected else '✕'} {result['status']} {result['reason']}".rstrip()]
    if record["duration_ms"] is not None:
        words.append(duration_text(record["duration_ms"]))
    if record["redactions"]:
        words.append(f"{len(record['redactions']):,} hidden")
    if not expected:
        words.append("a script would get an error")
    return ("ok" if expected else "error"), " · ".join(words)


SEND = "Send it now? This is a real request: what it asks the server to do is done."


class RequestTrial(QWidget):
    """Asks whether a request is to be sent, and with what; sends it, and shows all that came back."""

    def __init__(self, workbench: "Workbench", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("requestTrial")
        self._tools: tuple[Tool, ...] = ()
        self.which = QComboBox()
        self.which.setAccessibleName("Request to send")
        self.which.currentIndexChanged.connect(self._show)
        self.request = ElidedLabel("")
        self.request.setProperty("role", "title")
        self.question = PlainLabel(SEND, wordWrap=True, role="muted")
        self.pane = TryPane(workbench, permits=True, unsaved=True, describe=exchange)
        self.pane.call_button.setText("Send")
        self.pane.call_button.setToolTip("Sends the request with these arguments (Ctrl+Enter)")
        # The one main action of the dialog is to save.
        set_property(self.pane.call_button, "primary", False)
        self.pane.result.by.hide()
        edge = theme().pixels(4 * SPACE)
        head = filled(QVBoxLayout(), self.which, self.request, self.question, spacing=theme().pixels(SPACE))
        head.setContentsMargins(edge, theme().pixels(2 * SPACE), edge, 0)
        filled(QVBoxLayout(self), rule(), head, (self.pane, 1), margins=0, spacing=0)
        self.hide()

    def offer(self, tools: "tuple[Tool, ...]") -> None:
        """Asks about these; with none there is nothing to be seen."""
        self._tools = tools
        self.which.blockSignals(True)
        self.which.clear()
        self.which.addItems([tool.spec.name for tool in tools])
        self.which.blockSignals(False)
        self.which.setVisible(len(tools) > 1)
        self.setVisible(bool(tools))
        self._show()

    def cancel(self) -> None:
        """Gives up what was sent."""
        self.pane.cancel()

    def _show(self) -> None:
        tool = self._tools[self.which.currentIndex()] if self._tools else None
        self.request.setText(tool.spec.origin if tool else "")
        self.pane.result.hide()
        self.pane.set_target(Target(tool, tool.spec, None) if tool else None)


Begin = Callable[[], "Awaitable[Trial]"]
LIST_LINES = 2
UNBOUNDED = 16_777_215
"""Qt's own greatest height."""
TICK_MS = 100
PATIENCE = 0.3
"""Seconds before a wait is shown."""
INVITATION = "Press Test to see which tools the source provides. That saves nothing."


class TrialPane(QWidget):
    """One trial at a time; a new one, Cancel and the end of the dialog stop the one before.

    Signals: tried(Trial): it is over, and shown.
    """

    tried = Signal(object)

    def __init__(
        self, start: Callable[[], "Begin | None"], workbench: "Workbench", parent: QWidget | None = None
    ) -> None:
        """`start` gives what begins a trial, or says itself why there is none."""
        super().__init__(parent)
        self.sending = RequestTrial(workbench)
        self._start = start
        self._task: asyncio.Task[None] | None = None
        self._trial: Trial | None = None
        self._offered: tuple[Tool, ...] = ()
        self._took = 0.0
        self._began = 0.0
        self._clock = QTimer(self, interval=TICK_MS)
        self._clock.timeout.connect(self._show_time)
        self._lay_out()
        theme().changed.connect(self._show)
        self.forget()

    @property
    def is_busy(self) -> bool:
        return self._task is not None

    def test(self) -> None:
        """Begins, or cancels what is under way."""
        if self._task is not None:
            self.cancel()
            return
        begin = self._start()
        if begin is not None:
            self._trial = None
            self._began = time.monotonic()
            self._task = asyncio.ensure_future(self._look(begin))
            self._task.add_done_callback(self._on_done)
            self.button.setText("Cancel")
            self.said.setText("◐ Looking…")
            self.text.clear()
            self._clock.start()

    def cancel(self) -> None:
        """Stops the trial; what it started is ended."""
        self.sending.cancel()
        if self._task is not None:
            self._task.cancel()

    def forget(self) -> None:
        """What was found is no longer what would be found."""
        self.cancel()
        self._trial = None
        self._show()

    def _lay_out(self) -> None:
        title = ElidedLabel("What it provides")
        title.setProperty("role", "title")
        self.button = QPushButton("Test")
        self.button.setObjectName("testSourceButton")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.test)
        head = QHBoxLayout()
        edge = theme().pixels(4 * SPACE)
        head.setContentsMargins(edge, theme().pixels(2 * SPACE), edge, theme().pixels(2 * SPACE))
        head.addWidget(title, 1)
        head.addWidget(self.button)
        self.said = PlainLabel(wordWrap=True)
        self.said.setAccessibleName("Result of the test")
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.progress = QProgressBar(maximum=0, textVisible=False)
        self.progress.setAccessibleName("Testing")
        self.text = StillBrowser()
        self.text.setAccessibleName("What the source provides")
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(0)
        body = QVBoxLayout()
        body.setContentsMargins(edge, theme().pixels(3 * SPACE), edge, theme().pixels(2 * SPACE))
        body.setSpacing(theme().pixels(2 * SPACE))
        for widget in (self.said, self.progress):
            body.addWidget(widget)
        body.addWidget(self.text, 1)
        self._parts = filled(QVBoxLayout(self), head, rule(), (body, 1), margins=0, spacing=0)
        self._parts.addWidget(self.sending, 0)

    async def _look(self, begin: "Begin") -> None:
        trial = await begin()
        self._trial, self._took = trial, time.monotonic() - self._began

    def _on_done(self, task: "asyncio.Task[None]") -> None:
        self._task = None
        if not isValid(self):
            # The dialog was closed meanwhile.
            return
        self._clock.stop()
        self._show()
        if self._trial is not None:
            self.tried.emit(self._trial)
        if task.cancelled():
            self.said.setText("▲ Cancelled before it was known whether it works.")
        elif error := task.exception():
            # A source that breaks in a way that nobody thought of must not leave the pane silent.
            self.said.setText(f"✕ It could not be tried: {error or type(error).__name__}")

    def _show(self) -> None:
        if self._task is not None:
            return
        self.button.setText("Test" if self._trial is None else "Test again")
        self.progress.hide()
        colour, text = ("muted", INVITATION) if self._trial is None else headline(self._trial, self._took)
        self.said.setStyleSheet(f"color: {theme().colour(colour).name()};")
        self.said.setText(text)
        self.text.setHtml(details(self._trial) if self._trial is not None else "")
        sent = self._trial.exchanges if self._trial is not None else ()
        if sent != self._offered:
            self._offered = sent
            self.sending.offer(sent)
            # What comes back is what people look at then: the list of tools gets a few lines.
            self.text.setMaximumHeight(theme().pixels(LIST_LINES * ROW) if sent else UNBOUNDED)
            self._parts.setStretch(self._parts.indexOf(self.sending), 1 if sent else 0)
            self._parts.setStretch(2, 0 if sent else 1)

    def _show_time(self) -> None:
        passed = time.monotonic() - self._began
        self.progress.setVisible(passed >= PATIENCE)
        self.said.setText(f"◐ Looking… {passed:.0f} s" if passed >= 1 else "◐ Looking…")
