"""A folder to write functions into, catalogues over it, and a ticket that needs no executor."""

import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from ptc_studio.sources.functions import FunctionCatalog, ProcessFunctionCatalog


class FakeTicket:
    """Answers nested calls from a dictionary of functions; `abandon()` is what the executor does when time is up."""

    def __init__(self, tools: Mapping[str, Callable[..., Any]] | None = None, run_id: str = "run-1") -> None:
        self.run_id = run_id
        self.call_id = "call-1"
        self.stopping = threading.Event()
        self.told: list[tuple[float, float | None, str]] = []
        self._tools = tools or {}
        self._stops: list[Callable[[], None]] = []
        self._abandoned = False

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        return self._tools[name](**arguments)

    async def call_async(self, name: str, arguments: Mapping[str, Any]) -> Any:
        return self._tools[name](**arguments)

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        self.told.append((done, total, message))

    def on_abandon(self, stop: Callable[[], None]) -> None:
        self._stops.append(stop)
        self.stopping.set()
        if self._abandoned:
            stop()

    def abandon(self) -> None:
        self._abandoned = True
        for stop in tuple(self._stops):
            stop()


class Folder:
    """A functions folder under construction."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, text: str) -> Path:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text[1:]) if text.startswith("\n ") else text)
        return file


class Loading:
    """A catalogue and its tools by name, as a test wants them."""

    def __init__(self, catalog: Any) -> None:
        self.catalog = catalog
        self.loaded = catalog.load()

    def refresh(self) -> None:
        self.loaded = self.catalog.refresh()

    @property
    def tools(self) -> dict[str, Any]:
        return {tool.spec.name: tool for tool in self.loaded.tools}

    @property
    def errors(self) -> list[tuple[str, int | None, str]]:
        return [(Path(error.file).name, error.line, error.message) for error in self.loaded.errors]

    def call(self, name: str, arguments: Mapping[str, Any] | None = None, ticket: Any = None) -> Any:
        tool = self.tools[name]
        return tool.invoke(tool.bind(arguments or {}), ticket or FakeTicket())


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    path = tmp_path / "tools"
    path.mkdir()
    return Folder(path)


@pytest.fixture
def make_ticket() -> type[FakeTicket]:
    return FakeTicket


@pytest.fixture
def load(folder: Folder) -> Iterator[Callable[..., Loading]]:
    made: list[FunctionCatalog] = []

    def make(**options: Any) -> Loading:
        made.append(FunctionCatalog(options.pop("path", folder.path), **options))
        return Loading(made[-1])

    yield make
    for catalog in made:
        catalog.close()


@pytest.fixture
def load_in_process(folder: Folder) -> Iterator[Callable[..., Loading]]:
    made: list[ProcessFunctionCatalog] = []

    def make(**options: Any) -> Loading:
        made.append(ProcessFunctionCatalog(options.pop("path", folder.path), **options))
        return Loading(made[-1])

    yield make
    for catalog in made:
        catalog.close()


@pytest.fixture
def in_thread() -> Callable[[Callable[[], Any]], "Background"]:
    return Background


class Background:
    """Work in a thread, as the executor's workers do it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self.value: Any = None
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.value = self._work()
        except BaseException as error:
            self.error = error

    def wait(self) -> "Background":
        self._thread.join(20)
        assert not self._thread.is_alive()
        return self
