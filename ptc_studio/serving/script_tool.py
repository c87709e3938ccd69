"""`run_script` as a tool of the executor's: it stands in the job's tree, with the script as a run of its own below."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from ptc_studio.app import Studio
from ptc_studio.core.errors import UnfitArguments, UnfitValues
from ptc_studio.core.events import CallEdited, CallFinished, CallNoted, CallProgressed, CallStarted, Event
from ptc_studio.core.registry import Grant, Target
from ptc_studio.core.run import Run
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.core.tools import Ticket, ToolSpec
from ptc_studio.core.trace import RunRecord
from ptc_studio.targets import Destination, UnknownTarget, find_target

RUN_SCRIPT = "run_script"
LONGEST = 290.0
"""Seconds for a script: less than its call has at most, so that the script's own limit speaks first."""
KEPT = ("run_id", "runtime", "status", "stdout", "stderr", "return_code", "error", "value", "duration_ms")


@dataclass(frozen=True, slots=True)
class OfferedTarget(Target):
    """Not one of the tools that a grant is about: what a script may call is checked in the script's own run."""

    def granted_by(self, grant: Grant) -> bool:  # noqa: ARG002
        return True


class ScriptTool:
    """Runs a script with the grant of the job that asks for it."""

    def __init__(self, studio: Studio, job: Run) -> None:
        self._studio = studio
        self._job = job
        self._loop = asyncio.get_running_loop()
        self.scripts = ScriptRuns(job.run_id)
        schema = script_schema([manifest.id for manifest in studio.runtimes.manifests])
        self.spec = ToolSpec(RUN_SCRIPT, "Runs a script that calls the tools.", schema, "studio")

    @property
    def target(self) -> Target:
        return OfferedTarget(self, self.spec)

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if not isinstance(arguments.get("code"), str):
            raise UnfitArguments(RUN_SCRIPT, "'code' must be the text of a script")
        if not isinstance(arguments.get("runtime", ""), str):
            raise UnfitValues(RUN_SCRIPT, "'runtime' must be the id of a runtime")
        limit = arguments.get("timeout")
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int | float) or not limit > 0):
            raise UnfitValues(RUN_SCRIPT, "'timeout' must be a number of seconds above 0")
        if arguments.get("target") is not None:
            try:
                find_target(str(arguments["target"]))
            except UnknownTarget as error:
                raise UnfitValues(RUN_SCRIPT, str(error)) from None
        return dict(arguments)

    def invoke(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        return asyncio.run_coroutine_threadsafe(self._run(arguments, ticket), self._loop).result()

    async def _run(self, arguments: dict[str, Any], ticket: Ticket) -> dict[str, Any]:
        target = find_target(arguments["target"]) if arguments.get("target") else None
        wanted = arguments.get("runtime") or (target.runtime if target else None) or "python"
        info = await self._studio.choose_runtime(wanted, "")
        limit = min(arguments.get("timeout") or self._studio.limits.timeout, LONGEST)
        session = self._studio.session(grant=self._job.grant, timeout=limit, target=target)
        ticket.on_abandon(session.stop)
        script = Script(arguments["code"], f"script{info.extension}")
        with self.scripts.below(ticket.call_id, session, self._job):
            destination = Destination(target) if target else None
            return script_record(await self._studio.run(session, script, info, destination))


def script_schema(runtimes: Sequence[str]) -> dict[str, Any]:
    """The arguments of `run_script`."""
    return {
        "type": "object",
        "properties": {
            "code": {"type": "string", "description": "The script."},
            "runtime": {"enum": list(runtimes), "default": "python", "description": "What executes it."},
            "target": {"type": "string", "description": "The place whose rules it is run by, if any."},
            "timeout": {"type": "number", "exclusiveMinimum": 0, "description": "Seconds for the whole run."},
        },
        "required": ["code"],
        "additionalProperties": False,
    }


def script_record(record: RunRecord) -> dict[str, Any]:
    """What whoever asked for the script is told of its run."""
    calls = [
        {"tool": call["alias"] or call["tool"], "status": call["status"], "duration_ms": call["duration_ms"]}
        for call in record["calls"]
    ]
    return {**{key: record[key] for key in KEPT}, "calls": calls}


@dataclass(frozen=True, slots=True)
class _Below:
    """Where a script's calls hang."""

    call_id: str
    offset_ms: float


class ScriptRuns:
    """Which runs are scripts of a job, and their events as a part of the job's tree."""

    def __init__(self, job_id: str) -> None:
        self._job_id = job_id
        self._runs: dict[str, _Below] = {}

    @contextmanager
    def below(self, call_id: str, session: Session, job: Run) -> Iterator[None]:
        """While this lasts, the session's run is the script of that call."""
        run = session.run
        self._runs[run.run_id] = _Below(call_id, (run.started - job.started) * 1000)
        try:
            yield
        finally:
            del self._runs[run.run_id]

    def call_of(self, run_id: str) -> str | None:
        """The call that the run belongs to, while it goes on."""
        below = self._runs.get(run_id)
        return below.call_id if below else None

    def in_tree(self, batch: Sequence[Event]) -> list[Event]:
        """The events of the job, and those of its scripts as if their calls were made by `run_script`."""
        shown: list[Event] = []
        for event in batch:
            if event.run_id == self._job_id:
                shown.append(event)
            elif (below := self._runs.get(event.run_id)) is not None:
                moved = self._moved(event, below)
                if moved is not None:
                    shown.append(moved)
        return shown

    def _moved(self, event: Event, below: _Below) -> Event | None:
        if isinstance(event, CallStarted):
            parent = f"{below.call_id}/{event.parent_id}" if event.parent_id else below.call_id
            return replace(
                event,
                run_id=self._job_id,
                call_id=f"{below.call_id}/{event.call_id}",
                parent_id=parent,
                depth=event.depth + 1,
                started_ms=round(event.started_ms + below.offset_ms, 3),
            )
        if isinstance(event, CallFinished | CallProgressed | CallEdited | CallNoted):
            return replace(event, run_id=self._job_id, call_id=f"{below.call_id}/{event.call_id}")
        return None
