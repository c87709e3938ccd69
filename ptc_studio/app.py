"""The composition root: wires core, sources, runtimes and storage, for the window and the terminal alike."""

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from ptc_studio.core.calls import CallRequest
from ptc_studio.core.events import Bus, Observer, batches_on
from ptc_studio.core.executor import Executor
from ptc_studio.core.permissions import Asker
from ptc_studio.core.registry import EVERYTHING, Grant, Registry, Target
from ptc_studio.core.responders import replay as replays
from ptc_studio.core.responders.breakpoints import BreakpointResponder, Breakpoints
from ptc_studio.core.responders.cassette import Cassette, cassette_of
from ptc_studio.core.responders.mocks import Mocks
from ptc_studio.core.responders.replay import OnMiss, Replay, ReplayMode
from ptc_studio.core.scripts import Containers, Script
from ptc_studio.core.session import Session
from ptc_studio.core.tools import LoadError
from ptc_studio.core.trace import CallRecord, RunRecord, Trace
from ptc_studio.runtimes.catalog import RuntimeCatalog, RuntimeInfo, UnknownRuntime
from ptc_studio.runtimes.nested_scripts import NestedScripts
from ptc_studio.runtimes.process_runtime import Freedoms
from ptc_studio.runtimes.stdio import StdioRouter
from ptc_studio.samples import SampleTools
from ptc_studio.sources.functions.entry import FunctionsEntry, functions_named_by_environment
from ptc_studio.sources.kinds import SourceContext
from ptc_studio.sources.on_demand import WantedSources, sources_of_tool
from ptc_studio.sources.references import References
from ptc_studio.sources.registry_sync import PlacedAlias, RegistrySync
from ptc_studio.sources.sign_in import LastingTokens, SignIns
from ptc_studio.sources.source_set import LoadedSource, SourceLocation, SourceSet, Trial
from ptc_studio.storage.history import HistoryRecorder, RunKeeper
from ptc_studio.storage.mock_store import MockStore
from ptc_studio.storage.secrets import Secrets, secrets_of_environment
from ptc_studio.storage.workspace import FILE_NAME, WorkspaceFile, believed
from ptc_studio.storage.workspace_watcher import OpenedFile
from ptc_studio.targets import DeploymentTarget, Destination, deploy

T = TypeVar("T")
TRIAL_SECONDS = 60.0
TRUST_IT = "trust the folder first (File, Trust this folder)"
UNTRUSTED = f"Nothing of a folder that you do not trust is executed: {TRUST_IT}."
NO_ISOLATION = "no isolation"
"""What a runtime says of itself that keeps its scripts apart from nothing."""
MOMENT = 2.0
"""Seconds that a run waits for sources that are being read again."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a studio is opened with."""

    workspace: Path | None = None
    """The folder that is open, with or without a workspace file."""
    functions: Path | None = None
    """A folder of functions beside the workspace, or without one."""
    asker: Asker | None = None
    spare_processes: int = 1
    tolerant: bool = False
    """Whether a workspace file that is broken is told as `Studio.fault` rather than raised."""
    secrets: Secrets | None = None
    """Those of the workspace, or of the user, if none are given."""
    trusted: bool = True
    """Whether the tools of the workspace are loaded: that executes code of theirs."""
    on_demand: bool = False
    """Whether servers and documents are loaded only once something names them (`Studio.want`)."""
    history: HistoryRecorder | None = None
    """What keeps runs and calls by hand; none are kept without it."""


class Studio:
    """Everything that is open: one registry, one executor, one catalogue of runtimes. Made on a running loop."""

    def __init__(self, setup: Setup) -> None:
        self._folder = (setup.workspace or Path.cwd()).resolve()
        self.trusted = setup.trusted
        """Whether anything of the folder is executed, or freed of its confinement; see `set_trusted`."""
        self.has_workspace = setup.workspace is not None
        self.opened_file = OpenedFile(self._folder)
        if self.has_workspace:
            self.opened_file.open(tolerant=setup.tolerant)
        self._file_turn = asyncio.Lock()
        """Whoever writes the workspace file, or takes over what it says, has it to himself until both are done."""
        self._functions = setup.functions or functions_named_by_environment()
        self._known_secrets = secrets_of_environment()
        self.secrets = setup.secrets or Secrets(self._folder if self.has_workspace else "user")
        # Whatever is given out is hidden from then on.
        self.secrets.on_use = self._known_secrets.add
        loop = asyncio.get_running_loop()
        self.bus = Bus(batches_on(loop))
        self.stdio = StdioRouter()
        self.registry = Registry()
        self.executor = Executor(
            self.registry,
            bus=self.bus,
            redactor=self.file.redaction.redactor(self._known_secrets, trusted=self.trusted),
            asker=setup.asker,
            redact_to_script=self.file.redaction.to_script,
        )
        workspace = self._folder if self.has_workspace else None
        self.history = RunKeeper(self.executor, self._folder, workspace, self._functions, setup.history)
        self.breakpoints = Breakpoints()
        self.intercept = BreakpointResponder(self.executor, self.breakpoints)
        self.mocks = Mocks(self.executor)
        self.kept_mocks = MockStore(self.mocks, workspace, tolerant=setup.tolerant)
        spare, freedoms = setup.spare_processes, self._freedoms()
        self.runtimes = RuntimeCatalog(self.stdio, spare=spare, workspace=workspace, freedoms=freedoms)
        self.limits = self.file.limits.limits()
        self._loop = loop
        self._registry_sync = RegistrySync(self.registry, lambda: self.executor.redactor)
        self._misfits: list[LoadError] = []
        self._listeners: list[Callable[[], None]] = []
        self._samples: SampleTools | None = None
        self.containers = Containers()
        self.source_set = SourceSet(
            self._source_context(),
            self.executor.workers,
            self._on_sources_changed,
            lambda: self.executor.redactor,
            on_demand=setup.on_demand,
        )
        self.wanted = WantedSources(
            self.source_set, lambda: {each.name: each.tool for each in self.file.aliases}, lambda: self.file.grants
        )
        self.executor.fetch_tool = self.wanted.fetch_tool
        self.source_set.set_entries(self._entries())
        self._fill()

    @property
    def folder(self) -> Path:
        """The workspace's folder, or where the program was started; paths of sources are seen from there."""
        return self._folder

    @property
    def file(self) -> WorkspaceFile:
        """What the workspace file said when it was last understood, or stands for a folder without one; an empty one
        without a workspace."""
        return self.opened_file.file

    @property
    def has_file(self) -> bool:
        """Whether the workspace has its file already; it is written with the first thing that is to be kept."""
        return self.has_workspace and self.opened_file.exists

    @property
    def fault(self) -> str | None:
        """Why the workspace file cannot be read, if it cannot: then nothing of it may be written either."""
        return self.opened_file.error

    async def load(self) -> Sequence[LoadError]:
        """Reads the sources, or what changed in them; gives all that does not load. Waits for each within its bound."""
        self.follow_folder()
        await _all(self.source_set.refresh())
        return self.errors

    async def want(self, script: Script, language: str, names: Iterable[str] = ()) -> None:
        """Has the sources loaded from now on that the script in that language, or one of the names, may mean."""
        if self.source_set.waiting:
            await self.in_thread(lambda: self.wanted.want_for(script, language, names))

    async def refresh(self) -> None:
        """Reads what changed, and waits only a moment for it: a source that hangs holds up nobody."""
        await self.reread_mocks()
        self.follow_folder()
        await _all(self.source_set.refresh(), MOMENT)

    @property
    def errors(self) -> list[LoadError]:
        """Every file, alias or source that did not load."""
        scripts = set(self.scripts)
        return [*(error for error in self._load_errors if error not in scripts), *self._misfits]

    @property
    def scripts(self) -> list[LoadError]:
        """The scripts beside functions at the top of the workspace, where both may lie: that they are is no error."""
        found = (error for error in self._load_errors if error.script) if self.has_workspace else ()
        return [error for error in found if Path(error.file).parent == self._folder]

    @property
    def _load_errors(self) -> Iterable[LoadError]:
        return (error for loaded_source in self.source_set.loaded_sources for error in loaded_source.errors)

    def follow_folder(self) -> None:
        """Takes the functions of a folder without a workspace file from where they are by now."""
        if self.has_workspace and not self.has_file and self.opened_file.accept(self.opened_file.read()):
            self._follow_file()

    def set_trusted(self, trusted: bool) -> None:
        """Has the tools of the folder loaded, or ends them; scripts can be read and run confined in either case."""
        self.trusted = trusted
        self._follow_redaction()
        self._follow_file()
        self._on_sources_changed()

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Has the listener called on the loop when tools came or went, or a source changed; the answer ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def reread(self) -> None:
        """Reads the workspace file again; one that is broken changes nothing but `fault`."""
        async with self._file_turn:
            await self._reread()

    async def reread_if_changed(self) -> tuple[WorkspaceFile, str | None] | None:
        """As `reread`, if somebody else changed the file; gives what it said before, and its fault."""
        async with self._file_turn:
            if not await self.in_thread(self.opened_file.changed):
                return None
            before = self.file, self.fault
            await self._reread()
            return before

    async def rewrite(self, write: Callable[[], T], written: Callable[[], object] = lambda: None) -> T:
        """Has the workspace file written in a thread, and takes over what it says then, with no look between the two.

        `written` is called on the loop, before anything is taken over. Raises what `write` does.
        """
        async with self._file_turn:
            done = await self.in_thread(write)
            written()
            await self._reread()
            return done

    async def reread_mocks(self) -> None:
        """Reads the mocks again if somebody changed their file; one that is broken changes nothing but its fault."""
        await self.in_thread(self.kept_mocks.refresh)

    async def try_source(self, entry: Any, seconds: float = TRIAL_SECONDS) -> Trial:
        """Has a source that is not part of the workspace looked at once, and closed again."""
        return await self.source_set.try_entry(entry, seconds) if self.trusted else Trial(failure=UNTRUSTED)

    async def reload_source(self, loaded_source: LoadedSource) -> None:
        """Has the source start anew."""
        await asyncio.wrap_future(self.source_set.reload(loaded_source))

    def grant(self, names: Iterable[str] | None) -> Grant:
        """The grant of these names, each a grant set, a tool, an alias or a pattern; everything without names."""
        patterns = (pattern for name in names or () for pattern in self.file.grants.get(name, (name,)))
        return Grant(tuple(patterns)) if names else EVERYTHING

    def session(
        self,
        *,
        grant: Grant = EVERYTHING,
        timeout: float | None = None,
        max_depth: int | None = None,
        target: DeploymentTarget | None = None,
        samples: bool = False,
        limits_then: Mapping[str, Any] | None = None,
    ) -> Session:
        """A run that has not started yet, with the limits of its target, or of a past run that is repeated; one of an
        example has the samples alone."""
        asked: dict[str, Any] = {"timeout": timeout, "max_depth": max_depth, **(limits_then or {})}
        known = {limit.name for limit in fields(self.limits)}
        changes = {name: value for name, value in asked.items() if value is not None and name in known}
        limits = replace(self.limits, **(target.limits.granted(changes) if target else changes))
        session = Session(self.executor, grant=grant, limits=limits)
        session.run.registry = self.samples.registry if samples else None
        return session

    @property
    def samples(self) -> SampleTools:
        """The sample tools, read when they are first used."""
        if self._samples is None:
            self._samples = SampleTools(self._source_context(), self.executor.workers)
        return self._samples

    async def run(
        self, session: Session, script: Script, runtime: RuntimeInfo, destination: Destination | None = None
    ) -> RunRecord:
        """Runs the script in the session; changed files of the sources are read first."""
        is_sample = self._samples is not None and session.run.registry is self._samples.registry
        await (self.samples.load() if is_sample else self.refresh())
        destination = destination or Destination()
        deployment = deploy(destination, script, self.executor.workers.submit, runtime.extension)
        given = destination.given.inputs
        async with self.history.run(session, script, runtime.id, destination.target.id, given):
            with self.stdio.listening(session.run.run_id, session.write):
                try:
                    return await session.execute(script, self.runtimes.get(runtime.id), deployment=deployment)
                finally:
                    # A step that found no further call is not for the next run.
                    self.breakpoints.stop_at_next(session.run.run_id, wanted=False)

    def replaying(
        self,
        session: Session,
        cassette: Cassette,
        *,
        mode: ReplayMode = "match",
        on_miss: OnMiss = "fail",
        remedy: str = replays.REMEDY,
    ) -> AbstractContextManager[Replay]:
        """While this lasts, the session's run is answered from the cassette, as far as no mock answers."""
        mocked = replays.mocked_names(cassette, self.mocks.enabled)
        replay = Replay(cassette, session.run, mode=mode, on_miss=on_miss, remedy=remedy, leave_out=mocked)
        replays.use_recorded(session.run, cassette, [entry.alias() for entry in self.file.aliases], on_miss)
        return replays.answering_from(replay, self.executor)

    def cassette_of(self, trace: Trace, name: str, script: str, *, samples: bool = False) -> Cassette:
        """The calls of a run that is over; `samples` as in `session`."""
        when, registry = datetime.now(UTC), self.samples.registry if samples else self.registry
        return cassette_of(trace, registry, self.executor.redactor, name=name, script=script, when=when)

    async def run_matrix(
        self,
        script: Script,
        begin: Callable[[RuntimeInfo], Session],
        ended: Callable[[RuntimeInfo, RunRecord | None], None] = lambda _info, _record: None,
    ) -> list[tuple[RuntimeInfo, RunRecord | None]]:
        """Runs the script in every runtime for it, one after the other, so that their times can be compared.

        `begin` gives the session of each, `ended` is told what came of it; a cancelled run is the last.
        """
        results: list[tuple[RuntimeInfo, RunRecord | None]] = []
        for info in await self.in_thread(lambda: self.runtimes.all_for(script.filename)):
            usable = info.available and self._may_run_in(info)
            record = await self.run(begin(info), script, info) if usable else None
            results.append((info, record))
            ended(info, record)
            if record is not None and record["status"] == "cancelled":
                break
        return results

    async def call(
        self, session: Session, name: str, arguments: Mapping[str, Any], target: Target | None = None
    ) -> CallRecord:
        """One call by hand, through the same executor; gives its record. `target` as in `CallRequest`."""
        # What the name leads to may come from any source; a target is there already.
        await (self.load() if target is None else self.refresh())
        request = CallRequest(session.run, name, kwargs=arguments, target=target)
        async with self.history.call(session, name):
            with self.stdio.listening(session.run.run_id, session.write):
                return await session.call(request)

    def hide(self, name: str, value: str, *, passing: bool = False) -> None:
        """Has the value hidden wherever it would be shown or stored; a passing one until many others came."""
        (self._known_secrets.learn if passing else self._known_secrets.add)(name, value)

    def watch(self, observer: Observer) -> Callable[[], None]:
        """Has the observer told of all events; the answer ends that."""
        return self.bus.subscribe(observer)

    async def close(self) -> None:
        """Ends every process that is kept ready; nobody waits for a person's answer any longer."""
        self.executor.questions.close()
        closers = [self.runtimes.close, self.source_set.close, self.containers.close, self.history.close]
        closers += [self._samples.close] if self._samples else []
        await asyncio.gather(*(self.in_thread(close) for close in closers))

    async def choose_runtime(self, runtime_id: str | None, filename: str) -> RuntimeInfo:
        """The runtime to run the file in; raises UnknownRuntime, also for one that is not for this folder."""
        info = await self.in_thread(lambda: self.runtimes.choose(runtime_id, filename))
        if not self._may_run_in(info):
            raise UnknownRuntime(f"{info.name} is not for a folder that is not trusted: choose another, or {TRUST_IT}.")
        return info

    def _may_run_in(self, info: RuntimeInfo) -> bool:
        return self.trusted or info.isolation != NO_ISOLATION

    async def in_thread(self, work: Callable[[], T]) -> T:
        """What the work gives, or raises; it goes on if nobody waits for it any longer."""
        return await self.executor.workers.run(work)

    async def _reread(self) -> None:
        read = await self.in_thread(self.opened_file.read)
        if self.opened_file.accept(read):
            self._follow_redaction()
            self.limits = self.file.limits.limits()
            self._follow_file()
        self._on_sources_changed()

    def _follow_redaction(self) -> None:
        redaction = self.file.redaction
        redactor = redaction.redactor(self._known_secrets, trusted=self.trusted)
        self.executor.set_redaction(redactor, to_script=redaction.to_script)

    def _follow_file(self) -> None:
        """Has the freedoms and the sources that the file says, as far as the folder is trusted."""
        self.runtimes.set_freedoms(self._freedoms())
        self.source_set.set_entries(self._entries())
        self.source_set.refresh()

    def _source_context(self) -> SourceContext:
        directories = (self._folder, self._folder)
        return SourceContext(
            self._folder,
            References(self.secrets.find, used=self._known_secrets.add),
            stdio=self.stdio.tool,
            directories=lambda _run_id: directories,
            run_script=NestedScripts(self.runtimes, self.stdio, prepare=lambda script: self.wanted.load_for(script)),
            protected=self._believed,
            sign_ins=SignIns(LastingTokens(self.secrets), self.hide),
        )

    def _believed(self) -> tuple[Path, ...]:
        """What no script may write to, neither by a tool nor by itself."""
        return believed(self.file, self._folder, self._functions)

    def _freedoms(self) -> dict[str, Freedoms]:
        protected = self._believed()
        return {name: entry.freedoms(protected) for name, entry in self.file.runtimes.items()} if self.trusted else {}

    def _entries(self) -> list[tuple[Any, SourceLocation]]:
        entries = self._own_entries() if self.trusted else []
        if self._functions is not None:
            folder = self._functions.resolve()
            entries.append((FunctionsEntry(path=folder), SourceLocation(str(folder), None)))
        return entries

    def _own_entries(self) -> list[tuple[Any, SourceLocation]]:
        path = str(self._folder / FILE_NAME if self.has_file else self._folder)
        return [
            (entry, SourceLocation(path, self.file.line_of("sources", index)))
            for index, entry in enumerate(self.file.sources)
        ]

    def _on_sources_changed(self, tools_changed: bool = True) -> None:
        if tools_changed:
            self._fill()
        for listener in tuple(self._listeners):
            with contextlib.suppress(RuntimeError):
                # The loop may be closed by the time that a server says its last word.
                self._loop.call_soon_threadsafe(listener)

    def _fill(self) -> None:
        misfits = self._registry_sync.fill(
            lambda: [each.offer() for each in self.source_set.loaded_sources], self._placed_aliases
        )
        self._misfits = self._misfits if misfits is None else misfits

    def _placed_aliases(self) -> list[PlacedAlias]:
        """Those of the file, but for what leads to a tool that nobody loaded: that is nobody's mistake."""
        waiting = [loaded_source.name for loaded_source in self.source_set.waiting]
        placed = self.file.placed_aliases(str(self._folder / FILE_NAME)) if self.trusted else []
        return [one for one in placed if not sources_of_tool(one.alias.tool, waiting)]


async def _all(refreshes: Sequence["Future[None]"], seconds: float | None = None) -> None:
    if refreshes:
        await asyncio.wait([asyncio.wrap_future(refresh) for refresh in refreshes], timeout=seconds)
