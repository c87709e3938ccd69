"""`ptc-studio serve` and `ptc-studio mcp`: the tools for others, over HTTP or as an MCP server on standard streams."""

import asyncio
import contextlib
import json
import os
import signal
import time
from argparse import Namespace
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from ptc_studio.app import Studio
from ptc_studio.cli.open_studio import complain_of, complain_of_vain, open_studio
from ptc_studio.cli.terminal import Terminal
from ptc_studio.core.registry import Grant
from ptc_studio.serving.client_settings import announced, mcp_command_entry, window_mark
from ptc_studio.serving.mcp_protocol import ToolServer
from ptc_studio.serving.mcp_relay import SwitchedTools
from ptc_studio.serving.mcp_server import McpTools
from ptc_studio.serving.tool_service import Address, ToolService, served_job

WINDOW_SECONDS = 8.0
"""So long a window has to begin to serve."""
LOOK_SECONDS = 0.05


async def serve(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio serve`"""
    studio = open_studio(options, terminal)
    stopped = asyncio.Event()
    _on_signals(stopped.set)
    try:
        grant = await _load(studio, options, terminal)
        service = ToolService(studio, grant=grant, port=options.port, raw=options.raw)
        await service.start()
        address = service.address
        told = {"url": address.url, "job_id": address.job_id, "token": address.token}
        terminal.write(json.dumps(told) + "\n")
        await stopped.wait()
        await service.stop()
    finally:
        await studio.close()
    return 0


async def mcp(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio mcp`"""
    workspace = Path(options.workspace) if options.workspace else Path.cwd()
    if options.config:
        functions = Path(options.functions) if options.functions else None
        terminal.write(mcp_command_entry(workspace if options.workspace or not functions else None, functions) + "\n")
        return 0
    alone = options.alone or options.functions or options.grant or options.raw
    tools = SwitchedTools(_NoWindows() if alone else _Windows(workspace), lambda: _own_tools(options, terminal, server))
    server = ToolServer(tools)
    tools.on_changed = server.tell_changed
    try:
        await tools.open()
        await _speak(server.sdk, terminal)
    finally:
        await tools.close()
    return 0


@contextlib.asynccontextmanager
async def _own_tools(options: Namespace, terminal: Terminal, server: ToolServer) -> AsyncIterator[McpTools]:
    studio = open_studio(options, terminal)
    try:
        grant = await _load(studio, options, terminal)
        async with served_job(studio, grant) as session:
            studio.on_tools_changed(server.tell_changed)
            yield McpTools(studio, session, raw=options.raw)
    finally:
        await studio.close()


class _NoWindows:
    def announced(self) -> Address | None:
        return None

    async def asked(self, dead: Address | None) -> Address | None:
        """Nobody is asked."""


class _Windows:
    """Those of one workspace."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._asked: tuple[int, int] | None = None

    def announced(self) -> Address | None:
        return announced(self._workspace)

    async def asked(self, dead: Address | None) -> Address | None:
        mark = window_mark(self._workspace)
        # One that was asked before was told by its user to stop, or is none.
        if mark is None or mark == self._asked:
            return None
        self._asked = mark
        asked, end = self._ask(), time.monotonic() + WINDOW_SECONDS
        while asked and time.monotonic() < end:
            if (address := self.announced()) not in (None, dead):
                return address
            await asyncio.sleep(LOOK_SECONDS)
        return None

    def _ask(self) -> bool:
        # Imported late: it needs a part of Qt, which servers do without.
        from PySide6.QtCore import QCoreApplication

        from ptc_studio.ui.single_instance import SingleInstance

        application = QCoreApplication.instance() or QCoreApplication([])
        asked = SingleInstance(self._workspace).request_serving()
        del application
        return asked


async def _load(studio: Studio, options: Namespace, terminal: Terminal) -> Grant:
    complain_of(await studio.load(), terminal)
    names = [name for names in options.grant or () for name in names]
    complain_of_vain(names, studio, terminal)
    return studio.grant(names)


async def _speak(server: "Server[Any]", terminal: Terminal) -> None:
    """Serves whoever is at the other end of the standard streams, until it hangs up or a signal comes."""
    # The true ones: what else is printed goes to stderr, and no tool reads what the client sends.
    own = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="replace")
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    speaking = asyncio.current_task()
    assert speaking is not None
    _on_signals(speaking.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        async with stdio_server(anyio.wrap_file(own), anyio.wrap_file(terminal.out)) as (read, write):
            await server.run(read, write, server.create_initialization_options())


def _on_signals(stop: Callable[[], Any]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows has no such handlers; there an interrupt ends the program.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop)
