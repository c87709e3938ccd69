"""What comes back: values, errors in one sentence, and no secret in them."""

import base64
import gzip
import json

import pytest

from ptc_studio.sources.http.messages import HttpError, HttpUnreachable, HttpUnusable
from tests.sources.http.conftest import Connect
from tests.sources.http.web_server import Received, WebServer, answer


@pytest.mark.parametrize(
    ("sent", "value"),
    [
        (answer({"a": [1, None]}), {"a": [1, None]}),
        (answer(b'{"a": 1}', Content_Type="application/problem+json; charset=utf-8"), {"a": 1}),
        (answer("[1]"), "[1]"),
        (answer("\xe9".encode("latin-1"), Content_Type="text/plain; charset=iso-8859-1"), "\xe9"),
        (answer(b"caf\xc3\xa9", Content_Type="text/plain; charset=nonsense"), "caf\xe9"),
        (answer(b"<a/>", Content_Type="application/atom+xml"), "<a/>"),
        (
            answer(b"\x89PNG\0", Content_Type="image/png"),
            {"content_type": "image/png", "base64": base64.b64encode(b"\x89PNG\0").decode()},
        ),
        (answer(b'{"a": 1}'), {"a": 1}),
        (answer(b"{not json"), "{not json"),
        (answer(b"\xff\xfe"), {"content_type": "", "base64": "//4="}),
        (answer(b"", "204 No Content"), None),
        (answer(b"", "200 OK", Content_Type="application/json"), None),
        (
            answer(gzip.compress(b'{"z": 1}', mtime=0), Content_Type="application/json", Content_Encoding="gzip"),
            {"z": 1},
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n",
            [1, 2],
        ),
    ],
)
def test_an_answer_is_the_value_that_its_type_says(
    connect: Connect, server: WebServer, sent: bytes, value: object
) -> None:
    server.answers["*"] = sent
    assert connect(url=server.url).call("api") == value


def test_a_head_request_gives_status_and_headers(connect: Connect, server: WebServer) -> None:
    server.answers["*"] = b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\nX-A: 1\r\nX-A: 2\r\n\r\n"
    found = connect(url=server.url, method="HEAD").call("api")
    assert found == {"status": 200, "headers": {"content-length": "500", "x-a": "1, 2"}}


def test_connections_are_kept(connect: Connect, server: WebServer) -> None:
    api = connect(url=server.url)
    for _ in range(5):
        api.call("api")
    assert (server.connections, len(server.received)) == (1, 5)


def test_a_status_that_means_failure_is_an_error_with_what_the_server_says(connect: Connect, server: WebServer) -> None:
    server.answers["*"] = answer({"message": "No such\n   user"}, "404 Not Found")
    with pytest.raises(HttpError) as caught:
        connect(url=f"{server.url}/u/{{id}}").call("api", id=7)
    assert str(caught.value) == f'GET {server.url}/u/{{id}} answered 404 Not Found: {{"message": "No such\\n user"}}'
    assert (caught.value.status, caught.value.reason) == (404, "Not Found")


def test_a_long_error_page_is_cut(connect: Connect, server: WebServer) -> None:
    server.answers["*"] = answer("x" * 100_000, "500 Internal Server Error")
    with pytest.raises(HttpError) as caught:
        connect(url=server.url).call("api")
    assert len(str(caught.value)) < 1200
    assert str(caught.value).endswith("x…")


@pytest.mark.parametrize(
    ("after", "said"), [("30", "wait 30 s"), ("Wed, 21 Oct 2026 07:28:00 GMT", "wait until Wed, 21 Oct 2026")]
)
def test_the_time_to_wait_is_told(connect: Connect, server: WebServer, after: str, said: str) -> None:
    server.answers["*"] = answer(b"", "429 Too Many Requests", Retry_After=after)
    with pytest.raises(HttpError, match=said) as caught:
        connect(url=server.url).call("api")
    assert caught.value.retry_after == after


def test_expected_statuses_are_no_errors(connect: Connect, server: WebServer) -> None:
    server.answers["*"] = answer({"found": False}, "404 Not Found")
    assert connect(url=server.url, expect=["2xx", 404]).call("api") == {"found": False}
    server.answers["*"] = answer({})
    with pytest.raises(HttpError, match="answered 200 OK"):
        connect(url=server.url, expect=[201]).call("api")


def test_broken_json_is_told(connect: Connect, server: WebServer) -> None:
    server.answers["*"] = answer(b'{"a": ', Content_Type="application/json")
    with pytest.raises(HttpUnusable, match="says that it is JSON, but is none: EOF"):
        connect(url=server.url).call("api")


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (answer(b"no gzip", Content_Encoding="gzip"), "cannot be unpacked"),
        (answer(gzip.compress(b"x" * 100, mtime=0)[:-12], Content_Encoding="gzip"), "ends before its time"),
        (answer(b"x", Content_Encoding="br"), "packed as 'br', which was not asked for"),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", "the answer is no HTTP"),
    ],
)
def test_an_answer_that_cannot_be_read_is_told(connect: Connect, server: WebServer, sent: bytes, message: str) -> None:
    server.answers["*"] = sent
    with pytest.raises(HttpUnusable, match=message):
        connect(url=server.url).call("api")


def test_a_huge_answer_is_given_up(connect: Connect, server: WebServer) -> None:
    def flood(_request: Received):
        yield b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
        while True:
            yield b"x" * 1_000_000

    server.answers["*"] = flood
    with pytest.raises(HttpUnusable, match="more than 64 MB: ask for less of it"):
        connect(url=server.url).call("api")
    assert server.gone.wait(10)


def test_a_small_answer_that_unpacks_to_a_huge_one_is_given_up(connect: Connect, server: WebServer) -> None:
    server.answers["*"] = answer(gzip.compress(b"\0" * 70_000_000, mtime=0), Content_Encoding="gzip")
    with pytest.raises(HttpUnusable, match="more than 64 MB"):
        connect(url=server.url).call("api")


def test_a_broken_connection_is_told(connect: Connect, server: WebServer) -> None:
    def cut(_request: Received):
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"
        raise OSError

    server.answers["*"] = cut
    with pytest.raises(HttpUnreachable, match="broke the connection off"):
        connect(url=server.url, method="POST").call("api")
    assert len(server.received) == 1, "what may have had an effect is not sent twice"


def test_a_kept_connection_that_ended_meanwhile_is_no_error(connect: Connect, server: WebServer) -> None:
    def once(request: Received):
        yield answer({"n": len(server.received)})
        raise OSError

    server.answers["*"] = once
    api = connect(url=server.url)
    assert [api.call("api")["n"] for _ in range(5)] == [1, 2, 3, 4, 5]


def test_nobody_listening_is_told(connect: Connect, server: WebServer) -> None:
    server.close()
    with pytest.raises(HttpUnreachable, match="nobody listens there: start the server") as caught:
        connect(url=f"{server.url}/x").call("api")
    assert isinstance(caught.value, ConnectionError)


def test_an_unknown_host_is_told(connect: Connect) -> None:
    with pytest.raises(HttpUnreachable, match="there is no host of that name|cannot be reached"):
        connect(url="http://nowhere.invalid/x").call("api")


def test_no_error_repeats_a_secret(connect: Connect, server: WebServer) -> None:
    def echo(request: Received) -> bytes:
        return answer({"you sent": [request.target, dict(request.headers)]}, "400 s3cret-value")

    server.answers["*"] = echo
    api = connect(
        url=f"{server.url}/${{secret:KEY}}",
        query={"k": "${secret:ODD}"},
        headers={"Authorization": "Bearer ${secret:KEY}"},
    )
    with pytest.raises(HttpError) as caught:
        api.call("api")
    shown = str(caught.value) + repr(caught.value) + repr(api.tools["api"].spec) + repr(api.tools["api"])
    assert "Bearer •••" in str(caught.value)
    assert "s3cret-value" not in shown
    assert "a%2Fb%20c%2Bd" not in shown
    assert "a/b c+d" not in json.dumps(shown)
