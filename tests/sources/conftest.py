"""Servers that several kinds of sources are tried against."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.sources.http.web_server import WebServer

MakeServer = Callable[..., WebServer]


@pytest.fixture
def make_server() -> Iterator[MakeServer]:
    """Makes web servers, which are closed afterwards."""
    made: list[WebServer] = []

    def make(**options: Any) -> WebServer:
        made.append(WebServer(**options))
        return made[-1]

    yield make
    for server in made:
        server.close()


@pytest.fixture
def server(make_server: MakeServer) -> WebServer:
    """A web server of this machine."""
    return make_server()
