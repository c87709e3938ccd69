"""Servers over HTTP that refuse, redirect or hang."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ptc_studio.sources.mcp.entry import McpEntry
from ptc_studio.sources.mcp.launch import McpServerDown
from ptc_studio.sources.references import References
from ptc_studio.sources.source import SourceFailed

from .conftest import Connect


class RudeHandler(BaseHTTPRequestHandler):
    """Answers by the path: a status, a redirect, words, or nothing."""

    protocol_version = "HTTP/1.1"
    released = threading.Event()
    seen: list[str] = []  # noqa: RUF012

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.seen.append(str(self.headers.get("Authorization")))
        what = self.path.strip("/")
        if what == "hang":
            self.released.wait(30)
            what = "500"
        if what == "words":
            self._answer(200, b"<html>Hello</html>", ("Content-Type", "text/html"))
        elif what == "garbage":
            self._answer(200, b"{]", ("Content-Type", "application/json"))
        elif what in ("307", "302"):
            self._answer(int(what), b"", ("Location", f"/{what}"))
        else:
            self._answer(int(what), b"")

    def _answer(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (*headers, ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def rude() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), RudeHandler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    RudeHandler.released.set()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("401", "answered 401 Unauthorized: sign in at the source, or give it a valid token under `headers`"),
        ("403", "answered 403 Forbidden"),
        ("404", "answered 404 Not Found: check the path of its address"),
        ("500", "answered 500 Internal Server Error: look at the server's own log"),
        ("307", "Redirect to .* not followed"),
        ("302", "Redirect to .* not followed"),
        ("words", "Unexpected content type: text/html"),
        ("garbage", "Failed to parse JSON response"),
    ],
)
def test_a_server_that_refuses_says_how_and_what_to_do(connect: Connect, rude: str, path: str, words: str) -> None:
    client = connect(McpEntry(name="web", url=f"{rude}/{path}"))
    with pytest.raises(SourceFailed, match=f"'web' .*{words}.*reload"):
        client.source.refresh()
    assert client.state == "failed"


def test_a_server_that_hangs_fails_after_its_time(connect: Connect, rude: str) -> None:
    client = connect(McpEntry(name="web", url=f"{rude}/hang", start_timeout=0.3))
    began = time.monotonic()
    with pytest.raises(SourceFailed, match=r"'web' did not list its tools within 0.3 s"):
        client.source.refresh()
    assert time.monotonic() - began < 20


def test_closing_does_not_wait_for_a_server_that_hangs(connect: Connect, rude: str) -> None:
    client = connect(McpEntry(name="web", url=f"{rude}/hang"))
    thread = threading.Thread(target=lambda: pytest.raises(SourceFailed, client.source.refresh))
    thread.start()
    while client.state != "loading":
        time.sleep(0.01)
    began = time.monotonic()
    client.source.close()
    thread.join(20)
    assert not thread.is_alive()
    assert time.monotonic() - began < 20


def test_an_address_where_nobody_listens_says_so(connect: Connect) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        with pytest.raises(SourceFailed, match="'web' cannot be reached: start it, or check its address"):
            connect(McpEntry(name="web", url=f"http://127.0.0.1:{port}/mcp")).source.refresh()


def test_headers_are_resolved_when_they_are_sent_and_are_in_no_message(connect: Connect, rude: str) -> None:
    references = References(secret={"T": "hush-hush-456"}.get)
    entry = McpEntry(name="web", url=f"{rude}/401", headers={"Authorization": "Bearer ${secret:T}"})
    client = connect(entry, references=references)
    with pytest.raises(SourceFailed) as caught:
        client.source.refresh()
    assert "Bearer hush-hush-456" in RudeHandler.seen
    assert "hush" not in f"{caught.value}{client.source.status}"


class SessionHandler(BaseHTTPRequestHandler):
    """A server with sessions, which it can forget: what comes in one that it does not know is answered with 404."""

    protocol_version = "HTTP/1.1"
    known: set[str] = set()  # noqa: RUF012
    begun = 0
    echoed: list[str] = []  # noqa: RUF012
    forgets = False

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        kind, session = type(self), self.headers.get("Mcp-Session-Id", "")
        if request["method"] == "initialize":
            kind.begun += 1
            session = f"s{kind.begun}"
            kind.known.add(session)
            info = {"name": "sessions", "version": "1"}
            version = request["params"]["protocolVersion"]
            return self._answer(
                request, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}, session
            )
        if session not in kind.known or (kind.forgets and request["method"] == "tools/call"):
            return self._send(404, b"")
        if "id" not in request:
            return self._send(202, b"")
        if request["method"] == "tools/call":
            kind.echoed.append(session)
            return self._answer(request, {"content": [{"type": "text", "text": session}]})
        schema = {"type": "object"}
        return self._answer(request, {"tools": [{"name": "echo", "inputSchema": schema}]})

    def do_GET(self) -> None:
        self._send(405, b"")

    do_DELETE = do_GET  # noqa: N815

    def _answer(self, request: dict, result: object, session: str = "") -> None:
        body = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()
        self._send(200, body, *([("Mcp-Session-Id", session)] if session else []))

    def _send(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (*headers, ("Content-Type", "application/json"), ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def sessions() -> Iterator[str]:
    SessionHandler.known, SessionHandler.begun, SessionHandler.echoed, SessionHandler.forgets = set(), 0, [], False
    server = ThreadingHTTPServer(("127.0.0.1", 0), SessionHandler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/mcp"
    server.shutdown()
    server.server_close()


def test_a_session_that_the_server_forgot_is_begun_anew_and_the_call_made_again(
    connect: Connect, sessions: str
) -> None:
    client = connect(McpEntry(name="web", url=sessions))
    assert client.call("echo") == "s1"
    SessionHandler.known.clear()
    assert client.call("echo") == "s2"
    assert SessionHandler.echoed == ["s1", "s2"]


def test_a_call_that_every_session_forgets_is_made_again_once(connect: Connect, sessions: str) -> None:
    client = connect(McpEntry(name="web", url=sessions))
    client.tools()
    SessionHandler.forgets = True
    with pytest.raises(McpServerDown, match="'web' forgets its sessions at once"):
        client.call("echo")
    assert (SessionHandler.begun <= 3, SessionHandler.echoed) == (True, [])
