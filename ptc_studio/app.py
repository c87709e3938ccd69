"""The composition root: wires core, sources, runtimes and storage, for the window and the terminal alike."""

import asyncio
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
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
from ptc_studio.core.redaction import KnownSecrets, PatternError, Redactor
from ptc_studio.core.registry import Registry, check_alias_loops
from ptc_studio.core.scripts import Script
from ptc_studio.core.session import Session
from ptc_studio.core.tools import Loaded, LoadError, Permission, Tool
from ptc_studio.core.trace import Record
from ptc_studio.runtimes.catalog import RuntimeCatalog, RuntimeInfo
from ptc_studio.runtimes.stdio import StdioRouter
from ptc_studio.sources.functions import FunctionCatalog, ProcessFunctionCatalog
from ptc_studio.storage.workspace import AliasEntry, FunctionsEntry, WorkspaceError, WorkspaceFile, read_workspace

T = TypeVar("T")
BATCH_SECONDS = 0.016
"""How long events gather before they are handed over: a frame of the screen."""
SECRET_VARIABLE = re.compile(r"(?i)(^|_)(api_?key|token|secret|password|passwd|credentials?|access_?key)(_|$)")


@dataclass(frozen=True, slots=True)
class Setup:
    """What a studio is opened with."""

    workspace: Path | None = None
    functions: Path | None = None
    asker: Asker | None = None
    spare_processes: int = 1


@dataclass(slots=True)
class _Source:
    """A loaded source and how to take its tools away again."""

    entry: FunctionsEntry
    catalog: FunctionCatalog | ProcessFunctionCatalog
    loaded: Loaded = field(default_factory=Loaded)
    disposers: list[Callable[[], None]] = field(default_factory=list)
    collisions: list[LoadError] = field(default_factory=list)


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
            redactor=_redactor(self.file, self._folder),
            asker=setup.asker,
            redact_to_script=self.file.redaction.to_script,
        )
        self.runtimes = RuntimeCatalog(self.stdio, spare=setup.spare_processes)
        self.limits = _limits(self.file)
        self._sources = [self._source(entry) for entry in _function_entries(self.file, setup.functions)]
        self._alias_errors: list[LoadError] = []
        self._aliases_loaded = False

    async def load(self) -> Sequence[LoadError]:
        """Reads the sources, or what changed in them since the last time; gives all that does not load."""
        await asyncio.gather(*(self._load(source) for source in self._sources))
        if not self._aliases_loaded:
            self._aliases_loaded = True
            self._alias_errors = self._register_aliases(self.file.aliases)
        return self.errors

    @property
    def errors(self) -> list[LoadError]:
        """Every file, alias or source that did not load."""
        found = [error for source in self._sources for error in (*source.loaded.errors, *source.collisions)]
        return [*found, *self._alias_errors, *self._unavailable_sources()]

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
            while session.run.active:
                await asyncio.sleep(0.001)
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

    async def _load(self, source: _Source) -> None:
        loaded = await self._in_thread(source.catalog.refresh)
        if loaded == source.loaded:
            return
        source.loaded = loaded
        for dispose in source.disposers:
            dispose()
        source.disposers, source.collisions = [], []
        for tool in loaded.tools:
            try:
                source.disposers.append(self.registry.register(_with_rules(tool, source.entry)))
            except RegistrationError as error:
                source.collisions.append(LoadError(source.entry.name, tool.spec.origin, None, str(error)))

    def _register_aliases(self, entries: Iterable[AliasEntry]) -> list[LoadError]:
        aliases = [Alias(**entry.model_dump(exclude={"notes"})) for entry in entries]
        errors: list[LoadError] = []
        try:
            check_alias_loops(aliases)
        except RegistrationError as error:
            return [self._alias_error(error)]
        for alias in aliases:
            try:
                self.registry.register_alias(alias)
            except RegistrationError as error:
                errors.append(self._alias_error(error))
        return errors

    def _alias_error(self, error: RegistrationError) -> LoadError:
        return LoadError("aliases", str(self._folder / "studio.yaml"), None, str(error))

    def _unavailable_sources(self) -> list[LoadError]:
        others = (entry for entry in self.file.sources if not isinstance(entry, FunctionsEntry))
        return [
            LoadError(
                entry.name or entry.kind,
                str(self._folder / "studio.yaml"),
                None,
                f"Sources of the kind {entry.kind!r} cannot be loaded by this version.",
            )
            for entry in others
        ]


class _RuledTool:
    """A tool with the permission and timeout that its source's entry gives it."""

    def __init__(self, tool: Tool, permission: Permission, timeout: float | None) -> None:
        self._tool = tool
        self.bind = tool.bind
        self.invoke = tool.invoke
        self.spec = replace(tool.spec, permission=permission, timeout=timeout or tool.spec.timeout)


def _with_rules(tool: Tool, entry: FunctionsEntry) -> Tool:
    names = (tool.spec.name, *tool.spec.also)
    chosen = [rule for name, rule in entry.permissions.items() if any(fnmatchcase(own, name) for own in names)]
    permission = chosen[0] if chosen else entry.permission or tool.spec.permission
    if permission == tool.spec.permission and entry.timeout is None:
        return tool
    return _RuledTool(tool, permission, entry.timeout)


def _function_entries(file: WorkspaceFile, functions: Path | None) -> list[FunctionsEntry]:
    entries = [entry for entry in file.sources if isinstance(entry, FunctionsEntry)]
    if functions is not None:
        entries.append(FunctionsEntry(kind="functions", path=functions.resolve()))
    return entries


def _limits(file: WorkspaceFile) -> Limits:
    return replace(Limits(), **{name: value for name, value in file.limits if value is not None})


def _redactor(file: WorkspaceFile, folder: Path) -> Redactor:
    secrets = KnownSecrets()
    for name, value in os.environ.items():
        if SECRET_VARIABLE.search(name):
            secrets.add(name, value)
    rules = file.redaction
    try:
        patterns = [(rule.name, rule.pattern) for rule in rules.patterns]
        return Redactor(keys=rules.keys, patterns=patterns, secrets=secrets)
    except PatternError as error:
        raise WorkspaceError(f"{folder / 'studio.yaml'}: redaction.patterns: {error}") from None


def _soon(loop: asyncio.AbstractEventLoop, due: Callable[[], None]) -> None:
    try:
        loop.call_soon_threadsafe(loop.call_later, BATCH_SECONDS, due)
    except RuntimeError:
        # The loop is closed: whoever listened is gone.
        return


__all__ = ["PtcError", "Setup", "Studio"]
