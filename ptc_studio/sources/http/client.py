"""Sends requests from worker threads; connections are kept, and everything is bounded and can be broken off."""

import contextlib
import threading
import urllib.request
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

from ptc_studio.core.errors import PtcError
from ptc_studio.core.tools import Ticket
from ptc_studio.sources.http.messages import HttpRequest, HttpResponse, HttpUnreachable, HttpUnusable, connection_error
from ptc_studio.sources.http.templates import encoded_address, is_address, origin_of

if TYPE_CHECKING:
    import httpcore2

    from ptc_studio.sources.http.network import Exchange


_WINDOW = 47
"""Gzip and zlib alike, by their first bytes."""
_PIECE = 2**20


class TooLong(Exception):
    """The body has more bytes than allowed."""


class BadPacking(Exception):
    """The body is not packed as its header says."""


def read_body(chunks: Iterable[bytes], encoding: str, limit: int) -> bytes:
    """All of it, unpacked; raises TooLong or BadPacking."""
    encoding = encoding.strip().lower()
    if encoding in ("gzip", "x-gzip", "deflate"):
        chunks = _unpacked(chunks)
    elif encoding not in ("", "identity"):
        raise BadPacking(f"it is packed as {encoding!r}, which was not asked for")
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > limit:
            raise TooLong
    return bytes(body)


def _unpacked(chunks: Iterable[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(_WINDOW)
    try:
        for chunk in chunks:
            rest = chunk
            while rest:
                yield unpacker.decompress(rest, _PIECE)
                rest = unpacker.unconsumed_tail
        yield unpacker.flush()
    except zlib.error as error:
        raise BadPacking(f"it cannot be unpacked: {error}") from None
    if not unpacker.eof:
        raise BadPacking("it ends before its time")


MAX_REDIRECTS = 5
_KEEPING = (307, 308)
_CHANGING = (301, 302, 303)
# All else may be a key: what a header of the user's own means is not known here.
HARMLESS_HEADERS = frozenset(("accept", "accept-language", "content-type", "user-agent"))


def redirected(request: HttpRequest, response: HttpResponse) -> HttpRequest | None:
    """The next request; None where there is none. Raises HttpUnusable for one that would be careless."""
    location = response.headers.get("location")
    if not location or response.status not in (*_KEEPING, *_CHANGING):
        return None
    try:
        url = encoded_address(urljoin(request.url, location.partition("#")[0]))
    except ValueError:
        url = ""
    if not is_address(url):
        raise HttpUnusable(f"{request.label} leads to an address that is none: check what the server sends.")
    here, there = urlsplit(request.url), urlsplit(url)
    if (here.scheme, there.scheme) == ("https", "http"):
        raise HttpUnusable(
            f"{request.label} leads from https to http, where everybody can read it: it is not followed."
        )
    following = replace(request, url=url)
    if response.status in _CHANGING and request.method not in ("GET", "HEAD"):
        kept = tuple(header for header in request.headers if not header[0].lower().startswith("content-"))
        following = replace(following, method="GET", body=None, headers=kept)
    if origin_of(request.url) != origin_of(url):
        if following.stays or following.body:
            raise HttpUnusable(
                f"{request.label} leads to another server, {there.scheme}://{there.hostname}: nothing was sent there. "
                "If that is meant, name that server yourself."
            )
        harmless = tuple(header for header in following.headers if header[0].lower() in HARMLESS_HEADERS)
        following = replace(following, headers=harmless)
    return following


_HERE = ("localhost", "127.", "::1")


def proxy_for(url: SplitResult) -> str | None:
    """The address of the proxy; raises HttpUnreachable for one of a kind that is not known."""
    host = url.hostname or ""
    if host.startswith(_HERE) or host.endswith(".localhost"):
        return None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy or urllib.request.proxy_bypass(url.netloc.rpartition("@")[2]):
        return None
    scheme = urlsplit(proxy).scheme if "://" in proxy else "http"
    if scheme not in ("http", "https"):
        raise HttpUnreachable(
            f"The environment names a {scheme} proxy, which cannot be used: name one of http in {url.scheme}_proxy, "
            f"or add {host} to no_proxy."
        )
    return proxy if "://" in proxy else f"http://{proxy}"


def proxy_login(proxy: str) -> tuple[str, tuple[str, str] | None]:
    """The proxy's address without its user, and the user and password."""
    parts = urlsplit(proxy)
    plain = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    return plain, (unquote(parts.username), unquote(parts.password or "")) if parts.username else None


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
            raise (_broken_off(request) if exchange.broken_off else connection_error(error, request)) from None
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
