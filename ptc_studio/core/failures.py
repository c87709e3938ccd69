"""Carries exceptions from one process to another, so that `except KeyError` still catches a KeyError."""

import builtins
import functools
import re
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ptc_studio.core import codec, errors
from ptc_studio.core.errors import UnserialisableValue

_OWN = "ptc_studio."
_PACKAGE = re.compile(r"\b_ptc_functions_\d+\.")
_PRODUCT_ERRORS = f"{errors.__name__}."


class RemoteTraceback(Exception):
    """The cause of a rebuilt exception; its text is the traceback in the other process."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}" if self.args else ""


# As the kit has it: a traceback names the class, and whoever reads it wants to know whose lines follow.
RemoteTraceback.__module__, RemoteTraceback.__qualname__ = "builtins", "In the tool"


def failure_of(error: BaseException, depth: int = 0) -> dict[str, Any]:
    """The exception as JSON: the `error` field of a `failure` frame."""
    failure: dict[str, Any] = {
        "type": type(error).__name__,
        "mro": [_name(base) for base in type(error).__mro__ if base not in (object, BaseException)],
        "message": message_of(error),
        "args": _plain(_arguments(error)),
        "state": attributes_of(error),
        "notes": [str(note) for note in getattr(error, "__notes__", ())],
        "traceback": _traceback(error),
    }
    if isinstance(error, BaseExceptionGroup):
        parts = cast("BaseExceptionGroup[BaseException]", error)
        failure["args"] = [parts.message]
        failure["exceptions"] = [failure_of(part, depth + 1) for part in parts.exceptions] if depth < DEEPEST else []
    return failure


DEEPEST = 5
"""Groups of exceptions within groups, of which the rest is left out."""


def attributes_of(error: BaseException) -> dict[str, Any]:
    """What the exception carries beyond its arguments, as far as it is plain data."""
    found = {name: _plain(value) for name, value in vars(error).items() if not name.startswith("_")}
    return {name: value for name, value in found.items() if value is not None}


def rebuilt(failure: Mapping[str, Any]) -> BaseException:
    """An exception of the same built-in type, or of one with the same name under the nearest built-in type."""
    name: str = failure["mro"][0] if failure["mro"] else "BaseException"
    if name.startswith(_PRODUCT_ERRORS):
        error = _product_error(name.removeprefix(_PRODUCT_ERRORS), failure["message"])
    else:
        error = _built(name, _nearest_builtin(failure["mro"]), failure)
    for note in failure["notes"]:
        error.add_note(note)
    if failure["traceback"]:
        error.__cause__ = RemoteTraceback(failure["traceback"])
    return error


def message_of(error: BaseException) -> str:
    """The exception's text."""
    try:
        return codec.printable(str(error))
    except Exception:  # noqa: BLE001 - a user's __str__ may be broken
        return f"<{type(error).__name__} whose text cannot be shown>"


def builtin_base(error: BaseException) -> str:
    """The name of the nearest built-in type, under which a script may catch it."""
    return next(base.__name__ for base in type(error).__mro__ if base.__module__ == "builtins")


def _name(base: type) -> str:
    if base.__module__ == "builtins" and hasattr(builtins, base.__name__):
        return base.__name__
    return f"{base.__module__}.{base.__qualname__}"


def _arguments(error: BaseException) -> Any:
    # The arguments of an OSError lack its file names; what it is copied by has them.
    return error.__reduce__()[1] if type(error).__module__ == "builtins" else error.args


def _plain(value: Any) -> Any:
    try:
        return codec.plain_copy(value)
    except (UnserialisableValue, ValueError):
        return None


def _traceback(error: BaseException) -> str:
    """The tool's frames without the product's own that led there; empty for a refusal, which has none."""
    tb = error.__traceback__
    while tb is not None and tb.tb_frame.f_globals.get("__name__", "").startswith(_OWN):
        tb = tb.tb_next
    if tb is None:
        return ""
    # Functions are loaded under a package of ours, which says nothing to their author.
    return _PACKAGE.sub("", "".join(traceback.format_exception(type(error), error, tb)))


def _product_error(name: str, message: str) -> BaseException:
    error_type = cast("type[BaseException]", getattr(errors, name))
    error = error_type.__new__(error_type)
    error.args = (message,)
    return error


def _built(name: str, base: type[BaseException], failure: Mapping[str, Any]) -> BaseException:
    if failure.get("exceptions") and BaseExceptionGroup in base.__mro__:
        return _group(name, base, failure)
    own = base if name == base.__name__ else _derived(name, base)
    given: Sequence[Any] = failure["args"] if failure["args"] is not None else [failure["message"]]
    try:
        error = own(*given)
    except Exception:  # noqa: BLE001 - an exception type may refuse any arguments
        error = None
    if error is None or message_of(error) != failure["message"]:
        error = _worded(name, base)(*given)
        error.message = failure["message"]
    vars(error).update(failure["state"] or {})
    return error


def _group(name: str, base: Any, failure: Mapping[str, Any]) -> BaseException:
    parts = [rebuilt(part) for part in failure["exceptions"]]
    own = base if name == base.__name__ else _derived(name, base)
    error = own(failure["args"][0], parts)
    vars(error).update(failure["state"] or {})
    return error


def _nearest_builtin(mro: Sequence[str]) -> type[BaseException]:
    for name in mro:
        found = getattr(builtins, name, None)
        if isinstance(found, type) and issubclass(found, BaseException):
            return found
    return BaseException if not mro else Exception


@functools.cache
def _derived(name: str, base: type[BaseException]) -> type[BaseException]:
    return type(name.rpartition(".")[2], (base,), _names(name))


@functools.cache
def _worded(name: str, base: type[BaseException]) -> Any:
    """For types that cannot be made from their arguments again: the text is carried as such."""

    def initialise(self: Any, *given: Any) -> None:
        self.args = given

    def text(self: Any) -> str:
        return self.message

    if issubclass(base, BaseExceptionGroup):
        base = Exception if issubclass(base, Exception) else BaseException
    return type(name.rpartition(".")[2], (base,), {**_names(name), "__init__": initialise, "__str__": text})


def _names(name: str) -> dict[str, Any]:
    module, _, qualified = name.rpartition(".")
    return {"__module__": module or "builtins", "__qualname__": qualified}
