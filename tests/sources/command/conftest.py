"""Sources of commands."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.sources.command.entry import CommandEntry
from ptc_studio.sources.command.source import CommandSource
from ptc_studio.sources.references import References
from tests.sources.http.fakes import Client

Connect = Callable[..., Client]


@pytest.fixture
def connect(tmp_path: Path) -> Iterator[Connect]:
    """Makes sources of entries, which are closed afterwards."""
    made: list[Client] = []

    def make(*argv: Any, **fields: Any) -> Client:
        entry = CommandEntry(**{"name": "do", **({"argv": argv} if argv else {}), **fields})
        made.append(Client(CommandSource(entry, folder=tmp_path, references=References({"KEY": "s3cret-value"}.get))))
        return made[-1]

    yield make
    for client in made:
        client.source.close()
