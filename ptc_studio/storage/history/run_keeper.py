"""Has the runs of one studio kept: tells the recorder what is known of each at its start, and that it has ended."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from ptc_studio.core.executor import Executor
from ptc_studio.core.registry import Registry
from ptc_studio.core.responders.cassette import recorded_tools
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.storage.cassettes import tools_as_written
from ptc_studio.storage.history.database import now
from ptc_studio.storage.history.journal import CallJournal
from ptc_studio.storage.history.past_runs import ToolDefinition
from ptc_studio.storage.history.recorder import HistoryRecorder, RunStart
from ptc_studio.storage.settings import MEGABYTE

BEGINNING_SECONDS = 0.25
"""How long a job waits for its beginning to be kept, which takes a hundredth of that."""
LONGEST_CODE = 2 * MEGABYTE
COMPILED = "\0asm"


class RunKeeper:
    """What a studio tells its history; without a recorder nothing is kept."""

    def __init__(
        self,
        executor: Executor,
        folder: Path,
        workspace: Path | None,
        functions: Path | None,
        recorder: HistoryRecorder | None,
    ) -> None:
        self.recorder = recorder
        self._executor = executor
        self._folder = str(folder)
        named = {"workspace": workspace, "functions": functions}
        self._places = {name: str(path.resolve()) if path else None for name, path in named.items()}

    def run(
        self,
        session: Session,
        script: Script,
        runtime: str,
        target: str,
        inputs: Mapping[str, Any],
        *,
        endless: bool = False,
    ) -> AbstractAsyncContextManager[None]:
        """While this lasts, the script is run; of an endless one the session forgets what is kept here."""
        if self.recorder is None:
            return nullcontext()
        redactor, code = self._executor.redactor, script.code
        kept = not code.startswith(COMPILED) and len(code) <= LONGEST_CODE
        about = {
            "script": script.filename,
            "code": redactor.text(code, "script") if kept else None,
            "runtime": runtime,
            "target": target,
            "inputs": redactor.value(dict(inputs), "inputs"),
            "endless": endless,
        }
        return self._kept(session, self.recorder, kind="run", **about)

    def call(self, session: Session, tool: str) -> AbstractAsyncContextManager[None]:
        """While this lasts, the tool is called by hand; its arguments come with its record."""
        if self.recorder is None:
            return nullcontext()
        return self._kept(session, self.recorder, kind="call", name=tool)

    def close(self) -> None:
        """Waits until everything is written."""
        if self.recorder is not None:
            self.recorder.close()

    @asynccontextmanager
    async def _kept(self, session: Session, recorder: HistoryRecorder, **about: Any) -> AsyncGenerator[None]:
        run = session.run
        limits, grant = asdict(run.limits), run.grant.patterns
        journal = CallJournal(recorder.path, run.run_id, recorder.tell) if about.get("endless") else None
        begun = recorder.start(
            RunStart(
                run.run_id,
                started=now(),
                workspace=self._folder,
                grant=grant,
                limits=limits,
                places=self._places,
                define=partial(self._define, run.registry or self._executor.registry),
                **about,
            ),
            session.trace,
            journal,
        )
        if journal is not None:
            run.witness = journal.observe
            # Whoever finds the journal of a dead program looks for its run.
            await asyncio.wait([asyncio.wrap_future(begun)], timeout=BEGINNING_SECONDS)
        try:
            yield
        finally:
            # It is written while whoever ran it goes on; see `PendingEnds`.
            recorder.finish(run.run_id)

    def _define(self, registry: Registry, names: Iterable[str]) -> list[ToolDefinition]:
        """What is known of the tools and aliases of these names."""
        redactor = self._executor.redactor
        found: list[ToolDefinition] = []
        for tool in recorded_tools(names, registry, redactor):
            target = registry.find(tool.name)
            schema = redactor.value(target.spec.parameters, "definition").value if target else {}
            written = tools_as_written([tool])[0]
            found.append(
                {"name": tool.name, "description": tool.description, "parameters": schema, "recorded": written}
            )
        return found
