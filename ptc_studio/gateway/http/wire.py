"""What goes over the wire: requests checked, answers and errors made, as IronClaw's clients know them."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ptc_studio.core import codec
from ptc_studio.core.calls import Outcome
from ptc_studio.core.failures import message_of

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_LEVELS = 1_000
"""A claimed depth above this is nonsense."""
SMALLEST_TIMEOUT = 0.001
REFUSED = frozenset(("not_found", "denied", "invalid", "depth", "timeout", "cancelled"))
"""How calls end whose message needs no type before it."""


class RequestRefused(Exception):
    """A request that is not served: its status, and one sentence for whoever sent it."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.headers = dict(headers or {})


@dataclass(frozen=True, slots=True)
class CallBody:
    """One request for a call, understood."""

    tool: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    timeout: float | None = None
    claimed_depth: int = 0
    call_token: str | None = None
    """Of the call on whose behalf this one is made."""
    format: Literal["text", "json"] = "text"
    """Text, as IronClaw has it, or the value itself with more about the call."""
    part: str = ""
    """The one field of the result that is wanted, if it has that."""


def parse_call(body: bytes) -> CallBody:
    """The request in the body; raises RequestRefused 422 that names the field. A long one is for a thread."""
    try:
        document = codec.decode_in_slices(body) if len(body) > codec.LONG_BYTES else codec.decode(body)
    except (ValueError, RecursionError):
        raise RequestRefused(422, "The body is not JSON: send an object with 'tool_name' and 'parameters'.") from None
    if not isinstance(document, dict):
        raise RequestRefused(422, "The body must be a JSON object with 'tool_name' and 'parameters'.")
    name, parameters = document.get("tool_name"), document.get("parameters")
    if not isinstance(name, str) or not name:
        raise RequestRefused(422, "'tool_name' must be a text that names a tool.")
    if parameters is not None and not isinstance(parameters, dict):
        raise RequestRefused(422, "'parameters' must be an object of arguments.")
    return CallBody(
        name,
        parameters or {},
        _timeout(document.get("timeout_secs")),
        _depth(document.get("nesting_depth")),
        _text(document, "call_token"),
        "json" if _one_of(document, "format", ("text", "json")) == "json" else "text",
    )


def answer(call: CallBody, outcome: Outcome, call_id: str, duration_ms: float) -> bytes:
    """The body of the answer; HTTP 200 also where the tool failed."""
    head = b'{"success":%b,' % (b"false" if outcome.exception is not None else b"true")
    if outcome.exception is not None:
        said = b'"error":%b' % codec.encode(codec.printable(error_text(outcome)))
    elif call.format == "json":
        said = b'"output":%b' % outcome.encoded
    else:
        said = b'"output":%b' % as_text(part_of(outcome.encoded, call.part))
    known = b',"duration_ms":%d,"was_sanitized":%b' % (round(duration_ms), b"true" if outcome.sanitized else b"false")
    return b"%b%b%b%b}" % (head, said, known, _more(outcome, call_id) if call.format == "json" else b"")


def error_text(outcome: Outcome) -> str:
    """Why the call failed, with the type of a tool's own exception."""
    error = outcome.exception
    assert error is not None
    if outcome.status in REFUSED or outcome.sanitized:
        return message_of(error)
    return f"{type(error).__name__}: {message_of(error)}"


def part_of(encoded: bytes, part: str) -> bytes:
    """That field of a result, or all of it where it has none."""
    value = codec.decode(encoded) if part and encoded[:1] == b"{" else {}
    return codec.encode(value[part]) if part in value else encoded


def as_text(encoded: bytes) -> bytes:
    """A JSON text as the JSON of a text: texts stay as they are, all else is their JSON."""
    return encoded if encoded[:1] == b'"' else codec.encode(encoded.decode())


def _more(outcome: Outcome, call_id: str) -> bytes:
    kind = type(outcome.exception).__name__ if outcome.exception is not None else None
    more = {"call_id": call_id, "status": outcome.status, "error_type": kind, "answered_by": outcome.answered_by}
    return b"," + codec.encode(more)[1:-1]


def _timeout(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise RequestRefused(422, "'timeout_secs' must be a number of seconds, 0 or more.")
    return max(float(value), SMALLEST_TIMEOUT)


def _depth(value: Any) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise RequestRefused(422, "'nesting_depth' must be a whole number, 0 or more.")
    return min(value, MOST_LEVELS)


def _text(document: Mapping[str, Any], name: str) -> str | None:
    value = document.get(name)
    if value is not None and not isinstance(value, str):
        raise RequestRefused(422, f"{name!r} must be a text.")
    return value


def _one_of(document: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> str | None:
    value = _text(document, name)
    if value is not None and value not in choices:
        raise RequestRefused(422, f"{name!r} must be one of {', '.join(map(repr, choices))}.")
    return value


async def respond(send: Send, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
    """Sends a JSON answer."""
    listed = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    listed += [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in (headers or {}).items()]
    await send({"type": "http.response.start", "status": status, "headers": listed})
    await send({"type": "http.response.body", "body": body})


async def respond_error(send: Send, error: RequestRefused) -> None:
    """Sends the error as JSON."""
    body = codec.encode({"success": False, "error": codec.printable(str(error))})
    await respond(send, error.status, body, error.headers)
