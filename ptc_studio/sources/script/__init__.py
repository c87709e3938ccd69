"""Tools that are scripts: a file of the workspace, in any runtime, whose own calls nest under its call."""

from ptc_studio.sources.script.entry import ScriptEntry
from ptc_studio.sources.script.source import ScriptSource

__all__ = ["ScriptEntry", "ScriptSource"]
