"""Makes a tool's failure an exception of the type that the tool raised, or of the nearest built-in one."""

import builtins
from typing import Any


class RemoteTraceback(Exception):
    """What the tool's side has to say; stands as the cause of the exception that the script gets."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return "\n" + self.text.rstrip()


# A traceback begins with the name of the class: whoever reads it wants to know whose lines follow, not ours.
RemoteTraceback.__module__, RemoteTraceback.__qualname__ = "builtins", "In the tool"


def rebuild(error: dict[str, Any]) -> Exception:
    """The exception to raise in the script."""
    cls = _class(tuple(error.get("mro") or (error["type"],)))
    exception = _group(cls, error) or _instance(cls, error.get("args"), error["message"])
    for name, value in (error.get("state") or {}).items():
        try:
            setattr(exception, name, value)
        except Exception:  # noqa: S112 - such as what a built-in type computes
            continue
    if error.get("traceback"):
        exception.__cause__ = RemoteTraceback(error["traceback"])
    return exception


def _group(cls: type[Exception], error: dict[str, Any]) -> "Exception | None":
    """One that stays what it is, with its parts, so that `except*` finds them."""
    parts = error.get("exceptions")
    kind = getattr(builtins, "ExceptionGroup", None)
    if not parts or kind is None or not issubclass(cls, kind):
        return None
    return cls(error["args"][0], [rebuild(part) for part in parts])


def _instance(cls: type[Exception], args: "list[Any] | None", message: str) -> Exception:
    """With the tool's own arguments if that gives the same text, else with the text alone."""
    if args is not None:
        try:
            exception = cls(*args)
        except Exception:
            pass
        else:
            if str(exception) == message:
                return exception
    try:
        return cls(message)
    except Exception:
        # Such as UnicodeDecodeError, which takes five arguments that JSON could not carry.
        return _class(("ToolError", "Exception"))(message)


_made: dict[tuple[str, ...], type[Exception]] = {}


def _class(mro: tuple[str, ...]) -> type[Exception]:
    """The class with these bases, most derived first; foreign ones are made anew, once, below their built-in base."""
    if mro not in _made:
        name = mro[0].rpartition(".")[2]
        known = getattr(builtins, mro[0], None)
        if isinstance(known, type) and issubclass(known, Exception):
            _made[mro] = known
        else:
            base = _class(mro[1:]) if len(mro) > 1 and mro[1] not in ("BaseException", "object") else Exception
            _made[mro] = _derive(name, base)
    return _made[mro]


def _derive(name: str, base: type[Exception]) -> type[Exception]:
    """A subclass that shows its message as it is: the tool's own `__str__` is not here to do so."""
    # A group says how many parts it has.
    text = base.__str__ if hasattr(base, "exceptions") else Exception.__str__
    return type(name, (base,), {"__module__": "tools", "__str__": text})
