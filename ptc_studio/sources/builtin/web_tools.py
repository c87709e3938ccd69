"""Reading from the web, from hosts that may be read from."""

import base64
import ipaddress
import socket
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

from ptc_studio.core import codec
from ptc_studio.core.tools import Ticket
from ptc_studio.sources.builtin.entry import ANY_PUBLIC_HOST
from ptc_studio.sources.http.client import HttpClient
from ptc_studio.sources.http.messages import HttpRefused, HttpRequest, HttpResponse, HttpUnusable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], list[str]]
"""From a host and a port to its addresses; raises OSError."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def system_addresses(host: str, port: int) -> list[str]:
    """What the system's resolver says."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(item[4][0]) for item in found))


class HostRules:
    """Without any patterns every public host; else those that fit, wherever they are."""

    def __init__(self, patterns: Sequence[str], resolve: Resolve = system_addresses) -> None:
        self._patterns = [pattern.lower() for pattern in patterns if pattern != ANY_PUBLIC_HOST]
        self._public = not patterns or ANY_PUBLIC_HOST in patterns
        self._resolve = resolve

    def addresses(self, host: str, port: int) -> list[str]:
        """Where to connect to. The name is looked up once: a second answer could be another. Raises HttpRefused."""
        host = host.strip("[]").rstrip(".").lower()
        if any(_fits(pattern, host, port) for pattern in self._patterns):
            return self._resolve(host, port)
        if not self._public:
            raise HttpRefused(f"The host {host!r} is not in `http_hosts` of the built-in tools: add it there.")
        found = self._resolve(host, port)
        for address in found:
            if not is_public(address):
                raise HttpRefused(
                    f"The host {host!r} is {address}, on this machine or in its network, where http_get does not go: "
                    f"add '{host}:{port}' to `http_hosts` of the built-in tools if it is meant."
                )
        return found


def is_public(address: str) -> bool:
    """Whether the address is one of the internet at large, also where it wraps another."""
    try:
        found: Address = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = _wrapped(found)
    return found.is_global and not found.is_multicast and (inner is None or is_public(str(inner)))


def _wrapped(address: Address) -> Address | None:
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


def _fits(pattern: str, host: str, port: int) -> bool:
    name, colon, wanted = pattern.rpartition(":")
    if not colon or not wanted.isdigit() or (":" in name and not name.endswith("]")):
        return fnmatchcase(host, pattern.strip("[]"))
    return port == int(wanted) and fnmatchcase(host, name.strip("[]"))


_OURS = frozenset(("host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "proxy-authorization"))
_SAFE = "%/:=&?~#+!$,;'@()*[]-._"


class WebTools:
    """The tool that asks web servers."""

    def __init__(self, hosts: Sequence[str], max_bytes: int, seconds: float, rules: HostRules | None = None) -> None:
        self._client = GuardedClient(rules or HostRules(hosts))
        self._max_bytes = max_bytes
        self._seconds = seconds

    def http_get(self, arguments: dict[str, Any], ticket: Ticket) -> Any:
        """The answer of a server, whatever its status."""
        request = _request(arguments)
        seconds = min(self._seconds, arguments.get("timeout", self._seconds))
        response = self._client.send(request, ticket, limit=self._max_bytes, seconds=seconds)
        form, body = _body(response, arguments.get("format", "auto"), request)
        return {
            "status": response.status,
            "ok": response.status < 400,
            "content_type": response.media_type,
            "headers": dict(response.headers),
            "format": form,
            "body": body,
        }

    def close(self) -> None:
        """Breaks off what is under way."""
        self._client.close()


class GuardedClient(HttpClient):
    """Connects to nothing but what the rules allow; redirects are no way round them. Knows no proxies, which would
    look names up themselves."""

    def __init__(self, rules: HostRules) -> None:
        super().__init__()
        self._rules = rules

    def _pool(self, request: HttpRequest) -> Any:
        import httpcore2

        from ptc_studio.sources.builtin.guarded_network import GuardedBackend

        with self._lock:
            if self._closed:
                raise HttpRefused(f"{request.label} is not sent: its source is closed.")
            if None not in self._pools:
                self._pools[None] = httpcore2.ConnectionPool(network_backend=GuardedBackend(self._rules))
            return self._pools[None]


def _request(arguments: dict[str, Any]) -> HttpRequest:
    url = arguments["url"]
    try:
        parts = urlsplit(url.strip())
        _ = parts.port
    except ValueError as error:
        raise HttpRefused(f"{url!r} is no web address: {error}.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise HttpRefused(f"{url!r} is no web address: write http://... or https://...")
    if "@" in parts.netloc:
        raise HttpRefused("The address must not hold a user or password: send them in a header.")
    query = "&".join(part for part in (parts.query, urlencode(arguments.get("query", {}), doseq=True)) if part)
    whole = urlunsplit((parts.scheme, parts.netloc, quote(parts.path, _SAFE), quote(query, _SAFE), ""))
    label = f"GET {urlunsplit((parts.scheme, parts.netloc, parts.path, '', ''))}"
    headers = tuple((str(name), str(value)) for name, value in arguments.get("headers", {}).items())
    for name, _value in headers:
        if name.lower() in _OURS or not name.isascii() or not name.replace("-", "").replace("_", "").isalnum():
            raise HttpRefused(f"The header {name!r} cannot be set.")
    return HttpRequest("GET", whole, label, headers)


def _body(response: HttpResponse, wanted: str, request: HttpRequest) -> tuple[str, Any]:
    if wanted == "base64":
        return "base64", base64.b64encode(response.body).decode("ascii")
    kind = response.media_type
    json_like = kind.endswith(("/json", "+json"))
    if wanted == "json" or (wanted == "auto" and json_like):
        try:
            return "json", codec.decode(response.body)
        except ValueError as error:
            if wanted == "json":
                raise HttpUnusable(f"The answer to {request.label} is no JSON: {str(error)[:200]}.") from None
    try:
        return "text", response.body.decode(response.charset)
    except (UnicodeDecodeError, LookupError):
        if wanted == "text":
            return "text", response.body.decode("utf-8", "replace")
        return "base64", base64.b64encode(response.body).decode("ascii")
