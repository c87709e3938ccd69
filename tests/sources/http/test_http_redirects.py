"""Answers that lead elsewhere."""

import pytest

from ptc_studio.sources.http.messages import HttpUnusable
from tests.sources.conftest import MakeServer
from tests.sources.http.conftest import Connect
from tests.sources.http.web_server import WebServer, answer


def moved(to: str, status: str = "302 Found") -> bytes:
    return answer(b"", status, Location=to)


def test_a_redirect_on_the_same_server_keeps_the_key(connect: Connect, server: WebServer) -> None:
    server.answers |= {"/a": moved("/b?x=1"), "/b": answer("there")}
    assert connect(url=f"{server.url}/a", headers={"X-Key": "${secret:KEY}"}).call("api") == "there"
    assert (server.last.target, server.last.header("X-Key")) == ("/b?x=1", "s3cret-value")


def test_a_redirect_to_another_server_tells_it_no_key(
    connect: Connect, server: WebServer, make_server: MakeServer
) -> None:
    other = make_server()
    server.answers["*"] = moved(f"{other.url}/b")
    headers = {"X-Key": "${secret:KEY}", "Authorization": "Bearer ${secret:KEY}", "Cookie": "a=${secret:KEY}"}
    connect(url=f"{server.url}/a", headers=headers, query={"key": "${secret:KEY}"}).call("api")
    assert other.last.target == "/b"
    assert {name for name, _ in other.last.headers} == {"Host", "Accept", "User-Agent", "Accept-Encoding"}
    assert "s3cret" not in repr(other.last)


@pytest.mark.parametrize(
    ("status", "method", "body"),
    [("303 See Other", "GET", b""), ("302 Found", "GET", b""), ("307 Temporary Redirect", "POST", b'{"a":1}')],
)
def test_a_redirect_repeats_the_body_only_where_it_says_so(
    connect: Connect, server: WebServer, status: str, method: str, body: bytes
) -> None:
    server.answers |= {"/a": moved("/b", status)}
    connect(url=f"{server.url}/a", method="POST", body={"a": 1}).call("api")
    assert (server.last.method, server.last.body) == (method, body)
    assert (server.last.header("Content-Type") is None) == (not body)


@pytest.mark.parametrize("status", ["307 Temporary Redirect", "308 Permanent Redirect"])
def test_a_body_is_not_sent_to_another_server_unasked(
    connect: Connect, server: WebServer, make_server: MakeServer, status: str
) -> None:
    other = make_server()
    server.answers["*"] = moved(f"{other.url}/b", status)
    with pytest.raises(HttpUnusable, match="leads to another server, http://.*: nothing was sent there"):
        connect(url=f"{server.url}/a", method="POST", body={"key": "${secret:KEY}"}).call("api")
    assert not other.received


def test_redirects_without_end_are_given_up(connect: Connect, server: WebServer) -> None:
    server.answers["*"] = moved("/again")
    with pytest.raises(HttpUnusable, match="without end"):
        connect(url=server.url).call("api")
    assert len(server.received) == 6


@pytest.mark.parametrize("place", ["file:///etc/passwd", "ftp://x/y", "http://[broken", "https://"])
def test_a_redirect_to_what_is_no_web_address_is_not_followed(connect: Connect, server: WebServer, place: str) -> None:
    server.answers["*"] = moved(place)
    with pytest.raises(HttpUnusable, match="address that is none"):
        connect(url=server.url).call("api")
