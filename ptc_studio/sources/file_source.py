"""What sources have in common that are one file of the workspace, which is one tool."""

from abc import abstractmethod
from pathlib import Path

from ptc_studio.core.tools import Loaded, Tool
from ptc_studio.sources.entry_source import EntrySource
from ptc_studio.sources.file_stamp import Stamp, stamp_of


class FileSource(EntrySource):
    """The file is read again when it changed."""

    def __init__(self, name: str, folder: Path, path: str) -> None:
        super().__init__(name)
        self._path = folder.resolve() / Path(path).expanduser()
        self._stamp: Stamp | None = None

    def changed(self) -> bool:
        return self._stamp != stamp_of(self._path)

    def load(self) -> Loaded:
        # Before it is read: what is written meanwhile is then seen as a change.
        self._stamp = stamp_of(self._path)
        return Loaded((self._tool(),))

    @abstractmethod
    def _tool(self) -> Tool:
        """Makes the tool of the file as it is now; raises SourceFailed."""
