"""The board of sources, with a source made for the test."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from ptc_studio.core.tools import Loaded, LoadError
from ptc_studio.core.workers import Workers
from ptc_studio.sources import board as module
from ptc_studio.sources.board import Place, SourceBoard
from ptc_studio.sources.functions.entry import FunctionsEntry
from ptc_studio.sources.source import SourceFailed, Status

BROUGHT = Loaded(errors=(LoadError("s", "f", 1, "one of its parts"),))


class ServerLike:
    """Fails once it is closed, as a server does whose last word is still being looked at."""

    def __init__(self) -> None:
        self.closed = threading.Event()
        self.held = threading.Event()
        self.held.set()
        self.looks = 0
        self.status = Status("ready")

    def refresh(self) -> Loaded:
        self.looks += 1
        self.held.wait(20)
        if self.closed.is_set():
            raise SourceFailed("It is closed.")
        return BROUGHT

    def reload(self) -> None: ...

    def listen(self, changed: Callable[[], None]) -> None:
        self.tell = changed

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> ServerLike:
    server = ServerLike()
    monkeypatch.setattr(module, "make_source", lambda _entry, _surroundings: server)
    return server


def test_what_sources_brought_is_known_after_they_were_closed(server: ServerLike):
    told: list[Any] = []
    board = SourceBoard(None, Workers(), lambda: told.append(1))  # type: ignore[arg-type]
    board.set_entries([(FunctionsEntry(path="x"), Place("studio.yaml", 1))])  # type: ignore[arg-type]
    for look in board.look():
        look.result(20)
    server.held.clear()
    (late,) = board.look()
    board.close()
    server.held.set()
    late.result(20)
    assert server.looks == 2
    (seat,) = board.seats
    assert (seat.loaded, seat.failure) == (BROUGHT, None)
    assert len(told) == 1
