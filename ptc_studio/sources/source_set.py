"""All sources of a workspace: each loads by itself, and none waits for another."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from dataclasses import dataclass, field
from typing import Any

from ptc_studio.core.tools import LoadedTools, LoadError
from ptc_studio.core.workers import Workers
from ptc_studio.sources.kinds import SourceContext, make_source
from ptc_studio.sources.registry_sync import OfferedTools, SourceRules
from ptc_studio.sources.source import Source, SourceFailed, Status


class RefreshQueue:
    """Whoever asks gets a look that begins after he asked: one under way may be past what he saved a moment ago.

    All who ask while one is under way share the next.
    """

    def __init__(self, workers: Workers, look: Callable[[], None]) -> None:
        self._workers = workers
        self._look = look
        self._lock = threading.Lock()
        self._next: Future[None] | None = None
        self._is_busy = False
        self._looker: int | None = None

    @property
    def is_in_this_thread(self) -> bool:
        """Whether it is the look under way that asks this."""
        return self._looker == threading.get_ident()

    def ask(self) -> "Future[None]":
        """The future ends when the look has, and never fails."""
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
        self._looker = threading.get_ident()
        try:
            self._look()
        finally:
            self._looker = None
            with self._lock:
                self._is_busy = self._next is not None
                again = self._is_busy
            if again:
                self._workers.submit(self._do)
            asked.set_result(None)


Changed = Callable[[], None]


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
    place: SourceLocation
    looks: RefreshQueue
    loaded: LoadedTools = field(default_factory=LoadedTools)
    failure: str | None = None

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def status(self) -> Status:
        """How the source is; what failed before it could say so itself is told as well."""
        status = self.source.status
        if self.failure is not None and status.state != "loading":
            return Status("failed", self.failure, status.log)
        return status

    @property
    def errors(self) -> tuple[LoadError, ...]:
        """The parts of it that did not load, or the reason why nothing did."""
        if self.failure is not None:
            return (LoadError(self.name, self.place.file, self.place.line, self.failure),)
        return self.loaded.errors

    def offer(self) -> OfferedTools:
        entry = self.entry
        # Only a folder of functions has tools without the source's name, and adds it where the user gave one.
        namespace = entry.name if entry.kind == "functions" and "name" in entry.model_fields_set else None
        rules = SourceRules(entry.permission, entry.permissions, entry.timeout, namespace, entry.name)
        return OfferedTools(entry.name, self.loaded.tools, rules)


class SourceSet:
    """Looks at sources in worker threads. `changed` is called, from any thread, when one brought something new."""

    def __init__(self, surroundings: SourceContext, workers: Workers, changed: Changed) -> None:
        self._surroundings = surroundings
        self._workers = workers
        self._changed = changed
        self._closed = False
        self.seats: tuple[LoadedSource, ...] = ()

    def set_entries(self, entries: Sequence[tuple[Any, SourceLocation]]) -> None:
        """Has these sources; those whose entry is the same stay as they are, those that are gone are closed.

        A permission is no part of the source: nobody's server starts anew, or loses a call, for another one.
        """
        kept = list(self.seats)
        seats: list[LoadedSource] = []
        for entry, place in entries:
            same = _seat_of(entry, kept)
            if same is not None:
                kept.remove(same)
                same.entry, same.place = entry, place
                seats.append(same)
            else:
                seats.append(self._seat(entry, place))
        self.seats = tuple(seats)
        for seat in kept:
            self._workers.submit(seat.source.close)

    def look(self, seats: Sequence[LoadedSource] | None = None) -> "list[Future[None]]":
        """Has the sources looked at from now on, all at once; the futures end when each has been, and never fail."""
        return [seat.looks.ask() for seat in (self.seats if seats is None else seats)]

    def reload(self, seat: LoadedSource) -> "Future[None]":
        """Has the source start anew."""
        done: Future[None] = Future()

        def start_over() -> None:
            try:
                seat.source.reload()
            finally:
                seat.looks.ask().add_done_callback(lambda _: done.set_result(None))

        self._workers.submit(start_over)
        return done

    def close(self) -> None:
        """Ends all sources, all at once; what they brought stays known."""
        self._closed = True
        ends = [self._in_thread(seat.source.close) for seat in self.seats]
        wait_for(ends, timeout=CLOSE_SECONDS)

    def _seat(self, entry: Any, place: SourceLocation) -> LoadedSource:
        looks = RefreshQueue(self._workers, lambda: self._refresh(seat))
        seat = LoadedSource(entry, make_source(entry, self._surroundings), place, looks)
        seat.source.listen(lambda: self._told(seat))
        return seat

    def _told(self, seat: LoadedSource) -> None:
        """A source says that something is other than before: a server's list, or just how it is."""
        # Whatever it says while it is being looked at, by that very look, is about to be seen.
        if not seat.looks.is_in_this_thread and seat.source.status.state == "ready":
            seat.looks.ask()
        self._changed()

    def _has(self, seat: LoadedSource) -> bool:
        """Whether it is the board's still: what was closed would be opened again by a look."""
        return not self._closed and any(each is seat for each in self.seats)

    def _refresh(self, seat: LoadedSource) -> None:
        if not self._has(seat):
            return
        try:
            found: tuple[LoadedTools, str | None] = (seat.source.refresh(), None)
        except SourceFailed as error:
            found = (LoadedTools(), str(error))
        except Exception as error:  # noqa: BLE001 - a source that breaks is one that failed
            found = (LoadedTools(), f"The source {seat.name!r} failed: {type(error).__name__}: {error}")
        # A source that fails because it is being closed has nothing new to say.
        if found != (seat.loaded, seat.failure) and not self._closed:
            seat.loaded, seat.failure = found
            self._changed()

    def _in_thread(self, work: Callable[[], None]) -> "Future[None]":
        done: Future[None] = Future()

        def do() -> None:
            try:
                work()
            finally:
                done.set_result(None)

        self._workers.submit(do)
        return done


CLOSE_SECONDS = 8.0


def _seat_of(entry: Any, seats: Sequence[LoadedSource]) -> LoadedSource | None:
    """The seat of that very entry, else of one that differs in its permissions alone."""
    bare = _without_permissions(entry)
    alike = [seat for seat in seats if _named_alike(seat.entry, entry) and _without_permissions(seat.entry) == bare]
    return next((seat for seat in alike if seat.entry == entry), next(iter(alike), None))


def _without_permissions(entry: Any) -> Any:
    return entry.model_copy(update={"permission": None, "permissions": {}})


def _named_alike(one: Any, other: Any) -> bool:
    """Whether both give their name, or neither: for a folder of functions that is a difference."""
    return ("name" in one.model_fields_set) == ("name" in other.model_fields_set)
