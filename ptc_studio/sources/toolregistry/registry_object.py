"""Finds the registry in a module."""

from types import ModuleType
from typing import TYPE_CHECKING, Any

from ptc_studio.sources.source import SourceFailed

if TYPE_CHECKING:
    from toolregistry import ToolRegistry


def registry_in(module: ModuleType, wanted: str | None, label: str) -> "ToolRegistry":
    """The one registry, or the one of that name; raises SourceFailed."""
    try:
        from toolregistry import ToolRegistry
    except ImportError:
        raise SourceFailed(
            "The library is missing: install it into the studio's environment with pip install toolregistry."
        ) from None

    if wanted is not None:
        return _named(module, wanted, label, ToolRegistry)
    found: dict[str, ToolRegistry] = {
        name: value for name, value in list(vars(module).items()) if isinstance(value, ToolRegistry)
    }
    if not found:
        raise SourceFailed(
            f"{label} has no ToolRegistry: make one at its top level, as in `registry = ToolRegistry()`."
        )
    if len({id(registry) for registry in found.values()}) > 1:
        raise SourceFailed(f"{label} has several registries: say which with `object`: {', '.join(found)}.")
    return next(iter(found.values()))


def _named(module: ModuleType, wanted: str, label: str, kind: type) -> Any:
    value: Any = module
    for step in wanted.split("."):
        try:
            value = getattr(value, step)
        except AttributeError:
            raise SourceFailed(f"{label} has no {wanted!r}: correct `object`.") from None
    if not isinstance(value, kind):
        raise SourceFailed(
            f"{label} has {wanted!r} of type {type(value).__name__!r}, no ToolRegistry: correct `object`."
        )
    return value
