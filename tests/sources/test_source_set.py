"""The board of sources, with a source made for the test."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from ptc_studio.core.tools import LoadedTools, LoadError
from ptc_studio.core.workers import Workers
from ptc_studio.sources import source_set as module
from ptc_studio.sources.functions.entry import FunctionsEntry
from ptc_studio.sources.source import SourceFailed, Status
from ptc_studio.sources.source_set import SourceLocation, SourceSet

BROUGHT = LoadedTools(errors=(LoadError("s", "f", 1, "one of its parts"),))


class ServerLike:
    """Fails once it is closed, as a server does whose last word is still being looked at."""

    def __init__(self) -> None:
        self.closed = threading.Event()
        self.began = threading.Semaphore(0)
        self.held = threading.Event()
        self.held.set()
        self.looks = 0
        self.status = Status("ready")

    def refresh(self) -> LoadedTools:
        self.looks += 1
        self.began.release()
        self.held.wait(20)
        if self.closed.is_set():
            raise SourceFailed("It is closed.")
        return BROUGHT

    def reload(self) -> None: ...

    def listen(self, changed: Callable[[], None]) -> None:
        self.notify = changed

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> ServerLike:
    server = ServerLike()
    monkeypatch.setattr(module, "make_source", lambda _entry, _surroundings: server)
    return server


@pytest.fixture
def told() -> list[Any]:
    return []


@pytest.fixture
def board(server: ServerLike, told: list[Any]) -> SourceSet:
    """With the one source, which was looked at."""
    board = SourceSet(None, Workers(), lambda _tools: told.append(1))  # type: ignore[arg-type]
    board.set_entries([(FunctionsEntry(path="x"), SourceLocation("studio.yaml", 1))])  # type: ignore[arg-type]
    for look in board.refresh():
        look.result(20)
    assert server.began.acquire(timeout=20)
    return board


def test_what_sources_brought_is_known_after_they_were_closed(server: ServerLike, board: SourceSet, told: list[Any]):
    server.held.clear()
    (late,) = board.refresh()
    assert server.began.acquire(timeout=20)
    board.close()
    server.held.set()
    late.result(20)
    assert server.looks == 2
    (seat,) = board.loaded_sources
    assert (seat.loaded, seat.failure) == (BROUGHT, None)
    assert len(told) == 1


def test_a_source_that_is_gone_is_not_looked_at_again(server: ServerLike, board: SourceSet):
    server.held.clear()
    (under_way,) = board.refresh()
    assert server.began.acquire(timeout=20)
    (next_one,) = board.refresh()
    board.set_entries([])
    server.held.set()
    under_way.result(20)
    next_one.result(20)
    assert server.looks == 2


def test_a_source_that_starts_anew_is_looked_at_from_then_on(server: ServerLike, board: SourceSet):
    server.held.clear()
    (under_way,) = board.refresh()
    assert server.began.acquire(timeout=20)
    reloaded = threading.Event()
    server.reload = reloaded.set  # type: ignore[method-assign]
    anew = board.reload(board.loaded_sources[0])
    assert reloaded.wait(20)
    assert not anew.done()
    server.held.set()
    under_way.result(20)
    anew.result(20)
    assert server.looks == 3


def test_news_that_come_during_a_look_are_looked_at_after_it(server: ServerLike, board: SourceSet):
    server.held.clear()
    board.refresh()
    assert server.began.acquire(timeout=20)
    server.notify()
    server.held.set()
    assert server.began.acquire(timeout=20)


def test_what_a_source_says_of_itself_while_it_is_looked_at_asks_for_no_look(server: ServerLike, board: SourceSet):
    refresh = server.refresh

    def refresh_and_tell() -> LoadedTools:
        server.notify()
        return refresh()

    server.refresh = refresh_and_tell  # type: ignore[method-assign]
    board.refresh()[0].result(20)
    assert server.looks == 2
