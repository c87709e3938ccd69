"""The tab of what is served: where, to whom, and the lines to copy; and the switch that starts and stops it."""

import importlib
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ptc_studio.core.errors import PtcError
from ptc_studio.ui.dialogs.framed_dialog import plain_list
from ptc_studio.ui.forms.controls import Segments, apply_form_style
from ptc_studio.ui.theme import theme
from ptc_studio.ui.tokens import SPACE
from ptc_studio.ui.widgets.buttons import flat_button, flat_toggle
from ptc_studio.ui.widgets.labels import EmptyOverlay, EmptyState, PlainLabel, plain_tip
from ptc_studio.ui.widgets.layout import Scrolled

if TYPE_CHECKING:
    from ptc_studio.gateway.http.endpoint import Client
    from ptc_studio.serving.tool_service import Address, ToolService
    from ptc_studio.ui.context import Context
    from ptc_studio.ui.panels import Panels


CLIENT_CAME = "An MCP client calls the tools of this window: what it does is shown here. The tab Serve ends that."
MODULE = "ptc_studio.serving.tool_service"


class Serving(QObject):
    """The switch "Serve tools" of one window."""

    def __init__(self, context: "Context", panels: "Panels") -> None:
        super().__init__(context.window)
        self._context, self._panels, self._panel = context, panels, panels.serving
        self._service: ToolService | None = None
        self._is_changing = False
        context.commands["serveAction"].triggered.connect(lambda _checked=False: self._on_command())
        self._panel.start_requested.connect(self.start)
        self._panel.stop_requested.connect(self.stop)
        self._panel.calls_requested.connect(context.workbench.show_job)
        context.workbench.before_closing.append(self._stop)

    def start(self) -> None:
        """Begins to serve what the script may call, unless it is served already."""
        if self._service is None and not self._is_changing and self._context.is_ready():
            self._panel.start_button.setEnabled(False)
            self._context.workbench.start(self._start())

    def start_for_client(self) -> None:
        """Serves what an MCP client that the user started asked for, and says so; not in a folder without trust."""
        bench = self._context.workbench
        if bench.is_open and bench.studio.trusted:
            if self._service is None:
                self._context.messages.show_message(CLIENT_CAME)
            self.start()

    def stop(self) -> None:
        """Ends it, with the calls under way."""
        self._context.workbench.start(self._stop())

    def _on_command(self) -> None:
        self._panels.docks.set_resting(False)
        self._panels.select_tab("serving")
        self.start()

    async def _start(self) -> None:
        bench, studio = self._context.workbench, self._context.workbench.studio
        self._is_changing = True
        try:
            # It takes a while to import, and the window is not to wait for it.
            await studio.in_thread(lambda: importlib.import_module(MODULE))
            from ptc_studio.serving import client_settings
            from ptc_studio.serving.tool_service import ToolService

            service = ToolService(studio, grant=bench.grant)
            await service.start()
        except PtcError as error:
            self._context.messages.show_message(str(error))
            self._panel.show_idle()
            return
        finally:
            self._is_changing = False
        self._service = service
        address = service.address
        workspace = studio.folder if studio.has_workspace else None
        texts = (
            ("Shell", client_settings.shell_lines(address)),
            ("Docker", client_settings.docker_line(address)),
            (".env", client_settings.env_file(address)),
            ("MCP", client_settings.mcp_entries(address, workspace)),
        )
        if workspace is not None:
            await studio.in_thread(lambda: client_settings.announce(workspace, address))
        bench.follow(service.endpoint.session.run, service.in_tree)
        self._panel.show_served(address, texts, lambda: service.endpoint.clients, lambda: service.connections)
        self._panels.set_count("serving", "●")

    async def _stop(self) -> None:
        service, self._service = self._service, None
        if service is None:
            return
        from ptc_studio.serving import client_settings

        studio = self._context.workbench.studio
        if studio.has_workspace:
            await studio.in_thread(lambda: client_settings.withdraw(studio.folder))
        await service.stop()
        self._context.workbench.follow(None, None)
        self._panel.show_idle()
        self._panels.set_count("serving", "")


EMPTY = (
    "Serve tools lets scripts, containers and agents on this machine call the granted tools over HTTP or MCP; "
    "their calls appear in the call tree. Nothing but this machine can reach it, and a token is needed."
)
LOOK_MS = 1_000
QUIET = 60
"""Seconds without a call after which a client is shown as quiet."""
LINES_HIGH = 48
HIDDEN = "•" * 11


class ServingPanel(QWidget):
    """What is served, or how to begin.

    Signals: start_requested; stop_requested; calls_requested: the calls of the job are to be seen.
    """

    start_requested = Signal()
    stop_requested = Signal()
    calls_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        apply_form_style(self)
        self._texts: Sequence[tuple[str, str]] = ()
        self._position = 0
        self._clients: Callable[[], Mapping[str, Client]] = dict
        self._connections: Callable[[], int] = int
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._show_clients)
        self.pages = QStackedWidget()
        self.pages.addWidget(self._idle_page())
        self.pages.addWidget(self._served_page())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        # It must not make the dock higher than the other tabs need.
        column.addWidget(Scrolled(self.pages))

    @property
    def is_served(self) -> bool:
        """Whether something is served at the moment."""
        return self.pages.currentIndex() == 1

    def show_served(
        self,
        address: "Address",
        texts: Sequence[tuple[str, str]],
        clients: "Callable[[], Mapping[str, Client]]",
        connections: Callable[[], int],
    ) -> None:
        """Shows where it is served, with what to copy by title, and from now on who calls."""
        self._texts, self._clients, self._connections = texts, clients, connections
        self.address.setText(address.url)
        self.job.setText(address.job_id)
        self.token.setText(address.token)
        for field in (self.address, self.job):
            field.setCursorPosition(0)
            field.setToolTip(plain_tip(field.text()))
        self.choice.set_current(0)
        self._show_text(0)
        self.pages.setCurrentIndex(1)
        self._show_clients()
        self._timer.start()

    def show_idle(self) -> None:
        """Shows how to begin; forgets the token."""
        self._timer.stop()
        for field in (self.address, self.job, self.token):
            field.clear()
        self.lines.clear()
        self._texts = ()
        self.start_button.setEnabled(True)
        self.pages.setCurrentIndex(0)

    def copy_lines(self) -> None:
        """Copies the lines, with the token in them whether it is shown or not."""
        if self._texts:
            QGuiApplication.clipboard().setText(self._texts[self._position][1])

    def _idle_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        self.start_button = QPushButton("Serve tools")
        self.start_button.setProperty("primary", True)
        self.start_button.clicked.connect(self.start_requested)
        column.addStretch(1)
        column.addWidget(EmptyState(EMPTY))
        column.addWidget(self.start_button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        return page

    def _served_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        edge = theme().pixels(3 * SPACE)
        column.setContentsMargins(edge, edge, edge, edge)
        column.setSpacing(theme().pixels(2 * SPACE))
        column.addLayout(self._fields())
        column.addLayout(self._actions())
        below = QHBoxLayout()
        below.setSpacing(theme().pixels(3 * SPACE))
        below.addWidget(self._lines(), 3)
        below.addWidget(self._who(), 2)
        column.addLayout(below, 1)
        return page

    def _fields(self) -> QHBoxLayout:
        self.address, self.job, self.token = (_field(name) for name in ("Address", "Job", "Token"))
        self.token.setEchoMode(QLineEdit.EchoMode.Password)
        self.reveal = flat_toggle("key", "Show the token", self._on_reveal)
        row = QHBoxLayout()
        row.setSpacing(theme().pixels(SPACE))
        for field, share in ((self.address, 3), (self.job, 2), (self.token, 2)):
            row.addWidget(_muted(field.accessibleName()))
            row.addWidget(field, share)
            if field is self.token:
                row.addWidget(self.reveal)
            row.addWidget(flat_button("copy", f"Copy {field.accessibleName().lower()}", partial(_copy, field)))
        return row

    def _actions(self) -> QHBoxLayout:
        self.choice = Segments(["Shell", "Docker", ".env", "MCP"])
        self.choice.picked.connect(self._show_text)
        copy = flat_button("copy", "Copy the lines", self.copy_lines)
        self.calls_button = QPushButton("Show calls")
        self.calls_button.clicked.connect(self.calls_requested)
        self.stop_button = QPushButton("Stop serving")
        self.stop_button.clicked.connect(self.stop_requested)
        row = QHBoxLayout()
        row.addWidget(self.choice, 1)
        for widget in (copy, self.calls_button, self.stop_button):
            row.addWidget(widget)
        return row

    def _lines(self) -> QPlainTextEdit:
        self.lines = QPlainTextEdit(readOnly=True)
        self.lines.setAccessibleName("Lines to copy")
        self.lines.setProperty("field", True)
        self.lines.setProperty("code", True)
        self.lines.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.lines.setMinimumHeight(theme().pixels(LINES_HIGH))
        return self.lines

    def _who(self) -> QTreeWidget:
        self.clients = plain_list("Clients", "Client", "Calls", "Last")
        header = self.clients.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self._nobody = EmptyOverlay(self.clients, "Nobody has called yet")
        self._nobody.watch(self.clients.model())
        return self.clients

    def _show_text(self, position: int) -> None:
        self._position = position
        if position < len(self._texts):
            text = self._texts[position][1]
            hidden = self.token.echoMode() == QLineEdit.EchoMode.Password
            self.lines.setPlainText(text.replace(self.token.text(), HIDDEN) if hidden else text)

    def _on_reveal(self, shown: bool) -> None:
        self.token.setEchoMode(QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password)
        self._show_text(self._position)

    def _show_clients(self) -> None:
        now, found = time.monotonic(), sorted(self._clients().values(), key=lambda one: -one.last)
        while self.clients.topLevelItemCount() > len(found):
            self.clients.takeTopLevelItem(len(found))
        for row, client in enumerate(found):
            item = self.clients.topLevelItem(row)
            if item is None:
                item = QTreeWidgetItem()
                item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.clients.addTopLevelItem(item)
            for column, text in enumerate((client.name, f"{client.calls:,}", _ago(now - client.last))):
                if item.text(column) != text:
                    item.setText(column, text)
        self.clients.headerItem().setText(0, f"Clients · {self._connections()}")
        self.clients.headerItem().setToolTip(0, "How many are connected now")


def _ago(seconds: float) -> str:
    if seconds < 2:
        return "now"
    return f"{seconds:.0f} s ago" if seconds < QUIET else f"{seconds // 60:.0f} min ago"


def _muted(text: str) -> PlainLabel:
    label = PlainLabel(text)
    label.setProperty("role", "muted")
    return label


def _field(name: str) -> QLineEdit:
    field = QLineEdit(readOnly=True)
    field.setAccessibleName(name)
    field.setProperty("code", True)
    return field


def _copy(field: QLineEdit) -> None:
    QGuiApplication.clipboard().setText(field.text())
