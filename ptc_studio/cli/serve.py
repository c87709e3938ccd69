"""`ptc-studio serve`: the tools over HTTP, until a signal ends it."""

import asyncio
import contextlib
import json
import signal
from argparse import Namespace

from ptc_studio.cli.open_studio import complain_of, complain_of_vain, open_studio
from ptc_studio.cli.terminal import Terminal
from ptc_studio.serving.tool_service import ToolService


async def serve(options: Namespace, terminal: Terminal) -> int:
    """`ptc-studio serve`"""
    studio = open_studio(options, terminal)
    stopped = asyncio.Event()
    _on_signals(stopped)
    try:
        complain_of(await studio.load(), terminal)
        names = [name for names in options.grant or () for name in names]
        complain_of_vain(names, studio, terminal)
        service = ToolService(studio, grant=studio.grant(names), port=options.port, raw=options.raw)
        await service.start()
        address = service.address
        told = {"url": address.url, "job_id": address.job_id, "token": address.token}
        terminal.write(json.dumps(told) + "\n")
        await stopped.wait()
        await service.stop()
    finally:
        await studio.close()
    return 0


def _on_signals(stopped: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows has no such handlers; there an interrupt ends the program.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stopped.set)
