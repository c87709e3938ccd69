"""What went wrong with a connection, in words for a sentence that begins with the server's name."""

from pydantic import ValidationError

from ptc_studio.sources.mcp.process import MESSAGE_LIMIT, MessageTooLong

LIMIT = 300
_ENDS = ("Connection closed", "Session terminated", "SSE stream")


def leaf_of(error: BaseException) -> BaseException:
    """The error that says most: the first in the group that is more than the end of the connection."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    leaves = [leaf_of(part) for part in error.exceptions]
    return next((leaf for leaf in leaves if not is_end(leaf)), leaves[0])


def is_end(error: BaseException | None) -> bool:
    """Whether the connection is gone; by the words, for servers use the library's code for anything."""
    from mcp.shared.exceptions import MCPError

    leaf = None if error is None else leaf_of(error)
    return isinstance(leaf, EOFError) or (isinstance(leaf, MCPError) and leaf.message.startswith(_ENDS))


def refuses_handshake(error: BaseException) -> bool:
    """Whether the server speaks only the newer protocol, or may."""
    from mcp.shared.exceptions import MCPError
    from mcp_types import METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION

    leaf = leaf_of(error)
    return isinstance(leaf, MCPError) and leaf.code in (METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION)


def fault_text(error: BaseException) -> str:
    """The error in words: what the server did, and the remedy where there is one."""
    import httpx2
    from mcp.shared.exceptions import MCPError

    error = leaf_of(error)
    if isinstance(error, MCPError):
        return f"answered with an error: {_cut(error.message)} (code {error.code})"
    if isinstance(error, MessageTooLong):
        return f"sent a message of more than {MESSAGE_LIMIT // 1_000_000} MB"
    if isinstance(error, httpx2.ConnectError):
        return "cannot be reached: start it, or check its address"
    if isinstance(error, httpx2.TimeoutException | TimeoutError):
        return "does not answer in time"
    if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        return f"has an address that is none: {_cut(str(error))}"
    if isinstance(error, httpx2.HTTPError):
        return f"broke the connection: {_cut(str(error)) or type(error).__name__}"
    if isinstance(error, ValidationError):
        return f"answered with something that the protocol does not know: {_cut(_first(error))}"
    return _cut(str(error)) or type(error).__name__


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LIMIT else text[: LIMIT - 1] + "…"
