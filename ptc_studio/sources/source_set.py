"""All sources of a workspace: each loads by itself, and none waits for another."""

import asyncio
import threading
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from dataclasses import dataclass, field, replace
from typing import Any, cast

from ptc_studio.core.redaction import Redactor
from ptc_studio.core.tools import LoadedTools, LoadError, Tool, ToolSpec
from ptc_studio.core.workers import Workers
from ptc_studio.sources.kinds import KINDS, SourceContext, make_source
from ptc_studio.sources.on_demand import sources_nearly_of_tool
from ptc_studio.sources.registry_sync import OfferedTools, SourceRules, presentable
from ptc_studio.sources.source import Probing, Sending, Source, SourceFailed, Status


class RefreshQueue:
    """Whoever asks gets a refresh that begins after he asked: one under way may be past what he saved a moment ago.

    All who ask while one is under way share the next.
    """

    def __init__(self, workers: Workers, refresh: Callable[[], None]) -> None:
        self._workers = workers
        self._refresh = refresh
        self._lock = threading.Lock()
        self._next: Future[None] | None = None
        self._is_busy = False
        self._thread_id: int | None = None

    @property
    def is_in_this_thread(self) -> bool:
        """Whether it is the refresh under way that asks this."""
        return self._thread_id == threading.get_ident()

    def ask(self) -> "Future[None]":
        """The future ends when the refresh has, and never fails."""
        with self._lock:
            if self._next is not None:
                return self._next
            self._next = asked = Future()
            is_busy, self._is_busy = self._is_busy, True
        if not is_busy:
            self._workers.submit(self._do)
        return asked

    def _do(self) -> None:
        with self._lock:
            asked, self._next = self._next, None
        assert asked is not None
        self._thread_id = threading.get_ident()
        try:
            self._refresh()
        finally:
            self._thread_id = None
            with self._lock:
                self._is_busy = self._next is not None
                again = self._is_busy
            if again:
                self._workers.submit(self._do)
            asked.set_result(None)


Changed = Callable[[bool], None]
"""Told whether there are other tools, or only a source is in another state."""


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """Where an entry stands, for what is to be said of it."""

    file: str
    line: int | None


@dataclass(slots=True)
class LoadedSource:
    """One source and what it brought last."""

    entry: Any
    source: Source
    location: SourceLocation
    refreshes: RefreshQueue
    shown: Callable[[str], str] = str
    """What may be seen of what a source says: it may quote what it was given."""
    loaded: LoadedTools = field(default_factory=LoadedTools)
    failure: str | None = None
    wanted: bool = True
    """Whether it is loaded with all others; else only once something may use it."""

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def status(self) -> Status:
        """How the source is; what failed before it could say so itself is told as well."""
        status = self.source.status
        log = tuple(map(self.shown, status.log))
        if self.failure is not None and status.state != "loading":
            return Status("failed", self.failure, log)
        return replace(status, detail=self.shown(status.detail), log=log)

    @property
    def errors(self) -> tuple[LoadError, ...]:
        """The parts of it that did not load, or the reason why nothing did."""
        if self.failure is not None:
            return (LoadError(self.name, self.location.file, self.location.line, self.failure),)
        return tuple(error if error.file else self._located(error) for error in self.loaded.errors)

    def _located(self, error: LoadError) -> LoadError:
        """What is wrong with a part that stands in no file is told where the entry stands."""
        return replace(error, file=self.location.file, line=self.location.line)

    def offer(self) -> OfferedTools:
        entry = self.entry
        namespace = entry.name if KINDS[entry.kind].plain_names and "name" in entry.model_fields_set else None
        rules = SourceRules(entry.permission, entry.permissions, entry.timeout, namespace, entry.name)
        # Of a server or a document all tools have the name; requests, commands and folders of functions may share one.
        alone = (self.location.file, self.location.line) if KINDS[entry.kind].on_demand else None
        return OfferedTools(entry.name, self.loaded.tools, rules, alone)


@dataclass(frozen=True, slots=True)
class Trial:
    """What a source that was tried brought."""

    tools: tuple[ToolSpec, ...] = ()
    errors: tuple[LoadError, ...] = ()
    failure: str | None = None
    log: tuple[str, ...] = ()
    exchanges: tuple[Tool, ...] = ()
    """What can be sent, by somebody who wants to see the answer."""
    schemes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """The security schemes of a document, for which keys are wanted."""


class SourceSet:
    """Refreshes sources in worker threads. `changed` is called, from any thread, when one brought something new.

    `on_demand`: sources that can be told by the names of their tools are left alone until they are wanted.
    """

    def __init__(
        self,
        context: SourceContext,
        workers: Workers,
        changed: Changed,
        redactor: Callable[[], Redactor] = Redactor,
        *,
        on_demand: bool = False,
    ) -> None:
        self._redactor = redactor
        self._context = context
        self._on_demand = on_demand
        self._workers = workers
        self._changed = changed
        self._closed = False
        self.loaded_sources: tuple[LoadedSource, ...] = ()

    def set_entries(self, entries: Sequence[tuple[Any, SourceLocation]]) -> None:
        """Has these sources; those whose entry is the same stay as they are, those that are gone are closed.

        A permission is no part of the source: nobody's server starts anew, or loses a call, for another one.
        """
        left = list(self.loaded_sources)
        loaded_sources: list[LoadedSource] = []
        for entry, location in entries:
            same = _loaded_for(entry, left)
            if same is not None:
                left.remove(same)
                same.entry, same.location = entry, location
                loaded_sources.append(same)
            else:
                loaded_sources.append(self._loaded_source(entry, location))
        self.loaded_sources = tuple(loaded_sources)
        for loaded_source in left:
            self._workers.submit(loaded_source.source.close)

    def refresh(self, loaded_sources: Sequence[LoadedSource] | None = None) -> "list[Future[None]]":
        """Has the sources refreshed from now on, all at once; the futures end when each has been, and never fail.

        Without a choice these are all that are wanted.
        """
        if loaded_sources is None:
            loaded_sources = [loaded_source for loaded_source in self.loaded_sources if loaded_source.wanted]
        return [loaded_source.refreshes.ask() for loaded_source in loaded_sources]

    @property
    def waiting(self) -> tuple[LoadedSource, ...]:
        """The sources that nothing wanted yet."""
        return tuple(loaded_source for loaded_source in self.loaded_sources if not loaded_source.wanted)

    def want(self, names: Container[str]) -> None:
        """Has the sources of these names refreshed with the others from now on."""
        for loaded_source in self.waiting:
            loaded_source.wanted = loaded_source.name in names

    def fetch(self, tool: str) -> str:
        """Waits for the source whose tool it may be by its name; gives why it brought nothing, if it failed."""
        names = {each.name for each in self.loaded_sources if KINDS[each.entry.kind].on_demand}
        meant = sources_nearly_of_tool(tool, names)
        found = [each for each in self.loaded_sources if each.name in meant]
        for loaded_source in found:
            loaded_source.wanted = True
        wait_for(self.refresh(found))
        return next((each.failure for each in found if each.failure is not None), "")

    def reload(self, loaded_source: LoadedSource) -> "Future[None]":
        """Has the source start anew."""
        done: Future[None] = Future()

        def start_over() -> None:
            try:
                loaded_source.source.reload()
            finally:
                loaded_source.refreshes.ask().add_done_callback(lambda _: done.set_result(None))

        self._workers.submit(start_over)
        return done

    async def try_entry(self, entry: Any, seconds: float) -> Trial:
        """Has a source that is not one of them looked at once, and closed again."""
        source = make_source(entry, self._context)
        try:
            loaded = await asyncio.wait_for(self._workers.run(source.refresh), seconds)
        except SourceFailed as error:
            return Trial(failure=self._shown(str(error)), log=tuple(map(self._shown, source.status.log)))
        except TimeoutError:
            log = tuple(map(self._shown, source.status.log))
            return Trial(failure=f"It brought nothing within {seconds:g} s.", log=log)
        else:
            # Beyond what is read: whether what it would start is there.
            lacking = await self._workers.run(source.probe) if isinstance(source, Probing) else ()
            redactor = self._redactor()
            specs = tuple(presentable(tool.spec, redactor) for tool in loaded.tools)
            errors = self._shown_errors((*loaded.errors, *lacking))
            sent = source.exchanges() if isinstance(source, Sending) else ()
            schemes = getattr(source, "schemes", {})
            return Trial(specs, errors, None, tuple(map(self._shown, source.status.log)), sent, schemes)
        finally:
            self._workers.submit(source.close)

    def close(self) -> None:
        """Ends all sources, all at once; what they brought stays known."""
        self._closed = True
        ends = [self._workers.submit(loaded_source.source.close) for loaded_source in self.loaded_sources]
        wait_for(ends, timeout=CLOSE_SECONDS)

    def _loaded_source(self, entry: Any, location: SourceLocation) -> LoadedSource:
        refreshes = RefreshQueue(self._workers, lambda: self._refresh(loaded_source))
        wanted = not (self._on_demand and KINDS[entry.kind].on_demand)
        source = make_source(entry, self._context)
        loaded_source = LoadedSource(entry, source, location, refreshes, self._shown, wanted=wanted)
        loaded_source.source.listen(lambda: self._on_changed(loaded_source))
        return loaded_source

    def _on_changed(self, loaded_source: LoadedSource) -> None:
        """A source says that something is other than before: a server's list, or just how it is."""
        # Whatever it says while it is being refreshed, by that very refresh, is about to be seen.
        if not loaded_source.refreshes.is_in_this_thread and loaded_source.source.status.state == "ready":
            loaded_source.refreshes.ask()
        self._changed(False)

    def _has(self, loaded_source: LoadedSource) -> bool:
        """Whether it is in the set still: what was closed would be opened again by a refresh."""
        return not self._closed and any(each is loaded_source for each in self.loaded_sources)

    def _refresh(self, loaded_source: LoadedSource) -> None:
        if not self._has(loaded_source):
            return
        try:
            found: tuple[LoadedTools, str | None] = (loaded_source.source.refresh(), None)
        except SourceFailed as error:
            found = (LoadedTools(), str(error))
        except Exception as error:  # noqa: BLE001 - a source that breaks is one that failed
            found = (LoadedTools(), f"The source {loaded_source.name!r} failed: {type(error).__name__}: {error}")
        loaded, failure = found
        found = (
            replace(loaded, errors=self._shown_errors(loaded.errors)),
            None if failure is None else self._shown(failure),
        )
        # A source that fails because it is being closed has nothing new to say.
        if found != (loaded_source.loaded, loaded_source.failure) and not self._closed:
            loaded_source.loaded, loaded_source.failure = found
            self._changed(True)

    def _shown(self, text: str) -> str:
        return cast("str", self._redactor().text(text, "source").value)

    def _shown_errors(self, errors: Iterable[LoadError]) -> tuple[LoadError, ...]:
        return tuple(replace(error, message=self._shown(error.message)) for error in errors)


CLOSE_SECONDS = 8.0


def _loaded_for(entry: Any, loaded_sources: Sequence[LoadedSource]) -> LoadedSource | None:
    """The source of that very entry, else of one that differs in its permissions alone."""
    bare = _without_permissions(entry)
    alike = [
        loaded_source
        for loaded_source in loaded_sources
        if _named_alike(loaded_source.entry, entry) and _without_permissions(loaded_source.entry) == bare
    ]
    return next((loaded_source for loaded_source in alike if loaded_source.entry == entry), next(iter(alike), None))


def _without_permissions(entry: Any) -> Any:
    return entry.model_copy(update={"permission": None, "permissions": {}})


def _named_alike(one: Any, other: Any) -> bool:
    """Whether both give their name, or neither: for a folder of functions that is a difference."""
    return ("name" in one.model_fields_set) == ("name" in other.model_fields_set)
