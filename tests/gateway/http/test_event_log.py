"""What listeners get who are slow, late or gone for long."""

import asyncio
import json
from typing import Any

from ptc_studio.core.events import CallFinished, CallStarted
from ptc_studio.core.redaction import Redactor
from ptc_studio.gateway.http.endpoint import HEARTBEAT, EventLog

SHOWN = Redactor().value({"n": 1}, "arguments")


def happened(log: EventLog, number: int) -> None:
    """One call, from its start to its end."""
    call_id = f"c{number}"
    log.observe([CallStarted("job", call_id, None, 1, "add", None, "calc", SHOWN, 0.0, None)])
    log.observe([CallFinished("job", call_id, "ok", SHOWN, None, 1.0, "tool")])


def parsed(frames: bytes) -> list[tuple[int, str, Any]]:
    events = []
    for frame in frames.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in frame.splitlines() if not line.startswith(":"))
        if "data" in fields:
            events.append((int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return events


async def heard(log: EventLog, after: int | None, count: int) -> list[tuple[int, str, Any]]:
    frames, got = log.frames(after), []
    while len(got) < count:
        got += parsed(await anext(frames))
    await frames.aclose()
    return got


async def test_a_listener_without_a_number_hears_from_now_on():
    log = EventLog("job")
    happened(log, 1)
    listening = asyncio.ensure_future(heard(log, None, 2))
    await asyncio.sleep(0)
    happened(log, 2)
    assert [data["call_id"] for _, _, data in await listening] == ["c2", "c2"]


async def test_whoever_lags_behind_what_is_kept_is_told_how_much_he_missed():
    log = EventLog("job", most_events=4)
    for number in range(1, 6):
        happened(log, number)
    events = await heard(log, 0, 5)
    assert [number for number, _, _ in events] == [6, 7, 8, 9, 10]
    assert events[0][1:] == ("gap", {"type": "gap", "job_id": "job", "missed": 6})


async def test_what_is_kept_is_bounded_by_its_size_too():
    log = EventLog("job", most_bytes=1_000)
    for number in range(1, 101):
        happened(log, number)
    assert 0 < log.last_id - log.first_id < 10


async def test_a_silent_stream_has_heartbeats_and_ends_when_the_job_does():
    log = EventLog("job")
    frames = log.frames(None, heartbeat=0.001)
    await anext(frames)
    assert await anext(frames) == HEARTBEAT
    log.close()
    assert [frame async for frame in frames] == []
    assert log.listeners == 0


async def test_calls_of_other_runs_are_not_told():
    log = EventLog("another")
    happened(log, 1)
    assert log.last_id == 0
