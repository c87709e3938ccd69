"""A job: a run that has no script of ours, whose calls come from elsewhere for as long as it is served."""

import asyncio
import contextlib
import time
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace

from ptc_studio.app import Studio
from ptc_studio.core.events import RunFinished, RunStarted
from ptc_studio.core.registry import Grant
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.targets.catalog import PLAIN

ENDPOINT, MCP = "endpoint", "mcp"
"""What stands for the runtime in the record of a job."""
TITLES = {ENDPOINT: "served over HTTP", MCP: "served over MCP"}
"""What a job is called among the runs of scripts."""
FOR_EVER = 10 * 365 * 86_400.0
SETTLING_SECONDS = 10.0
KEPT_CALLS = 1_000
REFRESH_SECONDS = 2.0
"""How often files of tools that changed are read again."""


@contextlib.asynccontextmanager
async def served_job(studio: Studio, grant: Grant, kind: str = MCP) -> AsyncIterator[Session]:
    """The session of the job; at the end its calls are given up, and its run is over."""
    # It lasts until it is stopped; each call has a limit of its own.
    limits = replace(studio.limits, timeout=FOR_EVER)
    session = Session(studio.executor, grant=grant, limits=limits, run_id=str(uuid.uuid4()))
    if studio.history.recorder is None:
        # Nothing else keeps them, and it may last for weeks.
        session.trace.most_calls = KEPT_CALLS
    unwatch = studio.watch(session.trace.observe)
    studio.bus.publish(RunStarted(session.run.run_id, kind))
    try:
        async with studio.history.run(session, Script("", TITLES[kind]), kind, PLAIN, {}, endless=True):
            with studio.stdio.listening(session.run.run_id, session.write):
                refreshing = asyncio.ensure_future(_keep_tools_fresh(studio))
                try:
                    yield session
                finally:
                    refreshing.cancel()
                    await asyncio.wait([refreshing])
                    await _end(studio, session)
    finally:
        unwatch()


async def _keep_tools_fresh(studio: Studio) -> None:
    while True:
        await asyncio.sleep(REFRESH_SECONDS)
        await studio.refresh()


async def _end(studio: Studio, session: Session) -> None:
    run = session.run
    await studio.in_thread(lambda: run.stop("cancelled"))
    end = time.monotonic() + SETTLING_SECONDS
    while run.busy and time.monotonic() < end:  # noqa: ASYNC110 - it ends in another thread, within a moment
        await asyncio.sleep(0.002)
    session.close_output()
    # To be stopped is how a job ends well.
    studio.bus.publish(RunFinished(run.run_id, "ok", 0, None, None, run.elapsed_ms()))
    studio.bus.flush()
