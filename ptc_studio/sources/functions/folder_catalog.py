"""What the catalogs of a functions folder have in common, whether its files are imported here or in other processes."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ptc_studio.core.tools import Loaded, LoadError, Tool
from ptc_studio.sources.functions import selection


class FolderCatalog(ABC):
    """The tools of one folder."""

    def __init__(self, folder: Path, source: str) -> None:
        self.folder = folder.absolute()
        self.source = source
        self._loaded: Loaded | None = None

    @abstractmethod
    def load(self) -> Loaded:
        """Has every file imported, also what was imported before; in a worker thread."""

    @abstractmethod
    def refresh(self) -> Loaded:
        """The tools as the files are now; those that stay the same are the same objects."""

    @abstractmethod
    def close(self) -> None:
        """Ends what was started for the folder."""

    def listing(self) -> list[str]:
        """What can be chosen: `module:All` entries, then `module:function`."""
        return selection.listing(self._entries())

    def select(self, entries: Sequence[Any]) -> tuple[Tool, ...]:
        """The chosen tools, with their overrides; raises ValueError for an entry that is wrong."""
        return selection.select(self._entries(), entries)

    @abstractmethod
    def _entries(self) -> list[selection.Entry]:
        """Every tool, and where it is from."""

    def _failed(self, message: str) -> Loaded:
        """No tools, and why there are none."""
        return Loaded(errors=(LoadError(self.source, str(self.folder), None, message),))


def refuse_on_event_loop() -> None:
    """A user's file may take any time to import, and the window would stand still."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("A functions folder must not be loaded on an event loop's thread: use a worker thread.")
