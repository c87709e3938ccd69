"""Raises what a recorded call failed with: the same status, type and text."""

from ptc_studio.core import errors
from ptc_studio.core.answering.cassette_calls import RecordedCall
from ptc_studio.core.errors import CallStatus, Refusal
from ptc_studio.core.failures import rebuilt

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
