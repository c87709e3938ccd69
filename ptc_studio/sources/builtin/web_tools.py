"""Reading from the web, from hosts that may be read from."""

import base64
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

from ptc_studio.core import codec
from ptc_studio.core.tools import Ticket
from ptc_studio.sources.builtin.hosts import HostRules
from ptc_studio.sources.http.client import HttpClient
from ptc_studio.sources.http.errors import HttpRefused, HttpUnusable
from ptc_studio.sources.http.messages import HttpRequest, HttpResponse

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
