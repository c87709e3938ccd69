"""What every request must pass before anything is done for it: host, origin, token, rate; and how bodies are read."""

import asyncio
import hmac
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass

from ptc_studio.gateway.http.wire import App, Message, Receive, RequestRefused, Scope, Send, respond_error

PUBLIC = frozenset(("/health", "/openapi.json"))
"""Served without a token: they say nothing that is anybody's."""
_STRETCHES, _QUOTE = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[^"]++', re.DOTALL), ord('"')
"""The texts of a JSON document, and what stands between them."""
STRETCHES_AT_ONCE = 2_000
LOOPBACK = frozenset(("127.0.0.1", "localhost", "[::1]"))


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """The bounds of the endpoint; every number has a sensible default."""

    head_bytes: int = 32_768
    body_bytes: int = 10_000_000
    body_seconds: float = 10.0
    """For the whole body of a request."""
    lists: int = 200_000
    """Lists and objects in a body: each is looked at again and again, by Python's own collector, too."""
    values: int = 1_000_000
    requests_per_second: float = 5_000.0
    burst: int = 10_000
    wrong_tokens: int = 1_000
    """In a minute; then no token is looked at for the rest of it."""
    requests_at_once: int = 512
    calls_at_once: int = 256


class Gate:
    """An application in front of the endpoint's: lets through what may come in, and answers the rest."""

    def __init__(self, app: App, token: str, port: int, limits: HttpLimits) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = frozenset(f"{host}:{port}".encode() for host in LOOPBACK)
        self._origins = frozenset(b"http://" + host for host in self._hosts)
        self._limits = limits
        self._rate = RateLimit(limits.requests_per_second, limits.burst)
        self._wrong = RateLimit(limits.wrong_tokens / 60, limits.wrong_tokens)
        self._under_way = 0
        self.closing = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            # A websocket is refused by closing it; there is no lifespan.
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        self._under_way += 1
        try:
            self._check(scope)
            await self._app(scope, receive, send)
        except RequestRefused as error:
            await respond_error(send, error)
        finally:
            self._under_way -= 1

    def _check(self, scope: Scope) -> None:
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        if sum(len(name) + len(value) for name, value in headers) > self._limits.head_bytes:
            raise RequestRefused(
                431, f"The headers are longer than {self._limits.head_bytes:,} bytes.", {"Connection": "close"}
            )
        host = _only(headers, b"host")
        if host is None or host.lower() not in self._hosts:
            raise RequestRefused(403, "The Host header names another host: use the address that this endpoint gave.")
        origins = [value for name, value in headers if name == b"origin"]
        if any(origin.lower() not in self._origins for origin in origins):
            raise RequestRefused(403, "Requests from web pages of other origins are refused.")
        if scope["path"] in PUBLIC:
            return
        self._check_token(headers)
        if self.closing:
            raise RequestRefused(503, "The endpoint is being stopped.", {"Connection": "close"})
        if self._under_way > self._limits.requests_at_once:
            raise RequestRefused(503, "Too many requests are under way: try again in a moment.", {"Retry-After": "1"})
        if not self._rate.admits():
            raise RequestRefused(429, "Too many requests a second: try again in a moment.", {"Retry-After": "1"})

    def _check_token(self, headers: Iterable[tuple[bytes, bytes]]) -> None:
        given = _only(headers, b"authorization") or b""
        scheme, _, token = given.partition(b" ")
        # In constant time, whatever is given: the time must not tell how much of it was right.
        right = hmac.compare_digest(token.strip(), self._token)
        if right and scheme.lower() == b"bearer":
            return
        if not self._wrong.admits():
            raise RequestRefused(429, "Too many requests without a token: try again later.", {"Retry-After": "60"})
        raise RequestRefused(
            401, "A valid token is needed: Authorization: Bearer TOKEN.", {"WWW-Authenticate": "Bearer"}
        )


class RateLimit:
    """A bucket of so many requests, which fills again at a steady rate."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second, self._burst = per_second, float(burst)
        self._left = self._burst
        self._at = time.monotonic()

    def admits(self) -> bool:
        """Whether one more may come in now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class BoundedBody:
    """An application of others' behind our bounds for bodies: by itself it would wait for one without end."""

    def __init__(self, app: App, limits: HttpLimits) -> None:
        self._app, self._limits = app, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await read_body(scope, receive, self._limits)
        except RequestRefused as error:
            await respond_error(send, error)
            return
        whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return whole.pop() if whole else await receive()

        await self._app(scope, replay, send)


async def read_body(scope: Scope, receive: Receive, limits: HttpLimits) -> bytes:
    """The whole body; raises RequestRefused for one that is too long or comes too slowly, or whose sender is gone."""
    length = _only(scope["headers"], b"content-length")
    if length is not None and length.isdigit() and int(length) > limits.body_bytes:
        raise _too_long(limits)
    loop = asyncio.get_running_loop()
    end, body, more = loop.time() + limits.body_seconds, bytearray(), True
    while more:
        try:
            async with asyncio.timeout_at(end):
                message = await receive()
        except TimeoutError:
            raise RequestRefused(
                408, f"The body did not come within {limits.body_seconds:g} s.", {"Connection": "close"}
            ) from None
        if message["type"] == "http.disconnect":
            raise RequestRefused(400, "The request ended before its body.", {"Connection": "close"})
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > limits.body_bytes:
            raise _too_long(limits)
    await _check_parts(body, limits)
    return bytes(body)


async def _check_parts(body: bytearray, limits: HttpLimits) -> None:
    """Refuses a body of too many small things: it would hold everybody up, in whatever thread it is worked on."""
    if len(body) <= limits.lists or not _exceed(*_marks(body), limits):
        return
    # Those within texts do not count. Bit by bit, for there may be many texts.
    lists = commas = 0
    for number, stretch in enumerate(_STRETCHES.finditer(body)):
        if body[stretch.start()] != _QUOTE:
            found = _marks(stretch[0])
            lists, commas = lists + found[0], commas + found[1]
        if number % STRETCHES_AT_ONCE == 0:
            await asyncio.sleep(0)
    if _exceed(lists, commas, limits):
        most = f"{limits.lists:,} lists and objects, or {limits.values:,} values"
        raise RequestRefused(413, f"The body has more than {most}: send it as a text, or in parts.")


def _marks(text: bytes | bytearray) -> tuple[int, int]:
    return text.count(b"[") + text.count(b"{"), text.count(b",")


def _exceed(lists: int, commas: int, limits: HttpLimits) -> bool:
    return lists > limits.lists or commas > limits.values


def _too_long(limits: HttpLimits) -> RequestRefused:
    # The rest of it is not read, hence no further request can come this way.
    return RequestRefused(413, f"The body is longer than {limits.body_bytes:,} bytes.", {"Connection": "close"})


def _only(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> bytes | None:
    """The value of a header that stands there once: of two nobody knows which one counts."""
    values = [value for key, value in headers if key == name]
    return values[0] if len(values) == 1 else None
