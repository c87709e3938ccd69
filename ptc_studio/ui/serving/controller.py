"""Starts and stops serving the tools of the window, and has its calls shown."""

import importlib
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ptc_studio.core.errors import PtcError

if TYPE_CHECKING:
    from ptc_studio.serving.tool_service import ToolService
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
            from ptc_studio.serving import client_settings, discovery
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
            await studio.in_thread(lambda: discovery.announce(workspace, address))
        bench.follow(service.endpoint.session.run, service.in_tree)
        self._panel.show_served(address, texts, lambda: service.endpoint.clients, lambda: service.connections)
        self._panels.set_count("serving", "●")

    async def _stop(self) -> None:
        service, self._service = self._service, None
        if service is None:
            return
        from ptc_studio.serving import discovery

        studio = self._context.workbench.studio
        if studio.has_workspace:
            await studio.in_thread(lambda: discovery.withdraw(studio.folder))
        await service.stop()
        self._context.workbench.follow(None, None)
        self._panel.show_idle()
        self._panels.set_count("serving", "")
