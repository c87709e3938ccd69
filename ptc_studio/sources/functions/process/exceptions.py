"""Carries exceptions from one process to the other, so that `except KeyError` still catches a KeyError."""

import builtins
import functools
import traceback
from collections.abc import Mapping
from typing import Any

from ptc_studio.core import codec, errors
from ptc_studio.core.errors import UnserialisableValue


class RemoteTraceback(Exception):
    """The cause of a rebuilt exception; its text is the traceback in the other process."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}" if self.args else ""


def packed(error: BaseException) -> dict[str, Any]:
    """The exception as JSON."""
    return {
        "mro": [[cls.__module__, cls.__qualname__] for cls in type(error).__mro__],
        "message": _text(error),
        "args": _plain(_arguments(error)),
        "state": _plain({k: v for k, v in vars(error).items() if k != "__notes__"}),
        "notes": [str(note) for note in getattr(error, "__notes__", ())],
        "traceback": "".join(traceback.format_exception(error)),
    }


def rebuilt(wire: Mapping[str, Any]) -> BaseException:
    """An exception of the same built-in type, or of one with the same name under the nearest built-in type."""
    error = _built(wire)
    for note in wire["notes"]:
        error.add_note(note)
    error.__cause__ = RemoteTraceback(wire["traceback"])
    return error


def _arguments(error: BaseException) -> Any:
    # The arguments of an OSError lack its file names; what it is copied by has them.
    return error.__reduce__()[1] if type(error).__module__ == "builtins" else error.args


def _plain(value: Any) -> Any:
    try:
        return codec.decode(codec.encode(value))
    except (UnserialisableValue, ValueError):
        return None


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - a user's __str__ may be broken
        return ""


def _built(wire: Mapping[str, Any]) -> BaseException:
    module, name = wire["mro"][0]
    if module == errors.__name__:
        return _product_error(name, wire["message"])
    base = _nearest_builtin(wire["mro"])
    own = base if (module, name) == ("builtins", base.__name__) else _derived(module, name, base)
    given = wire["args"] if wire["args"] is not None else [wire["message"]]
    try:
        error = own(*given)
    except Exception:  # noqa: BLE001 - an exception type may refuse any arguments
        error = None
    if error is None or _text(error) != wire["message"]:
        error = _worded(module, name, base)(*given)
        error.message = wire["message"]
    vars(error).update(wire["state"] or {})
    return error


def _product_error(name: str, message: str) -> BaseException:
    error_type = getattr(errors, name)
    error = error_type.__new__(error_type)
    error.args = (message,)
    return error


def _nearest_builtin(mro: list[list[str]]) -> type[BaseException]:
    for module, name in mro:
        found = getattr(builtins, name, None) if module == "builtins" else None
        if isinstance(found, type) and issubclass(found, BaseException):
            return found
    return Exception


@functools.cache
def _derived(module: str, name: str, base: type[BaseException]) -> type[BaseException]:
    return type(name.rpartition(".")[2], (base,), {"__module__": module, "__qualname__": name})


@functools.cache
def _worded(module: str, name: str, base: type[BaseException]) -> Any:
    """For types that cannot be made from their arguments again: the text is carried as such."""
    own: dict[str, Any] = {"__module__": module, "__qualname__": name, "__str__": lambda self: self.message}
    own["__init__"] = lambda self, *given: setattr(self, "args", given)
    if issubclass(base, BaseExceptionGroup):
        base = Exception if issubclass(base, Exception) else BaseException
    return type(name.rpartition(".")[2], (base,), own)
