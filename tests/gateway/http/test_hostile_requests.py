"""A hundred requests that mean no good: the right status each, nothing executed, and the server well."""

import contextlib
import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.http.served import Served, serving

Raw = Callable[[Served, Path], bytes]


def post(
    served: Served,
    trace: Path,
    *,
    path: str | None = None,
    body: bytes | None = None,
    method: str = "POST",
    length: bool = True,
    **headers: str | None,
) -> bytes:
    """A call that would leave a trace, but for what is wrong with it; a header that is None is left out."""
    sent = json.dumps({"tool_name": "touch", "parameters": {"path": str(trace)}}).encode() if body is None else body
    given = {
        "Host": f"127.0.0.1:{served.port}",
        "Authorization": f"Bearer {served.token}",
        "Connection": "close",
        **({"Content-Length": str(len(sent))} if length else {}),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items() if value is not None)
    target = f"{served.job}/tools/call" if path is None else path.replace("JOB", served.job_id)
    return f"{method} {target} HTTP/1.1\r\n{lines}\r\n".encode("latin-1") + sent


def tokens(served: Served) -> list[str | None]:
    token = served.token
    return [
        None, "", "Bearer", "Bearer ", "Bearer x", f"Bearer {token[:-1]}", f"Bearer {token}x", f"Bearer {token[1:]}",
        f"Bearer {token.swapcase()}", f"Basic {token}", token, f"Token {token}", f"Bearer{token}", f"Bearer\t{token}x",
        f"Bearer {token} {token}", f"Bearer {token},Bearer {token}", "Bearer null", "Bearer é", f"Bearer {'a' * 5000}",
        f"Bearer {served.job_id}", 'Digest username="x"', f"Bearer \"{token}\"", "Bearer ../../etc/passwd",
    ]  # fmt: skip


HOSTS = (
    None, "", "evil.example", "evil.example:80", "127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.1.evil.example:PORT",
    "evil.example:PORT", "localhost.evil:PORT", "0.0.0.0:PORT", "127.0.0.2:PORT", "127.1:PORT", "[::]:PORT",
    "2130706433:PORT", "127.0.0.1:PORT@evil.example", "localhost:PORT.evil",
)  # fmt: skip
ORIGINS = (
    "null", "http://evil.example", "https://evil.example:PORT", "https://127.0.0.1:PORT", "http://127.0.0.1:1",
    "http://localhost.evil:PORT", "file://", "http://127.0.0.1:PORT.evil.example", "chrome-extension://abc",
)  # fmt: skip
BODIES = (
    b"", b"{", b"null", b"[]", b'"touch"', b"3", b"{}", b'{"tool_name": 3}', b'{"tool_name": ""}', b'{"tool_name": null}',
    b'{"tool_name": "touch", "parameters": []}', b'{"tool_name": "touch", "parameters": "x"}',
    b'{"tool_name": "touch", "timeout_secs": -1}', b'{"tool_name": "touch", "timeout_secs": "1"}',
    b'{"tool_name": "touch", "timeout_secs": true}', b'{"tool_name": "touch", "timeout_secs": Infinity}',
    b'{"tool_name": "touch", "nesting_depth": -1}', b'{"tool_name": "touch", "nesting_depth": 1.5}',
    b'{"tool_name": "touch", "call_token": 7}', b'{"tool_name": "touch", "format": "xml"}', b"\xff\xfe\x00",
    b"[" * 100_000, b'{"a":' * 100_000, b"tool_name=touch", b"\x00" * 1000,
)  # fmt: skip
PATHS = (
    "/", "/worker", "/worker/", "/worker//tools/call", "/worker/JOB", "/worker/JOB/", "/worker/JOB/tools/call/",
    "/worker/JOB/tools/call/..", "/worker/JOB/../JOB/tools/call", "/worker/other/tools/call", "//worker/JOB/tools/call",
    "/worker/%4a/tools/call", "/WORKER/JOB/tools/call", "/worker/JOB/tools%2fcall%00", "/worker/JOB%2e/tools/call",
    "/worker/../../etc/passwd", "/etc/passwd",
)  # fmt: skip
VERBS = ("GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "CONNECT", "BREW")


def requests(served: Served, trace: Path) -> Iterator[tuple[str, bytes, int]]:
    """What is sent, and the status that is due."""
    port = str(served.port)
    for token in tokens(served):
        yield f"token {token}", post(served, trace, Authorization=token), 401
    for host in HOSTS:
        # Without any host it is no HTTP/1.1.
        due = 400 if host is None else 403
        yield f"host {host}", post(served, trace, Host=host and host.replace("PORT", port)), due
    for origin in ORIGINS:
        yield f"origin {origin}", post(served, trace, Origin=origin.replace("PORT", port)), 403
    for body in BODIES:
        yield f"body {body[:30]!r}", post(served, trace, body=body), 422
    for path in PATHS:
        yield f"path {path}", post(served, trace, path=path), 404
    for verb in VERBS:
        yield f"verb {verb}", post(served, trace, method=verb), 405
    yield "announced too long", post(served, trace, length=False, Content_Length="99999999"), 413
    yield "too long", post(served, trace, body=b" " * 10_000_001), 413
    lists = b'{"tool_name":"touch","parameters":{"path":[' + b"[]," * 2_500_000 + b"[]]}}"
    yield "millions of lists", post(served, trace, body=lists), 413
    yield "millions of lists for MCP", post(served, trace, path="/mcp", body=lists), 413
    yield "millions of numbers", post(served, trace, body=lists.replace(b"[]", b"1")), 413
    yield "too long for MCP", post(served, trace, path="/mcp", length=False, Content_Length="99999999"), 413
    twice = f"Authorization: Bearer {served.token}\r\nConnection".encode()
    yield "two tokens", post(served, trace).replace(b"Connection", twice, 1), 401
    yield "no HTTP", b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400
    yield "two lengths", post(served, trace, content_length="3"), 400
    yield "long head", post(served, trace, X="a" * 70_000), 431
    yield "smuggled", post(served, trace, Transfer_Encoding="chunked, identity"), 400


def status_of(served: Served, sent: bytes) -> int:
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as connection:
        try:
            connection.sendall(sent)
        except (BrokenPipeError, ConnectionResetError):
            """It has said enough already."""
        answer = b""
        while b"\r\n\r\n" not in answer and (some := connection.recv(65536)):
            answer += some
    match = re.match(rb"HTTP/1\.1 (\d{3}) ", answer)
    assert match, answer[:200]
    return int(match[1])


def test_each_gets_the_right_status_and_nothing_is_executed(served: Served, tmp_path: Path):
    trace = tmp_path / "trace"
    sent = list(requests(served, trace))
    assert len(sent) >= 100
    wrong = [(name, got, due) for name, raw, due in sent if (got := status_of(served, raw)) != due]
    assert wrong == []
    assert not trace.exists()
    assert served.request("GET", "/health") == (200, {"status": "ok"})
    assert served.call("touch", {"path": str(trace)})["success"]
    assert trace.read_text() == "x"


def test_errors_are_json_and_say_nothing_of_the_token(served: Served, tmp_path: Path):
    for headers, due in (({}, 401), ({**served.headers, "Host": "evil"}, 403)):
        status, document = served.request("GET", f"{served.job}/tools", headers=headers)
        assert (status, document["success"], set(document)) == (due, False, {"success", "error"})
        assert served.token not in str(document)


def test_a_body_in_pieces_without_end_is_cut_off(served: Served, tmp_path: Path):
    head = post(served, tmp_path / "x", body=b"", length=False, Transfer_Encoding="chunked")
    piece = b"%x\r\n" % 500_000 + b" " * 500_000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=30) as connection:
        connection.sendall(head)
        sent, ended = 0, False
        while not ended and sent < 400_000_000:
            try:
                connection.sendall(piece)
                sent += len(piece)
            except (BrokenPipeError, ConnectionResetError):
                ended = True
        assert ended
    assert sent < 100_000_000


def test_slow_and_half_open_clients_hold_up_nobody_and_are_let_go(tmp_path: Path):
    with serving(tmp_path) as served:
        silent = [socket.create_connection(("127.0.0.1", served.port), timeout=30) for _ in range(200)]
        for connection in silent[:100]:
            connection.sendall(b"POST /worker/")
        begun = post(served, tmp_path / "x", length=False, Content_Length="100", body=b"{")
        slow = socket.create_connection(("127.0.0.1", served.port), timeout=30)
        slow.sendall(begun)
        slow_mcp = socket.create_connection(("127.0.0.1", served.port), timeout=30)
        slow_mcp.sendall(begun.replace(f"{served.job}/tools/call".encode(), b"/mcp", 1))
        began = time.monotonic()
        assert served.call("echo", {"message": "hello"})["output"] == "hello"
        assert time.monotonic() - began < 2
        # Each is closed by the server within its bound.
        assert slow.recv(100).startswith(b"HTTP/1.1 408 ")
        assert slow_mcp.recv(100).startswith(b"HTTP/1.1 408 ")
        slow_mcp.close()
        for connection in silent:
            with contextlib.suppress(ConnectionResetError):
                assert connection.recv(100) == b""
            connection.close()
        slow.close()
        assert time.monotonic() - began < 20


def test_too_many_wrong_tokens_are_not_looked_at_any_longer():
    from ptc_studio.gateway.http.gate import RateLimit

    limit = RateLimit(0.001, 3)
    assert [limit.admits() for _ in range(5)] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("limits", "due"), [({"burst": 0}, 429), ({"requests_at_once": 0}, 503), ({"wrong_tokens": 0, "token": "no"}, 429)]
)
async def test_what_is_too_much_is_refused_with_a_time_to_come_back(limits: Any, due: int):
    from ptc_studio.gateway.http.gate import Gate, HttpLimits

    sent: list[Any] = []
    token = limits.pop("token", "yes")

    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        raise AssertionError("it came through")

    async def receive() -> Any:
        raise AssertionError("nothing is read")

    async def send(message: Any) -> None:
        sent.append(message)

    gate = Gate(app, "yes", 80, HttpLimits(**limits))
    headers = [(b"host", b"localhost:80"), (b"authorization", b"Bearer " + token.encode())]
    await gate({"type": "http", "path": "/worker/x/tools", "headers": headers}, receive, send)
    assert sent[0]["status"] == due
    assert b"retry-after" in dict(sent[0]["headers"])
