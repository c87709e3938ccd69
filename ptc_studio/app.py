"""The composition root: wires core, sources, runtimes and storage, for the window and the terminal alike."""

import asyncio
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from ptc_studio.core.aliases import Alias
from ptc_studio.core.bus import Bus, Observer
from ptc_studio.core.calls import CallRequest
from ptc_studio.core.errors import PtcError, RegistrationError
from ptc_studio.core.executor import Executor
from ptc_studio.core.grants import EVERYTHING, Grant
from ptc_studio.core.limits import Limits
from ptc_studio.core.permissions import Asker
from ptc_studio.core.redaction import KnownSecrets, Redactor
from ptc_studio.core.registry import Registry, check_alias_loops
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.core.tools import Loaded, LoadError
from ptc_studio.core.trace import Record
from ptc_studio.runtimes.catalog import RuntimeCatalog, RuntimeInfo
from ptc_studio.runtimes.process_runtime import Freedoms
from ptc_studio.runtimes.stdio import StdioRouter
from ptc_studio.sources.functions import FunctionCatalog, ProcessFunctionCatalog
from ptc_studio.sources.registration import Offer, RegisteredTools, SourceRules
from ptc_studio.storage.workspace import FILE_NAME, FunctionsEntry, RuntimeEntry, WorkspaceFile, read_workspace

T = TypeVar("T")
BATCH_SECONDS = 0.016
"""How long events gather before they are handed over: a frame of the screen."""
SECRET_VARIABLE = re.compile(
    r"(?i)(^|_)(api_?key|token|secret|(pg)?password|passwd|passphrase|credentials?|access_?key|private_?key)(_|$)"
)


@dataclass(frozen=True, slots=True)
class Setup:
    """What a studio is opened with."""

    workspace: Path | None = None
    functions: Path | None = None
    asker: Asker | None = None
    spare_processes: int = 1


@dataclass(slots=True)
class _Source:
    """A source and what it brought last."""

    entry: FunctionsEntry
    catalog: FunctionCatalog | ProcessFunctionCatalog
    loaded: Loaded | None = None

    def offer(self) -> Offer:
        entry = self.entry
        namespace = entry.name if "name" in entry.model_fields_set else None
        rules = SourceRules(entry.permission, entry.permissions, entry.timeout, namespace)
        return Offer(entry.name, self.loaded.tools if self.loaded else (), rules)


class Studio:
    """Everything that is open: one registry, one executor, one catalogue of runtimes. Made on a running loop."""

    def __init__(self, setup: Setup) -> None:
        self._folder = (setup.workspace or Path.cwd()).resolve()
        self.file = read_workspace(self._folder) if setup.workspace else WorkspaceFile()
        loop = asyncio.get_running_loop()
        self.bus = Bus(lambda due: _soon(loop, due))
        self.stdio = StdioRouter()
        self.registry = Registry()
        self.executor = Executor(
            self.registry,
            bus=self.bus,
            redactor=_redactor(self.file),
            asker=setup.asker,
            redact_to_script=self.file.redaction.to_script,
        )
        self.runtimes = RuntimeCatalog(
            self.stdio,
            spare=setup.spare_processes,
            workspace=self._folder if setup.workspace else None,
            freedoms={name: _freedoms(entry) for name, entry in self.file.runtimes.items()},
        )
        self.limits = _limits(self.file)
        self._sources = [self._source(entry) for entry in _function_entries(self.file, setup.functions)]
        self._tools = RegisteredTools(self.registry)
        self._aliases: list[Callable[[], None]] = []
        self._misfits: list[LoadError] = []
        self._ever_loaded = False

    async def load(self) -> Sequence[LoadError]:
        """Reads the sources, or what changed in them since the last time; gives all that does not load."""
        loaded = await asyncio.gather(*(self._in_thread(source.catalog.refresh) for source in self._sources))
        if self._ever_loaded and loaded == [source.loaded for source in self._sources]:
            return self.errors
        self._ever_loaded = True
        for source, brought in zip(self._sources, loaded, strict=True):
            source.loaded = brought
        # Aliases go first and come back last: a new tool may have the name of one, or be what one leads to.
        while self._aliases:
            self._aliases.pop()()
        self._misfits = self._tools.update([source.offer() for source in self._sources])
        self._misfits += self._register_aliases()
        return self.errors

    @property
    def errors(self) -> list[LoadError]:
        """Every file, alias or source that did not load."""
        found = [error for source in self._sources if source.loaded for error in source.loaded.errors]
        return [*found, *self._misfits, *self._unavailable_sources()]

    def grant(self, names: Iterable[str] | None) -> Grant:
        """The grant of these names, each a grant set, a tool, an alias or a pattern; everything without names."""
        if not names:
            return EVERYTHING
        patterns: list[str] = []
        for name in names:
            patterns += self.file.grants.get(name, (name,))
        return Grant(tuple(patterns))

    def session(
        self, *, grant: Grant = EVERYTHING, timeout: float | None = None, max_depth: int | None = None
    ) -> Session:
        """A run that has not started yet."""
        changes: dict[str, Any] = {"timeout": timeout, "max_depth": max_depth}
        limits = replace(self.limits, **{name: value for name, value in changes.items() if value is not None})
        return Session(self.executor, grant=grant, limits=limits)

    async def run(self, session: Session, script: Script, runtime: RuntimeInfo) -> Record:
        """Runs the script in the session; changed files of the sources are read first."""
        await self.load()
        with self.stdio.listening(session.run.run_id, session.write):
            return await session.execute(script, self.runtimes.get(runtime.id))

    async def run_matrix(
        self,
        script: Script,
        begin: Callable[[RuntimeInfo], Session],
        ended: Callable[[RuntimeInfo, Record | None], None] = lambda _info, _record: None,
    ) -> list[tuple[RuntimeInfo, Record | None]]:
        """Runs the script in every runtime for it, one after the other, so that their times can be compared.

        `begin` gives the session of each, `ended` is told what came of it. A runtime that is not available has no
        record; a cancelled run is the last.
        """
        results: list[tuple[RuntimeInfo, Record | None]] = []
        for info in await self._in_thread(lambda: self.runtimes.all_for(script.filename)):
            record = await self.run(begin(info), script, info) if info.available else None
            results.append((info, record))
            ended(info, record)
            if record is not None and record["status"] == "cancelled":
                break
        return results

    async def call(self, session: Session, name: str, arguments: Mapping[str, Any]) -> Record:
        """One call by hand, through the same executor; gives its record."""
        await self.load()
        unsubscribe = self.bus.subscribe(session.trace.observe)
        try:
            with self.stdio.listening(session.run.run_id, session.write):
                request = CallRequest(session.run, name, kwargs=arguments)
                call = asyncio.ensure_future(self.executor.call_async(request))
                await asyncio.wait([call])
                call.exception()
            # The answer comes before the report of it.
            while session.run.active:  # noqa: ASYNC110 - it ends in another thread, within a moment
                await asyncio.sleep(0.001)
            session.close_output()
            self.bus.flush()
        finally:
            unsubscribe()
        return next(session.trace.calls())

    def watch(self, observer: Observer) -> Callable[[], None]:
        """Has the observer told of all events; the answer ends that."""
        return self.bus.subscribe(observer)

    async def close(self) -> None:
        """Ends every process that is kept ready."""
        closers = [self.runtimes.close, *(source.catalog.close for source in self._sources)]
        await asyncio.gather(*(self._in_thread(close) for close in closers))

    async def discover_runtimes(self) -> tuple[RuntimeInfo, ...]:
        """Looks for the toolchains of all runtimes."""
        return await self._in_thread(self.runtimes.discover)

    async def look_for_runtime(self, runtime_id: str) -> RuntimeInfo | None:
        """Looks for the toolchain of this runtime alone."""
        return await self._in_thread(lambda: self.runtimes.look_for(runtime_id))

    async def choose_runtime(self, runtime_id: str | None, filename: str) -> RuntimeInfo:
        """The runtime to run the file in; raises UnknownRuntime."""
        return await self._in_thread(lambda: self.runtimes.choose(runtime_id, filename))

    async def _in_thread(self, work: Callable[[], T]) -> T:
        done: Future[T] = Future()

        def do() -> None:
            try:
                done.set_result(work())
            except BaseException as error:  # noqa: BLE001 - it is raised where it is awaited
                done.set_exception(error)

        self.executor.workers.submit(do)
        return await asyncio.wrap_future(done)

    def _source(self, entry: FunctionsEntry) -> _Source:
        path = (self._folder / entry.path).resolve()
        kind = ProcessFunctionCatalog if entry.isolation == "process" else FunctionCatalog
        directories = (self._folder, self._folder)
        catalog = kind(path, entry.name, directories=lambda _run_id: directories, stdio=self.stdio.tool)
        return _Source(entry, catalog)

    def _register_aliases(self) -> list[LoadError]:
        entries = list(enumerate(self.file.aliases))
        aliases = {entry.name: entry.alias() for _, entry in entries}
        errors: list[LoadError] = []
        # Those that lead to another alias come last, so that the registry knows that one, wherever in the file it is.
        for index, entry in sorted(entries, key=lambda item: item[1].tool in aliases):
            try:
                self._check_circle(entry.name, aliases)
                self._aliases.append(self.registry.register_alias(entry.alias()))
            except RegistrationError as error:
                errors.append(self._misfit("aliases", ("aliases", index), str(error)))
        return sorted(errors, key=lambda error: error.line or 0)

    def _check_circle(self, name: str, aliases: Mapping[str, Alias]) -> None:
        """Only of the aliases that this one leads through: a circle elsewhere is not its concern."""
        path: dict[str, Alias] = {}
        while name in aliases and name not in path and not self._is_tool(name):
            path[name] = aliases[name]
            name = aliases[name].tool
        check_alias_loops(path.values())

    def _is_tool(self, name: str) -> bool:
        return any(name in (tool.spec.name, *tool.spec.also) for tool in self.registry.tools)

    def _unavailable_sources(self) -> list[LoadError]:
        return [
            self._misfit(
                entry.name or entry.kind,
                ("sources", index),
                f"Sources of the kind {entry.kind!r} cannot be loaded by this version.",
            )
            for index, entry in enumerate(self.file.sources)
            if not isinstance(entry, FunctionsEntry)
        ]

    def _misfit(self, source: str, place: tuple[str | int, ...], message: str) -> LoadError:
        return LoadError(source, str(self._folder / FILE_NAME), self.file.line_of(*place), message)


def _function_entries(file: WorkspaceFile, functions: Path | None) -> list[FunctionsEntry]:
    entries = [entry for entry in file.sources if isinstance(entry, FunctionsEntry)]
    if functions is not None:
        entries.append(FunctionsEntry(kind="functions", path=functions.resolve()))
    return entries


def _limits(file: WorkspaceFile) -> Limits:
    return replace(Limits(), **{name: value for name, value in file.limits if value is not None})


def _freedoms(entry: RuntimeEntry) -> Freedoms:
    return Freedoms(entry.network, entry.workspace == "write", entry.memory_mb)


def _redactor(file: WorkspaceFile) -> Redactor:
    secrets = KnownSecrets()
    for name, value in os.environ.items():
        if SECRET_VARIABLE.search(name):
            secrets.add(name, value)
    patterns = [(rule.name, rule.pattern) for rule in file.redaction.patterns]
    return Redactor(keys=file.redaction.keys, patterns=patterns, secrets=secrets)


def _soon(loop: asyncio.AbstractEventLoop, due: Callable[[], None]) -> None:
    try:
        loop.call_soon_threadsafe(loop.call_later, BATCH_SECONDS, due)
    except RuntimeError:
        # The loop is closed: whoever listened is gone.
        return


__all__ = ["PtcError", "Setup", "Studio"]
