"""Makes the exceptions that a person, a mock or a cassette names."""

import builtins

from ptc_studio.core import errors
from ptc_studio.core.errors import CallStatus, Refusal
from ptc_studio.core.failures import rebuilt
from ptc_studio.core.responders.cassette import RecordedCall

RUNTIME_ERROR = "RuntimeError"
_UNFIT = (StopIteration, StopAsyncIteration)
"""Those that mean something to whoever passes them on."""


def error_named(name: str, message: str) -> Exception:
    """The built-in exception of that name; a RuntimeError that tells the name where there is no such thing."""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, _UNFIT):
        try:
            return kind(message)
        except TypeError:
            # Some are made of more than a text.
            pass
    return RuntimeError(f"{name}: {message}" if message else name)


def error_names() -> list[str]:
    """The names to choose from: those that tools raise, the usual ones first."""
    usual = ["RuntimeError", "ValueError", "TypeError", "KeyError", "LookupError", "TimeoutError", "ConnectionError"]
    usual += ["PermissionError", "FileNotFoundError", "OSError", "NotImplementedError"]
    kinds = [kind for kind in vars(builtins).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    others = {kind.__name__ for kind in kinds if not issubclass(kind, Warning) and type(_made(kind)) is kind}
    return [*usual, *sorted(others - {*usual})]


def _made(kind: type[Exception]) -> Exception:
    return error_named(kind.__name__, "")


_REFUSALS: dict[CallStatus, type[Refusal]] = {
    refusal.status: refusal
    for refusal in (
        errors.ToolNotFound,
        errors.CallDenied,
        errors.UnfitArguments,
        errors.DepthExceeded,
        errors.CallTimedOut,
        errors.CallCancelled,
    )
}


def raised(recorded: RecordedCall) -> BaseException:
    """The exception to raise instead of a value."""
    assert recorded.error is not None
    assert recorded.status is not None
    error = recorded.error
    kind = _REFUSALS.get(recorded.status)
    if kind is None:
        return rebuilt(
            {
                "mro": [error.type, *([error.base] if error.base else [])],
                "message": error.message,
                "args": None,
                "state": None,
                "notes": (),
                "traceback": "",
            }
        )
    if kind is errors.UnfitArguments and error.type == "ValueError":
        kind = errors.UnfitValues
    refusal = kind.__new__(kind)
    refusal.args = (error.message,)
    return refusal
