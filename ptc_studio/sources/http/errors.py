"""What a script catches when a request fails.

::

    PtcError
    ├── HttpError         the server answered with a status that means failure; has status, reason and retry_after
    ├── HttpUnreachable   there was no answer; a ConnectionError too
    ├── HttpUnusable      there was one, but it is too long, or not what it says it is; a ValueError too
    └── HttpRefused       the arguments would make a request that nobody meant; a ValueError too
"""

from ptc_studio.core.errors import PtcError


class HttpError(PtcError):
    """The server answered, and the answer is that it did not work."""

    def __init__(self, message: str, status: int = 0, reason: str = "", retry_after: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.retry_after = retry_after


class HttpUnreachable(PtcError, ConnectionError):
    """No connection, a broken one, or a server that keeps silent."""


class HttpUnusable(PtcError, ValueError):
    """An answer that cannot be used."""


class HttpRefused(PtcError, ValueError):
    """A request that was not sent."""
