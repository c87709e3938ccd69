"""What a script's side needs of a tool's exception to raise one like it."""

import builtins
import traceback
from typing import Any

from ptc_studio.core.codec import encode
from ptc_studio.core.errors import UnserialisableValue
from ptc_studio.core.executor import message_of

OWN_MODULES = "ptc_studio."


def failure_of(error: BaseException) -> dict[str, Any]:
    """The `error` field of a `failure` frame."""
    return {
        "type": type(error).__name__,
        "mro": [_name(base) for base in type(error).__mro__ if base not in (object, BaseException)],
        "message": message_of(error),
        "args": _plain_args(error),
        "traceback": _traceback(error),
    }


def _name(base: type) -> str:
    if base.__module__ == "builtins" and hasattr(builtins, base.__name__):
        return base.__name__
    return f"{base.__module__}.{base.__qualname__}"


def _plain_args(error: BaseException) -> list[Any] | None:
    args = error.args
    if isinstance(error, OSError) and isinstance(error.filename, str):
        # Python keeps the file's name out of `args`, and the errno is lost without all three.
        args = (error.errno, error.strerror, error.filename)
    if not all(isinstance(arg, str | int | float | bool | None) for arg in args):
        return None
    try:
        encode(args)
    except UnserialisableValue:
        return None
    return list(args)


def _traceback(error: BaseException) -> str:
    """The tool's frames without the product's own that led there; empty for a refusal, which has none."""
    tb = error.__traceback__
    while tb is not None and tb.tb_frame.f_globals.get("__name__", "").startswith(OWN_MODULES):
        tb = tb.tb_next
    if tb is None:
        return ""
    return "".join(traceback.format_exception(type(error), error, tb))
