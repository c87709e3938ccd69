"""Makes the exception that a person or a mock names."""

import builtins

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
