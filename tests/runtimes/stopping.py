"""Stops runs at a moment that a test knows, however busy the machine is."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from ptc_studio.core.events import CallFinished, OutputWritten
from ptc_studio.core.scripts import Runtime, Script
from ptc_studio.core.session import Session
from ptc_studio.core.trace import RunRecord
from tests.support import Engine

Reached = Callable[[], object]


def written(engine: Engine) -> str:
    """What scripts wrote so far."""
    return "".join(event.text.value for event in engine.events if isinstance(event, OutputWritten))


def finished(engine: Engine) -> int:
    """How many calls came to their end so far."""
    return sum(isinstance(event, CallFinished) for event in engine.events)


def entered(session: Session, name: str) -> bool:
    """Whether a call of the tool is under way and its time runs."""
    return any(call.unwatch and call.name == name for call in session.run.active)


async def until(reached: Reached, engine: Engine, task: "asyncio.Future[RunRecord]") -> None:
    """Waits until the run is there; it must not be over before."""
    engine.executor.bus.flush()
    while not reached():
        assert not task.done(), task.result()
        await asyncio.sleep(0.005)
        engine.executor.bus.flush()


def end_time(item: Any, engine: Engine) -> None:
    """Has the time of a run or a call be up now."""
    item.deadline = time.monotonic()
    engine.executor.deadlines.watch(item)


async def out_of_time(
    reached: Reached, engine: Engine, session: Session, script: Script, runtime: Runtime
) -> RunRecord:
    """The record of a run whose time is up as soon as it is there."""
    task = asyncio.ensure_future(session.execute(script, runtime))
    await until(reached, engine, task)
    end_time(session.run, engine)
    return await task


async def cancelled(reached: Reached, engine: Engine, session: Session, script: Script, runtime: Runtime) -> RunRecord:
    """The record of a run that is cancelled as soon as it is there."""
    task = asyncio.ensure_future(session.execute(script, runtime))
    await until(reached, engine, task)
    session.stop()
    return await task
