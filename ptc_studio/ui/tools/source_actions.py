"""What is done with a source from the tool panel: edited, reloaded, removed, looked into."""

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, QUrl
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.ui.dialogs.questions import open_outside
from ptc_studio.ui.sources import actions
from ptc_studio.ui.sources.server_question import confirm_servers, unconfirmed_servers
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.tools.rows import source_rows
from ptc_studio.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from ptc_studio.core.redaction import Redactor
    from ptc_studio.sources.mcp.message_log import LoggedMessage, MessageLog
    from ptc_studio.sources.sign_in import OpenBrowser
    from ptc_studio.ui.context import Context


LOOK_MS = 300
MOMENT = 0.008
NOTHING = "It has written nothing yet."
NONE_FIT = "No line has these words."
PAGES = ("Lines", "Messages")


class SourceLog(QDialog):
    """The lines that a source wrote and, of a server, the messages to and fro; whatever holds the filter's words.

    Follows until the user scrolls away from the end, and again when the end is reached. Not modal.
    """

    def __init__(self, loaded_source: Any, redactor: "Callable[[], Redactor]", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sourceLog")
        self.setWindowTitle(f"Log of {loaded_source.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._loaded_source = loaded_source
        self._redactor = redactor
        self._lines: tuple[str, ...] = ()
        self._shown: tuple[str, ...] = ()
        self._seen: object = None
        self._message_texts: dict[LoggedMessage, str] = {}
        self.state = PlainLabel()
        self.state.setWordWrap(True)
        self.pages = QTabBar()
        self.pages.setAccessibleName("What is shown")
        for title in PAGES:
            self.pages.addTab(title)
        self.pages.setDrawBase(False)
        self.pages.setExpanding(False)
        self.pages.setVisible(hasattr(loaded_source.source, "messages"))
        self.pages.currentChanged.connect(lambda _: self._look())
        self.filter = QLineEdit(clearButtonEnabled=True)
        self.filter.setPlaceholderText("Filter, such as tools/call")
        self.filter.setAccessibleName("Filter of the lines")
        self.filter.textChanged.connect(lambda _: self._show_lines())
        self.text = QPlainTextEdit(readOnly=True, undoRedoEnabled=False)
        self.text.setAccessibleName(f"Last lines of {loaded_source.name}")
        self.text.setPlaceholderText(NOTHING)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._lay_out()
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        theme().changed.connect(self._apply_style)
        self._apply_style()
        self._look()

    def _lay_out(self) -> None:
        copy, close = QPushButton("Copy all"), QPushButton("Close")
        copy.setToolTip("Copies the lines that are shown")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText("\n".join(self._shown)))
        close.clicked.connect(self.close)
        close.setDefault(True)
        foot = QHBoxLayout()
        foot.setSpacing(2 * SPACE)
        foot.addStretch(1)
        foot.addWidget(copy)
        foot.addWidget(close)
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(self.pages)
        head.addWidget(self.filter, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        column.setSpacing(2 * SPACE)
        column.addWidget(self.state)
        column.addLayout(head)
        column.addWidget(self.text, 1)
        column.addLayout(foot)

    def _look(self) -> None:
        row = source_rows([self._loaded_source])[0]
        words = f"{row.mark} {row.word.capitalize()}" + (f": {row.detail}" if row.detail else "")
        if words != self.state.text():
            self.state.setText(words)
            self.state.setStyleSheet(f"color: {getattr(theme().colours, row.tone)};")
        if self.pages.currentIndex() == 1:
            messages = self._loaded_source.source.messages
            seen: object = (id(messages), messages.count)
        else:
            messages, seen = None, self._loaded_source.status.log
        if seen != self._seen:
            self._seen = seen
            self._lines = self._message_lines(messages) if messages is not None else self._loaded_source.status.log
            self._show_lines()

    def _message_lines(self, log: "MessageLog") -> tuple[str, ...]:
        """As many as can be made in a moment, and the others at the next look."""
        redactor, known, end = self._redactor(), self._message_texts, perf_counter() + MOMENT
        self._message_texts = {}
        for message in log.messages:
            if message not in known and perf_counter() > end:
                self._seen = None
                break
            self._message_texts[message] = known.get(message) or message.line(redactor)
        return tuple(self._message_texts.values())

    def _show_lines(self) -> None:
        wanted = self.filter.text().casefold()
        self._shown = tuple(line for line in self._lines if wanted in line.casefold())
        bar = self.text.verticalScrollBar()
        follows, location = bar.value() >= bar.maximum(), bar.value()
        self.text.setPlaceholderText(NONE_FIT if self._lines and wanted else NOTHING)
        self.text.setPlainText("\n".join(self._shown))
        bar.setValue(bar.maximum() if follows else location)

    def _apply_style(self) -> None:
        font = theme().code_font()
        self.text.setStyleSheet(f"font-family: '{font.family()}'; font-size: {font.pixelSize()}px;")
        self.resize(theme().pixels(640), theme().pixels(360))

    def closeEvent(self, event: QCloseEvent) -> None:
        self._timer.stop()
        super().closeEvent(event)


class SourceActions(QObject):
    """Connects the panel of one window."""

    def __init__(self, context: "Context") -> None:
        super().__init__(context.window)
        self._context = context
        self._logs: dict[int, SourceLog] = {}
        context.tools.source_requested.connect(self._on_source_requested)
        context.tools.definitions_requested.connect(lambda names: actions.open_definitions(context, names))
        action = context.commands["addSourceAction"]
        action.setToolTip("Adds a folder of functions, a server, an API or a command")
        action.triggered.connect(lambda: actions.open_add_source(context))

    def _on_source_requested(self, verb: str, loaded_source: Any) -> None:
        context = self._context
        if verb == "reload":
            context.workbench.start(context.workbench.studio.reload_source(loaded_source))
        elif verb == "log":
            self._show_log(loaded_source)
        elif verb == "sign-in":
            # Its steps are worth watching, above all where one of them fails.
            self._show_log(loaded_source)
            context.start_reported(self._sign_in(loaded_source))
        elif verb == "sign-out":
            context.start_reported(self._sign_out(loaded_source))
        elif verb == "confirm-servers":
            confirm_servers(context, loaded_source, unconfirmed_servers(loaded_source))
        elif verb == "edit":
            actions.open_edit_source(context, loaded_source)
        elif verb == "remove":
            actions.remove_source(context, loaded_source)

    def _opener(self) -> "OpenBrowser":
        """Opens the browser on the window's thread, whoever asks for it."""
        loop = asyncio.get_running_loop()
        return lambda url: loop.call_soon_threadsafe(open_outside, QUrl(url))

    async def _sign_in(self, loaded_source: Any) -> None:
        studio, opener = self._context.workbench.studio, self._opener()
        await studio.in_thread(lambda: loaded_source.source.sign_in(opener))
        await studio.reload_source(loaded_source)

    async def _sign_out(self, loaded_source: Any) -> None:
        studio = self._context.workbench.studio
        known = await studio.in_thread(loaded_source.source.sign_out)
        await studio.reload_source(loaded_source)
        name = loaded_source.name
        self._context.messages.show_message(f"Signed out of {name}." if known else f"Nobody was signed in to {name}.")

    def _redactor(self) -> "Redactor":
        return self._context.workbench.studio.executor.redactor

    def _show_log(self, loaded_source: Any) -> None:
        log = self._logs.get(id(loaded_source))
        if log is not None:
            log.raise_()
            log.activateWindow()
            return
        log = self._logs[id(loaded_source)] = SourceLog(loaded_source, self._redactor, self._context.window)
        log.finished.connect(lambda _: self._logs.pop(id(loaded_source), None))
        log.show()
