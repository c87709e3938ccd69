"""Sends requests from worker threads; connections are kept, and everything is bounded and can be broken off."""

import contextlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ptc_studio.core.errors import PtcError
from ptc_studio.core.tools import Ticket
from ptc_studio.sources.http.bodies import BadPacking, TooLong, read_body
from ptc_studio.sources.http.errors import HttpUnreachable, HttpUnusable
from ptc_studio.sources.http.faults import fault_of
from ptc_studio.sources.http.messages import HttpRequest, HttpResponse
from ptc_studio.sources.http.proxies import proxy_for, proxy_login
from ptc_studio.sources.http.redirects import MAX_REDIRECTS, redirected

if TYPE_CHECKING:
    import httpcore2

    from ptc_studio.sources.http.network import Exchange

RESPONSE_LIMIT = 64_000_000
CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 300.0
KEEP_SECONDS = 15.0
KEPT_CONNECTIONS = 20
_REPEATABLE = frozenset(("GET", "HEAD", "OPTIONS"))
_OURS = frozenset(("connection", "content-length", "transfer-encoding"))
_TIMES = {"connect": CONNECT_SECONDS, "read": SILENCE_SECONDS, "write": SILENCE_SECONDS, "pool": CONNECT_SECONDS}


class HttpClient:
    """The connections of one source; every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pools: dict[str | None, httpcore2.ConnectionPool] = {}
        self._exchanges: set[Exchange] = set()
        self._closed = False

    def send(
        self,
        request: HttpRequest,
        ticket: Ticket | None = None,
        *,
        limit: int = RESPONSE_LIMIT,
        seconds: float | None = None,
    ) -> HttpResponse:
        """The answer, whatever its status; raises HttpUnreachable or HttpUnusable.

        Ends when the ticket's call is given up or the seconds are over, even if the server sends a byte now and then.
        """
        with self._exchange(request, ticket, seconds) as exchange:
            for _ in range(MAX_REDIRECTS + 1):
                response = self._answer(request, exchange, limit)
                following = redirected(request, response)
                if following is None:
                    return response
                request = following
            raise HttpUnusable(f"{request.label} leads from one address to another without end.")

    def close(self) -> None:
        """Breaks off what is under way."""
        with self._lock:
            self._closed = True
            pools, self._pools = self._pools, {}
            exchanges = tuple(self._exchanges)
        for exchange in exchanges:
            exchange.break_off()
        for pool in pools.values():
            with contextlib.suppress(Exception):
                pool.close()

    @contextlib.contextmanager
    def _exchange(self, request: HttpRequest, ticket: Ticket | None, seconds: float | None) -> "Iterator[Exchange]":
        from ptc_studio.sources.http.network import Exchange

        exchange = Exchange()
        with self._lock:
            if self._closed:
                raise HttpUnreachable(f"{request.label} is not sent: its source is closed.")
            self._exchanges.add(exchange)
        timer = threading.Timer(seconds, exchange.break_off) if seconds is not None else None
        if timer is not None:
            timer.daemon = True
            timer.start()
        if ticket is not None:
            ticket.on_abandon(exchange.break_off)
        try:
            with exchange:
                yield exchange
        finally:
            if timer is not None:
                timer.cancel()
            with self._lock:
                self._exchanges.discard(exchange)

    def _answer(self, request: HttpRequest, exchange: "Exchange", limit: int) -> HttpResponse:
        import httpcore2

        failures = (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.ProxyError)
        try:
            try:
                response = self._once(request, limit)
            except (httpcore2.RemoteProtocolError, httpcore2.NetworkError) as error:
                # A kept connection may end just when it is used again: what can be repeated is.
                unsure = isinstance(error, httpcore2.ConnectError) or request.method not in _REPEATABLE
                if unsure or exchange.broken_off:
                    raise
                response = self._once(request, limit)
        except PtcError:
            raise
        except (*failures, OSError) as error:
            raise (_broken_off(request) if exchange.broken_off else fault_of(error, request)) from None
        except TooLong:
            raise HttpUnusable(
                f"The answer to {request.label} has more than {limit // 1_000_000} MB: ask for less of it."
            ) from None
        except BadPacking as error:
            raise HttpUnusable(f"The answer to {request.label} cannot be read: {error}.") from None
        if exchange.broken_off:
            # An answer without a length ends with its connection, so that half of one looks like a whole.
            raise _broken_off(request)
        return response

    def _once(self, request: HttpRequest, limit: int) -> HttpResponse:
        sent = _sent(request)
        response = self._pool(request).handle_request(sent)
        try:
            headers = _headers(response.headers)
            # Without a body, but perhaps with the headers of one.
            empty = request.method == "HEAD" or response.status in (204, 304)
            chunks = () if empty else response.iter_stream()
            body = read_body(chunks, "" if empty else headers.get("content-encoding", ""), limit)
        finally:
            response.close()
        reason = response.extensions.get("reason_phrase", b"").decode("latin-1") or _reason(response.status)
        return HttpResponse(response.status, reason, headers, body)

    def _pool(self, request: HttpRequest) -> "httpcore2.ConnectionPool":
        address = urlsplit(request.url)
        proxy = proxy_for(address)
        key = f"{address.scheme} {proxy or ''}"
        with self._lock:
            if self._closed:
                raise HttpUnreachable(f"{request.label} is not sent: its source is closed.")
            if key not in self._pools:
                self._pools[key] = _new_pool(proxy, secure=address.scheme == "https")
            return self._pools[key]


def _broken_off(request: HttpRequest) -> HttpUnreachable:
    return HttpUnreachable(f"{request.label} was broken off: there was no whole answer in time.")


def _new_pool(proxy: str | None, *, secure: bool) -> "httpcore2.ConnectionPool":
    import httpcore2

    from ptc_studio.sources.http.network import BreakableBackend

    options: dict[str, Any] = {
        "max_connections": None,
        "max_keepalive_connections": KEPT_CONNECTIONS,
        "keepalive_expiry": KEEP_SECONDS,
        "network_backend": BreakableBackend(),
        # Made once: the library would read all the certificates again for each connection.
        "ssl_context": httpcore2.default_ssl_context() if secure else None,
    }
    if proxy is None:
        return httpcore2.ConnectionPool(**options)
    address, login = proxy_login(proxy)
    return httpcore2.HTTPProxy(address, proxy_auth=login, **options)


def _sent(request: HttpRequest) -> "httpcore2.Request":
    import httpcore2

    parts = urlsplit(request.url)
    host = _host(parts.hostname or "", request)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    shown = b"[" + host + b"]" if b":" in host else host
    headers: list[tuple[bytes, bytes]] = []
    if not request.has("host"):
        headers.append((b"Host", shown if parts.port is None else shown + f":{parts.port}".encode()))
    headers += [(name.encode(), value.encode()) for name, value in request.headers if name.lower() not in _OURS]
    if not request.has("accept-encoding"):
        headers.append((b"Accept-Encoding", b"gzip"))
    if request.body is not None or request.method in ("POST", "PUT", "PATCH"):
        headers.append((b"Content-Length", str(len(request.body or b"")).encode()))
    return httpcore2.Request(
        request.method,
        httpcore2.URL(scheme=parts.scheme.encode(), host=host, port=parts.port, target=target.encode("ascii")),
        headers=headers,
        content=request.body,
        extensions={"timeout": _TIMES},
    )


def _host(name: str, request: HttpRequest) -> bytes:
    try:
        return name.encode("ascii" if name.isascii() else "idna")
    except UnicodeError:
        raise HttpUnusable(f"{request.label}: its host's name cannot be written for the network.") from None


def _headers(raw: list[tuple[bytes, bytes]]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _reason(status: int) -> str:
    from http import HTTPStatus

    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
