"""The protocols between a code runtime and the tools that its scripts call.

This module stands alone: it imports the standard library and nothing of the rest of the product,
so that runtimes and hosts written elsewhere can rely on it.
"""

import asyncio
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class CodeResult:
    """What became of one execution."""

    stdout: str = ""
    """All that was written, also before a failure or a timeout."""
    stderr: str = ""
    return_code: int = 0
    error: str | None = None
    """The traceback or reason, or None after a clean end."""


@runtime_checkable
class ToolProjection(Protocol):
    """How a tool appears in the namespace of a script."""

    @property
    def name(self) -> str: ...
    @property
    def doc(self) -> str | None: ...
    def __call__(self, **kwargs: Any) -> Any: ...


class DirectProjection:
    """A projection of a plain function: sync ones are called directly, async ones through `asyncio.run`."""

    def __init__(self, name: str, fn: Callable[..., Any], doc: str | None = None) -> None:
        self.fn = fn
        self._name = name
        self._doc = doc
        self.__doc__ = doc

    @property
    def name(self) -> str:
        return self._name

    @property
    def doc(self) -> str | None:
        return self._doc

    def __call__(self, **kwargs: Any) -> Any:
        if inspect.iscoroutinefunction(self.fn):
            return asyncio.run(self.fn(**kwargs))
        return self.fn(**kwargs)

    def __repr__(self) -> str:
        return f"DirectProjection({self._name!r})"


@runtime_checkable
class CodeRuntime(Protocol):
    """Something that executes code in which tools can be called."""

    async def execute(
        self,
        code: str,
        namespace: Mapping[str, ToolProjection],
        *,
        timeout: float | None = None,
        extra_globals: Mapping[str, Any] | None = None,
    ) -> CodeResult:
        """Runs the code to its end. Tools win over `extra_globals` of the same name."""
        ...


def validate_namespace(namespace: Mapping[str, ToolProjection]) -> None:
    """Raises ValueError where a key and the name of its projection differ."""
    for key, projection in namespace.items():
        if key != projection.name:
            raise ValueError(
                f"Namespace key {key!r} does not match its projection's name {projection.name!r}: use the same name."
            )


def namespace_to_callables(namespace: Mapping[str, ToolProjection]) -> dict[str, Callable[..., Any]]:
    """The namespace as plain callables, once it has been validated."""
    validate_namespace(namespace)
    return dict(namespace)
