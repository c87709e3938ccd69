"""Modules with registries of the real library, and sources over them."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from ptc_studio.sources.toolregistry.entry import ToolRegistryEntry
from ptc_studio.sources.toolregistry.source import ToolRegistrySource
from tests.sources.fake_ticket import FakeTicket


class Workspace:
    """A folder of modules, and the source that reads one of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.source: Any = None
        self.spoken: list[str] = []

    def write(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text).lstrip("\n"))
        return file

    def open(self, module: str = "tools.py", **fields: Any) -> "Workspace":
        entry = ToolRegistryEntry(name="reg", module=module, **fields)
        self.source = ToolRegistrySource(entry, folder=self.folder, stdio=self._stdio)
        return self

    @contextlib.contextmanager
    def _stdio(self, run_id: str) -> Iterator[None]:
        self.spoken.append(run_id)
        yield

    @property
    def tools(self) -> dict[str, Any]:
        return {tool.spec.name: tool for tool in self.source.refresh().tools}

    @property
    def errors(self) -> list[tuple[str, int | None, str]]:
        return [(Path(error.file).name, error.line, error.message) for error in self.source.refresh().errors]

    def call(self, name: str, ticket: FakeTicket | None = None, /, **arguments: Any) -> Any:
        tool = self.tools[name]
        return tool.invoke(tool.bind(arguments), ticket or FakeTicket())


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace(tmp_path)
    yield made
    if made.source is not None:
        made.source.close()


@pytest.fixture
def ticket() -> FakeTicket:
    return FakeTicket()
