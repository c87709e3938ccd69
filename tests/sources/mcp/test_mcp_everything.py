"""The protocol's reference server on Node.js, over both transports."""

import os
import random
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator

import pytest

from ptc_studio.sources.mcp import server_threads
from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.launch import McpServerDown
from ptc_studio.sources.mcp.server import Restarts
from tests.support import Engine, wait_until

from .conftest import Client, Connect, FakeTicket

QUICK = Restarts(first=0.02, patience=40)
# Below those that the system gives to whoever wants any, so that nobody else gets one meanwhile.
PORTS = range(20_000, 32_000)


class HttpServer:
    """The reference server over HTTP, as a process of its own."""

    def __init__(self, program: str, transport: str = "streamableHttp") -> None:
        self._transport = transport
        self.port = random.choice(PORTS)
        while self._answers():
            self.port = random.choice(PORTS)
        self._program = program
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/{'sse' if self._transport == 'sse' else 'mcp'}"

    def start(self) -> None:
        self._process = subprocess.Popen(
            ["node", self._program, self._transport],
            env={**os.environ, "PORT": str(self.port)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(self._answers, 40)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


@pytest.fixture(scope="module")
def http_server(everything: str) -> Iterator[HttpServer]:
    server = HttpServer(everything)
    yield server
    server.stop()


@pytest.fixture(params=["stdio", "http"])
def client(request: pytest.FixtureRequest, connect: Connect, everything: str) -> Client:
    if request.param == "stdio":
        return connect(McpEntry(name="all", command="node", args=(everything, "stdio")), restarts=QUICK)
    url = request.getfixturevalue("http_server").url
    return connect(McpEntry(name="all", url=url), restarts=QUICK)


def test_everything_works_over_either_transport(client: Client) -> None:
    loaded = client.source.refresh()
    assert not loaded.errors
    names = {tool.spec.name for tool in loaded.tools}
    assert len(names) >= 12
    assert {"all.echo", "all.get-sum", "all.get-tiny-image", "all.get-structured-content"} <= names
    total = client.tools()["get-sum"].spec
    assert total.also == ("all.get_sum",)
    assert [parameter.name for parameter in total.signature] == ["a", "b"]
    assert "only reads" in total.doc
    assert client.call("echo", message="hello") == "Echo: hello"
    assert client.call("get-sum", a=2, b=3) == "The sum of 2 and 3 is 5."
    image = next(block for block in client.call("get-tiny-image") if isinstance(block, dict))
    assert image["type"] == "image"
    assert image["mimeType"] == "image/png"
    weather = client.call("get-structured-content", location="New York")
    assert set(weather) == {"temperature", "conditions", "humidity"}
    assert client.call("get-resource-reference", resourceType="Text", resourceId=1)[1]["type"] == "resource"
    # The workspace is what a server is told when it asks where it may look.
    assert "file:///" in str(client.call("get-roots-list"))


def test_a_long_call_tells_how_far_it_is(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine all of it may come at once.
    monkeypatch.setattr(server_threads, "SPACING", 0.0)
    ticket = FakeTicket()
    client.call("trigger-long-running-operation", ticket, duration=0.3, steps=3)
    assert [report[:2] for report in ticket.reported] == [(1, 3), (2, 3), (3, 3)]


def test_a_given_up_call_lets_go_at_once(client: Client) -> None:
    ticket = FakeTicket()
    client.tools()
    ended = threading.Event()

    def work() -> None:
        try:
            client.call("trigger-long-running-operation", ticket, duration=50, steps=500)
        except BaseException:
            ended.set()

    threading.Thread(target=work, daemon=True).start()
    wait_until(lambda: ticket.reported)
    ticket.abandon()
    assert ended.wait(20)
    assert client.call("echo", message="on") == "Echo: on"


def test_through_the_executor_a_timeout_is_the_calls_own_and_the_twin_name_works(
    client: Client, engine: Engine
) -> None:
    for tool in client.source.refresh().tools:
        engine.registry.register(tool)
    assert engine.call("all.get_sum", 4, 5) == "The sum of 4 and 5 is 9."
    with pytest.raises(TimeoutError):
        engine.call("all.trigger-long-running-operation", duration=50, timeout=0.2)


def test_a_killed_server_is_restarted(connect: Connect, everything: str) -> None:
    client = connect(McpEntry(name="all", command="node", args=(everything, "stdio")), restarts=QUICK)
    tools = client.tools()
    env = client.call("get-env")
    mark = re.search(r'"STUDIO_PROCESS": "([^"]+)"', env)
    assert mark is not None
    os.kill(_process_with(mark[1]), signal.SIGKILL)
    wait_until(lambda: client.state != "ready")
    assert client.call("echo", message="again") == "Echo: again"
    assert client.tools() == tools


def test_a_server_of_the_older_transport_over_http_works(connect: Connect, everything: str) -> None:
    server = HttpServer(everything, "sse")
    try:
        client = connect(McpEntry(name="all", url=server.url), restarts=QUICK)
        assert client.call("echo", message="one") == "Echo: one"
    finally:
        server.stop()


def test_a_restarted_http_server_is_reached_again(connect: Connect, everything: str) -> None:
    server = HttpServer(everything)
    try:
        restarts = Restarts(first=0.1, longest=0.2, tries=1000, patience=40)
        client = connect(McpEntry(name="all", url=server.url), restarts=restarts)
        assert client.call("echo", message="one") == "Echo: one"
        server.stop()
        with pytest.raises(McpServerDown):
            client.call("echo", message="two")
        server.start()
        wait_until(lambda: client.state == "ready", 40)
        assert client.call("echo", message="three") == "Echo: three"
    finally:
        server.stop()


def _process_with(mark: str) -> int:
    from ptc_studio.processes.process_tree import left_behind

    return next(left_behind(mark))
