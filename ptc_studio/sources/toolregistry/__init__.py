"""Tools of a `ToolRegistry` object that a Python module makes."""

from typing import TYPE_CHECKING, Any

from ptc_studio.sources.toolregistry.entry import ToolRegistryEntry

if TYPE_CHECKING:
    from ptc_studio.sources.toolregistry.source import ToolRegistrySource

__all__ = ["ToolRegistryEntry", "ToolRegistrySource"]


def __getattr__(name: str) -> Any:
    # Late: whoever reads a workspace file needs the entry alone.
    if name != "ToolRegistrySource":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ptc_studio.sources.toolregistry.source import ToolRegistrySource

    return ToolRegistrySource
