"""A request and its answer, as bytes and plain texts, and the errors that a script catches when it fails."""

import re
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ptc_studio.core.errors import PtcError


class HttpError(PtcError):
    """The server answered, and the answer is that it did not work."""

    def __init__(
        self,
        message: str,
        status: int = 0,
        reason: str = "",
        retry_after: str | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`body` is what the server says of it: a value where it is JSON, else a text."""
        super().__init__(message)
        self.body = body
        self.headers = dict(headers or {})
        self.status = status
        self.reason = reason
        self.retry_after = retry_after


class HttpUnreachable(PtcError, ConnectionError):
    """No connection, a broken one, or a server that keeps silent."""


class HttpUnusable(PtcError, ValueError):
    """An answer that cannot be used."""


class HttpRefused(PtcError, ValueError):
    """A request that was not sent."""


class UnconfirmedServer(HttpRefused):
    """A request that would carry the user's keys to a server that only a document names."""


_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """What is sent; all that may hold a secret stays out of its repr."""

    method: str
    url: str = field(repr=False)
    label: str
    """What messages call it: the method and the address as the user wrote it, without values."""
    headers: Headers = field(default=(), repr=False)
    body: bytes | None = field(default=None, repr=False)
    stays: bool = False
    """Whether a redirect to another server is refused."""

    def __post_init__(self) -> None:
        for name, value in self.headers:
            if not _TOKEN.fullmatch(name):
                raise HttpRefused(f"{name!r} cannot be the name of a header of {self.label}.")
            if "\r" in value or "\n" in value or "\0" in value:
                raise HttpRefused(f"The header {name!r} of {self.label} may not hold a line break.")

    def has(self, header: str) -> bool:
        """Whether there is such a header already."""
        return any(name.lower() == header.lower() for name, _ in self.headers)


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """What came back; the names of the headers in small letters."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    @property
    def media_type(self) -> str:
        """The content type without its parameters; empty if there is none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """The charset that the content type names."""
        for part in self.headers.get("content-type", "").split(";")[1:]:
            name, _, value = part.partition("=")
            if name.strip().lower() == "charset":
                return value.strip(" \"'")
        return "utf-8"


LIMIT = 200
_ENDS = ("disconnected", "peer closed connection")


def connection_error(error: Exception, request: "HttpRequest") -> "PtcError":
    """The error for the script."""
    import httpcore2

    label = request.label
    if isinstance(error, httpcore2.ConnectTimeout):
        return HttpUnreachable(f"{label}: the server cannot be reached in time: check the address and the network.")
    if isinstance(error, httpcore2.TimeoutException | TimeoutError):
        return HttpUnreachable(f"{label}: the server does not answer in time.")
    if isinstance(error, httpcore2.ProxyError):
        return HttpUnreachable(f"{label}: the proxy of the environment refuses it: {_cut(str(error))}.")
    if isinstance(error, httpcore2.ConnectError):
        return HttpUnreachable(f"{label}: {_unconnected(error)}")
    if isinstance(error, httpcore2.LocalProtocolError):
        return HttpUnusable(f"{label} cannot be sent: {_cut(str(error))}.")
    if isinstance(error, httpcore2.RemoteProtocolError) and not any(words in str(error) for words in _ENDS):
        return HttpUnusable(f"{label}: the answer is no HTTP: {_cut(str(error))}.")
    return HttpUnreachable(f"{label}: the server broke the connection off.")


def _unconnected(error: BaseException) -> str:
    """The cause lies some way down."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return (
                f"the server's certificate is not trusted: {cause.verify_message}. "
                "Add who signed it to the system's certificates, or name it in SSL_CERT_FILE."
            )
        if isinstance(cause, ssl.SSLError):
            return f"no secure connection came about: {_cut(cause.reason or str(cause))}. Check http against https."
        if isinstance(cause, socket.gaierror):
            return "there is no host of that name: check the address and the network."
        if isinstance(cause, ConnectionRefusedError):
            return "nobody listens there: start the server, or check the address."
        cause = cause.__cause__ or cause.__context__
    return f"the server cannot be reached: {_cut(str(error))}."


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "…"
