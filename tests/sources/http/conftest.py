"""Sources of requests."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ptc_studio.sources.http.entry import HttpEntry
from ptc_studio.sources.http.source import HttpSource
from ptc_studio.sources.references import References
from tests.sources.http.fakes import Client

Connect = Callable[..., Client]
SECRETS = {"KEY": "s3cret-value", "ODD": "a/b c+d"}


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Makes sources of entries, which are closed afterwards."""
    made: list[Client] = []

    def make(**fields: Any) -> Client:
        entry = HttpEntry(**{"name": "api", **fields})
        made.append(Client(HttpSource(entry, references=References(SECRETS.get, {"HOST": "unused"}))))
        return made[-1]

    yield make
    for client in made:
        client.source.close()
