"""The source: one script of the workspace."""

from pathlib import Path

from ptc_studio.core.scripts import RunScript
from ptc_studio.core.tools import Loaded
from ptc_studio.sources.entry_source import EntrySource
from ptc_studio.sources.script.entry import ScriptEntry

Stamp = tuple[int, int, int]


class ScriptSource(EntrySource):
    """The tool of an entry of the kind `script`; the file is read again when it changed."""

    def __init__(self, entry: ScriptEntry, *, folder: Path, run_script: RunScript) -> None:
        super().__init__(entry.name)
        self._entry = entry
        self._path = folder.resolve() / Path(entry.path).expanduser()
        self._run_script = run_script
        self._stamp: Stamp | None = None

    def changed(self) -> bool:
        return self._stamp != stamp_of(self._path)

    def load(self) -> Loaded:
        from ptc_studio.sources.script.script_tool import script_tool

        # Before it is read: what is written meanwhile is then seen as a change.
        self._stamp = stamp_of(self._path)
        return Loaded((script_tool(self._entry, self._path, self._run_script),))


def stamp_of(path: Path) -> Stamp | None:
    """What is other than before when the file was written to, or replaced; None if it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
