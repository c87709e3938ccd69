"""What went wrong with a connection, as an error that says so in one sentence."""

import socket
import ssl
from typing import TYPE_CHECKING

from ptc_studio.sources.http.errors import HttpUnreachable, HttpUnusable

if TYPE_CHECKING:
    from ptc_studio.core.errors import PtcError
    from ptc_studio.sources.http.messages import HttpRequest

LIMIT = 200
_ENDS = ("disconnected", "peer closed connection")


def fault_of(error: Exception, request: "HttpRequest") -> "PtcError":
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
