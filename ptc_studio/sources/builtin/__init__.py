"""Tools that come with the studio: files of the workspace, the web, time, JSON."""

from typing import TYPE_CHECKING, Any

from ptc_studio.sources.builtin.entry import BuiltinEntry

if TYPE_CHECKING:
    from ptc_studio.sources.builtin.source import BuiltinSource

__all__ = ["BuiltinEntry", "BuiltinSource"]


def __getattr__(name: str) -> Any:
    # Late: whoever reads a workspace file needs the entry alone.
    if name != "BuiltinSource":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ptc_studio.sources.builtin.source import BuiltinSource

    return BuiltinSource
