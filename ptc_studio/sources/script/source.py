"""The source: one script of the workspace."""

from pathlib import Path

from ptc_studio.core.scripts import RunScript
from ptc_studio.core.tools import Tool
from ptc_studio.sources.file_source import FileSource
from ptc_studio.sources.script.entry import ScriptEntry


class ScriptSource(FileSource):
    """The tool of an entry of the kind `script`."""

    def __init__(self, entry: ScriptEntry, *, folder: Path, run_script: RunScript) -> None:
        super().__init__(entry.name, folder, entry.path)
        self._entry = entry
        self._run_script = run_script

    def _tool(self) -> Tool:
        from ptc_studio.sources.script.script_tool import script_tool

        return script_tool(self._entry, self._path, self._run_script)
