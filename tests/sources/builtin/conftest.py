"""A workspace with the built-in tools over it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.sources.builtin.entry import BuiltinEntry
from ptc_studio.sources.builtin.source import BuiltinSource
from tests.sources.fake_ticket import FakeTicket


class Tools:
    """The tools by their short names."""

    def __init__(self, folder: Path, protected: tuple[Path, ...] = (), **fields: Any) -> None:
        self.folder = folder
        self.source = BuiltinSource(BuiltinEntry(**fields), folder=folder, protected=lambda: protected)

    def __call__(self, tool: str, ticket: FakeTicket | None = None, **arguments: Any) -> Any:
        found = {item.spec.name.partition(".")[2]: item for item in self.source.refresh().tools}[tool]
        return found.invoke(found.bind(arguments), ticket or FakeTicket())


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("outside")
    return folder


@pytest.fixture
def make_tools(workspace: Path) -> Iterator[Callable[..., Tools]]:
    made: list[Tools] = []

    def make(**options: Any) -> Tools:
        made.append(Tools(workspace, **options))
        return made[-1]

    yield make
    for tools in made:
        tools.source.close()


@pytest.fixture
def tools(make_tools: Callable[..., Tools]) -> Tools:
    return make_tools()


@pytest.fixture
def ticket() -> FakeTicket:
    return FakeTicket()
