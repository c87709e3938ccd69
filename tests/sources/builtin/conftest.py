"""A workspace with the built-in tools over it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.sources.builtin import BuiltinEntry, BuiltinSource


class FakeTicket:
    """A call that can be given up."""

    run_id = "r1"
    call_id = "c1"

    def __init__(self) -> None:
        self._stops: list[Callable[[], None]] = []

    def call(self, name: str, arguments: Any) -> Any:
        raise NotImplementedError

    call_async = call

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        raise NotImplementedError

    def on_abandon(self, stop: Callable[[], None]) -> None:
        self._stops.append(stop)

    def abandon(self) -> None:
        for stop in self._stops:
            stop()


class Tools:
    """The tools by their short names."""

    def __init__(self, folder: Path, protected: tuple[Path, ...] = (), **fields: Any) -> None:
        self.folder = folder
        self.source = BuiltinSource(BuiltinEntry(**fields), folder=folder, protected=protected)

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
