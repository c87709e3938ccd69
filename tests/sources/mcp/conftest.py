"""Servers for the tests: one by hand that can misbehave, and the protocol's reference server on Node.js."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ptc_studio.core.tools import Tool
from ptc_studio.sources.mcp import connection, process
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.source import McpSource

ROGUE = Path(__file__).with_name("rogue_server.py")
ROOT = Path(__file__).parents[3]
NODE = Path(os.environ.get("PTC_NODE_SERVERS", ROOT / ".venv" / "node"))
EVERYTHING = NODE / "node_modules/@modelcontextprotocol/server-everything/dist/index.js"


class FakeTicket:
    """A call that can be given up."""

    run_id = "r1"
    call_id = "c1"

    def __init__(self) -> None:
        self.reported: list[tuple[float, float | None, str]] = []
        self._stops: list[Callable[[], None]] = []

    def call(self, name: str, arguments: Any) -> Any:
        raise NotImplementedError

    call_async = call

    def progress(self, done: float, total: float | None = None, message: str = "") -> None:
        self.reported.append((done, total, message))

    def on_abandon(self, stop: Callable[[], None]) -> None:
        self._stops.append(stop)

    def abandon(self) -> None:
        for stop in self._stops:
            stop()


class Client:
    """A source, and short ways to its tools."""

    def __init__(self, entry: McpEntry, **options: Any) -> None:
        self.source = McpSource(entry, **options)
        self.changes = 0
        self.source.listen(self._count)

    def _count(self) -> None:
        self.changes += 1

    @property
    def state(self) -> str:
        return self.source.status.state

    @property
    def log(self) -> str:
        return "\n".join(self.source.status.log)

    def tools(self) -> dict[str, Tool]:
        return {tool.spec.name.partition(".")[2]: tool for tool in self.source.refresh().tools}

    def call(self, name: str, ticket: FakeTicket | None = None, **arguments: Any) -> Any:
        tool = self.tools()[name]
        return tool.invoke(tool.bind(arguments), ticket or FakeTicket())


Connect = Callable[..., Client]


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """How a process ended is learned late on a busy machine."""
    monkeypatch.setattr(process, "EXIT_SECONDS", 10.0)
    monkeypatch.setattr(connection, "END_SECONDS", 20.0)


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Makes clients, which are closed afterwards."""
    made: list[Client] = []

    def make(entry: McpEntry, **options: Any) -> Client:
        made.append(Client(entry, **options))
        return made[-1]

    yield make
    for client in made:
        client.source.close()


@pytest.fixture
def rogue(connect: Connect) -> Connect:
    """Makes clients of the server by hand, by its behaviour."""

    def make(behaviour: str = "plain", *, options: dict[str, Any] | None = None, **fields: Any) -> Client:
        entry = McpEntry(name="rogue", command=sys.executable, args=("-S", str(ROGUE), behaviour), **fields)
        return connect(entry, **(options or {}))

    return make


@pytest.fixture(scope="session")
def everything() -> str:
    """The reference server's program."""
    if not EVERYTHING.exists():
        pytest.skip(f"no reference server at {EVERYTHING}: run packaging/node-packages .venv/node")
    return str(EVERYTHING)


def pids(log: str) -> list[int]:
    """The processes that the server by hand told of."""
    return [int(line.split()[1]) for line in log.splitlines() if line.startswith(("child", "self"))]


def lives(pid: int) -> bool:
    """Whether there is such a process that has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
