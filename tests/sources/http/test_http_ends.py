"""Servers that keep one waiting, and calls that nobody waits for any longer."""

import itertools
import threading
import time

import pytest

from ptc_studio.core.calls import CallRequest
from ptc_studio.sources.http.messages import HttpUnreachable
from tests.sources.fake_ticket import FakeTicket
from tests.sources.http.conftest import Connect
from tests.sources.http.web_server import Received, WebServer
from tests.support import Engine, wait_until


class Patience:
    """Has servers wait until the test is over."""

    def __init__(self) -> None:
        self.over = threading.Event()

    def silent(self, _request: Received):
        self.over.wait(30)
        yield b""

    def dripping(self, start: bytes):
        def drip(_request: Received):
            yield start
            for _ in itertools.takewhile(lambda _: not self.over.wait(0.01), itertools.count()):
                yield b"x"

        return drip


@pytest.fixture
def patience():
    made = Patience()
    yield made
    made.over.set()


@pytest.fixture
def silent(patience: Patience, server: WebServer) -> WebServer:
    server.answers["*"] = patience.silent
    return server


def drips(kind: str) -> bytes:
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100000000\r\n\r\n"
    return {
        "endless": b"HTTP/1.1 200 OK\r\n\r\n",
        "head": b"HTTP/1.1 200 OK\r\nX-A: ",
        "status": b"HTTP/1.1 2",
        "body": body,
    }[kind]


def in_thread(work):
    found: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, found


def test_a_call_that_is_given_up_ends_at_once(connect: Connect, silent: WebServer) -> None:
    ticket = FakeTicket()
    api = connect(url=silent.url)
    thread, found = in_thread(lambda: api.call("api", ticket))
    assert silent.asked.wait(10)
    ticket.abandon()
    thread.join(10)
    assert not thread.is_alive()
    assert isinstance(found[0], HttpUnreachable)
    assert "was broken off" in str(found[0])


@pytest.mark.parametrize("kind", ["head", "status", "body", "endless"])
def test_a_server_that_drips_is_given_up_too(
    connect: Connect, server: WebServer, patience: Patience, kind: str
) -> None:
    server.answers["*"] = patience.dripping(drips(kind))
    ticket = FakeTicket()
    api = connect(url=server.url)
    thread, found = in_thread(lambda: api.call("api", ticket))
    assert server.asked.wait(10)
    ticket.abandon()
    thread.join(10)
    assert not thread.is_alive()
    assert isinstance(found[0], HttpUnreachable)
    assert server.gone.wait(10), "the server is not left with an open connection"


def test_a_kept_connection_can_be_broken_off_as_well(connect: Connect, server: WebServer, patience: Patience) -> None:
    api = connect(url=f"{server.url}/{{x}}")
    api.call("api", x="quick")
    server.asked.clear()
    server.answers["/slow"] = patience.silent
    ticket = FakeTicket()
    thread, _ = in_thread(lambda: api.call("api", ticket, x="slow"))
    assert server.asked.wait(10)
    ticket.abandon()
    thread.join(10)
    assert not thread.is_alive()
    assert server.connections == 1
    assert api.call("api", x="quick") == {}, "others are not touched"


def test_a_call_that_was_given_up_before_its_start_sends_nothing(connect: Connect, server: WebServer) -> None:
    ticket = FakeTicket()
    ticket.abandon()
    with pytest.raises(HttpUnreachable, match="broken off"):
        connect(url=server.url).call("api", ticket)
    assert server.received == []


def test_a_late_end_of_one_call_does_not_touch_the_next_on_its_connection(connect: Connect, server: WebServer) -> None:
    ticket = FakeTicket()
    api = connect(url=server.url)
    api.call("api", ticket)
    ticket.abandon()
    assert api.call("api") == {}
    assert server.connections == 1


def test_closing_the_source_ends_its_calls(connect: Connect, silent: WebServer) -> None:
    api = connect(url=silent.url)
    thread, found = in_thread(lambda: api.call("api"))
    assert silent.asked.wait(10)
    tool = api.tools["api"]
    api.source.close()
    thread.join(10)
    assert not thread.is_alive()
    assert isinstance(found[0], HttpUnreachable)
    assert api.source.status.state == "closed"
    with pytest.raises(HttpUnreachable, match="its source is closed"):
        tool.invoke({}, FakeTicket())


def test_the_executor_bounds_a_call_in_time(connect: Connect, silent: WebServer, engine: Engine) -> None:
    tool = connect(url=silent.url, timeout=1.5).tools["api"]
    engine.registry.register(tool)
    before = time.monotonic()
    with pytest.raises(TimeoutError, match="timed out: api"):
        engine.call("api")
    assert time.monotonic() - before < 20
    assert silent.asked.wait(10)


def test_a_stopped_run_ends_its_requests(connect: Connect, silent: WebServer, engine: Engine) -> None:
    engine.registry.register(connect(url=silent.url).tools["api"])
    run = engine.run()
    outcomes = []
    call = engine.executor.submit(CallRequest(run, "api"), outcomes.append)
    assert silent.asked.wait(10)
    call.cancel()
    wait_until(lambda: outcomes)
    assert outcomes[0].status == "cancelled"
