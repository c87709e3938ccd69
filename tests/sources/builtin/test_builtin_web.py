"""Asking web servers, and which of them may not be asked."""

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ptc_studio.sources.builtin.web_tools import HostRules, WebTools, is_public
from ptc_studio.sources.http.messages import HttpRefused, HttpUnreachable, HttpUnusable


class _Server(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.server.asked.append((self.headers["Host"], self.path, dict(self.headers)))  # type: ignore[attr-defined]
        if path == "/to-loopback":
            self._answer(302, b"", Location=f"http://localhost:{self.server.server_port}/json")  # type: ignore[attr-defined]
        elif path == "/json":
            self._answer(
                200, json.dumps({"a": [1, "ü"]}).encode(), **{"Content-Type": "application/json; charset=utf-8"}
            )
        elif path == "/bad-json":
            self._answer(200, b"{oops", **{"Content-Type": "application/json"})
        elif path == "/bytes":
            self._answer(200, b"\xff\x00", **{"Content-Type": "image/png"})
        elif path == "/missing":
            self._answer(404, b"no such thing", **{"Content-Type": "text/plain"})
        elif path == "/bomb":
            packed = gzip.compress(b"0" * 50_000_000)
            self._answer(200, packed, **{"Content-Encoding": "gzip", "Content-Type": "text/plain"})
        elif path == "/drip":
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            while not self.server.over.wait(0.05):  # type: ignore[attr-defined]
                try:
                    self.wfile.write(b".")
                except OSError:
                    return
        else:
            self._answer(200, self.path.encode(), **{"Content-Type": "text/plain"})

    def _answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    server.asked, server.over, server.daemon_threads = [], threading.Event(), True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.over.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def get(make_tools: Callable[..., Any], server: Any) -> Callable[..., Any]:
    tools = make_tools(http_hosts=(f"127.0.0.1:{server.server_port}",), max_bytes=1_000_000)
    return lambda path, **more: tools("http_get", url=f"http://127.0.0.1:{server.server_port}{path}", **more)


def test_json_text_and_bytes_come_as_what_they_are(get: Callable[..., Any]) -> None:
    answer = get("/json")
    assert (answer["status"], answer["ok"], answer["format"], answer["body"]) == (200, True, "json", {"a": [1, "ü"]})
    assert answer["content_type"] == "application/json"
    assert get("/json", format="text")["body"] == '{"a": [1, "\\u00fc"]}'
    assert get("/bytes")["format"] == "base64"
    assert get("/bytes")["body"] == "/wA="
    assert get("/bad-json")["format"] == "text"
    with pytest.raises(HttpUnusable, match="is no JSON"):
        get("/bad-json", format="json")


def test_an_error_of_the_server_is_an_answer(get: Callable[..., Any]) -> None:
    answer = get("/missing")
    assert (answer["status"], answer["ok"], answer["body"]) == (404, False, "no such thing")


def test_query_and_headers_are_sent(get: Callable[..., Any], server: Any) -> None:
    assert (
        get("/x y", query={"q": "a&b ü", "n": [1, 2]}, headers={"X-Key": "1"})["body"]
        == "/x%20y?q=a%26b+%C3%BC&n=1&n=2"
    )
    assert server.asked[-1][2]["X-Key"] == "1"
    for name in ("Host", "content-length", "a b", "x\r\ny"):
        with pytest.raises(HttpRefused, match="cannot be set"):
            get("/", headers={name: "1"})
    with pytest.raises(HttpRefused, match="line break"):
        get("/", headers={"X": "1\r\nHost: y"})


def test_a_bomb_is_not_unpacked(get: Callable[..., Any]) -> None:
    with pytest.raises(HttpUnusable, match="more than 1 MB"):
        get("/bomb")


def test_a_server_that_drips_is_given_up(get: Callable[..., Any]) -> None:
    with pytest.raises(HttpUnreachable, match="no whole answer in time"):
        get("/drip", timeout=0.3)


def test_a_call_that_is_given_up_ends(get: Callable[..., Any], ticket: Any, server: Any) -> None:
    threading.Timer(0.2, ticket.abandon).start()
    with pytest.raises(HttpUnreachable):
        get("/drip", ticket=ticket)


@pytest.mark.parametrize(
    "url", ["ftp://a/b", "file:///etc/passwd", "a.org/x", "http://", "http://a:b@c/", "http://[::1", "http://a:99999/"]
)
def test_what_is_no_web_address_is_refused(tools: Any, url: str) -> None:
    with pytest.raises(HttpRefused):
        tools("http_get", url=url)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1", "2130706433", "[::ffff:127.0.0.1]"]
)
def test_this_machine_is_refused_in_every_spelling(tools: Any, server: Any, host: str) -> None:
    with pytest.raises((HttpRefused, HttpUnreachable)) as caught:
        tools("http_get", url=f"http://{host}:{server.server_port}/json")
    assert isinstance(caught.value, HttpRefused) or host == "2130706433", caught.value
    assert server.asked == []


def test_a_redirect_is_no_way_round_the_rules(get: Callable[..., Any], server: Any) -> None:
    with pytest.raises(HttpRefused, match="'localhost' is not in `http_hosts`"):
        get("/to-loopback")
    assert [path for _, path, _ in server.asked] == ["/to-loopback"]


def test_a_name_is_looked_up_once_and_its_address_used(server: Any, ticket: Any) -> None:
    """A name that answers with a public address first and a private one then (DNS rebinding) gains nothing."""
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    allowed = WebTools((), 1000, 5.0, HostRules(["good.example"], resolve))
    answer = allowed.http_get({"url": f"http://good.example:{server.server_port}/y"}, ticket)
    allowed.close()
    assert answer["body"] == "/y"
    assert asked == ["good.example"]
    assert server.asked[-1][0] == f"good.example:{server.server_port}"
    rebound = WebTools((), 1000, 5.0, HostRules([], resolve))
    with pytest.raises(HttpRefused, match=r"'evil.example' is 127.0.0.1, on this machine or in its network"):
        rebound.http_get({"url": f"http://evil.example:{server.server_port}/"}, ticket)
    rebound.close()


def test_one_private_address_among_public_ones_refuses_the_host() -> None:
    rules = HostRules([], lambda _host, _port: ["93.184.216.34", "10.0.0.1"])
    with pytest.raises(HttpRefused, match="10.0.0.1"):
        rules.addresses("mixed.example", 80)


@pytest.mark.parametrize(
    ("patterns", "host", "port", "allowed"),
    [
        ([], "a.org", 80, True),
        (["b.org"], "a.org", 80, False),
        (["b.org", "*"], "a.org", 80, True),
        (["*.a.org"], "x.a.org", 443, True),
        (["*.a.org"], "a.org.evil.org", 443, False),
        (["a.org:8080"], "a.org", 80, False),
        (["A.org:80"], "a.ORG.", 80, True),
        (["[::1]:80"], "::1", 80, True),
        (["::1"], "[::1]", 80, True),
    ],
)
def test_the_list_of_hosts(patterns: list[str], host: str, port: int, allowed: bool) -> None:
    rules = HostRules(patterns, lambda _host, _port: ["93.184.216.34"])
    if allowed:
        assert rules.addresses(host, port) == ["93.184.216.34"]
    else:
        with pytest.raises(HttpRefused, match="is not in `http_hosts`"):
            rules.addresses(host, port)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("10.1.2.3", False),
        ("192.168.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("nonsense", False),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public
