"""What a script catches when a call of an MCP tool fails.

::

    PtcError
    ├── McpToolError       the tool itself failed; the message is the server's
    ├── McpProtocolError   the server refused the call or answered wrongly; has the protocol's code
    └── McpServerDown      there is no server to ask; a ConnectionError too
"""

from ptc_studio.core.errors import PtcError


class McpToolError(PtcError):
    """The tool failed; the message is what the server said of it."""


class McpProtocolError(PtcError):
    """The server refused the call, or its answer is none that the protocol knows."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class McpServerDown(PtcError, ConnectionError):
    """The server ended, or does not come back."""
