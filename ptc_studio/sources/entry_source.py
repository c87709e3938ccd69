"""What sources have in common that are made of their entry or of a document, without a process of their own."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

from ptc_studio.bounded_files import Stamp, stamp_of
from ptc_studio.core.tools import LoadedTools, Tool
from ptc_studio.sources.source import Listeners, SourceFailed, Status


class EntrySource(ABC):
    """Loads at the first `refresh`, and again when something changed."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loaded: LoadedTools | None = None
        self._status = Status()
        self._listeners = Listeners(f"source {name!r}")

    @property
    def status(self) -> Status:
        return self._status

    def refresh(self) -> LoadedTools:
        """The tools; whoever comes while they are being loaded waits for them."""
        with self._lock:
            if self._status.state == "closed":
                raise SourceFailed(f"The source {self._name!r} is closed.")
            if self._loaded is not None and not self.changed():
                return self._loaded
            self._set(Status("loading"))
            try:
                self._loaded = self.load()
            except SourceFailed as failure:
                self._loaded = None
                self._set(Status("failed", str(failure)))
                raise
            self._set(Status("ready"))
            return self._loaded

    def reload(self) -> None:
        """Has everything read again."""
        with self._lock:
            self._loaded = None
            if self._status.state != "closed":
                self._set(Status())

    def listen(self, changed: Callable[[], None]) -> None:
        self._listeners.add(changed)

    def close(self) -> None:
        """Ends what is under way."""
        self._set(Status("closed"))

    @abstractmethod
    def load(self) -> LoadedTools:
        """Makes the tools; raises SourceFailed."""

    def changed(self) -> bool:
        """Whether what was loaded is out of date."""
        return False

    def _set(self, status: Status) -> None:
        # A load that was under way when the source was closed does not open it again.
        if self._status.state == "closed":
            return
        self._status = status
        self._listeners.notify()


class FileSource(EntrySource):
    """The file is read again when it changed."""

    def __init__(self, name: str, folder: Path, path: str) -> None:
        super().__init__(name)
        self._path = folder.resolve() / Path(path).expanduser()
        self._stamp: Stamp | None = None

    def changed(self) -> bool:
        return self._stamp != stamp_of(self._path)

    def load(self) -> LoadedTools:
        # Before it is read: what is written meanwhile is then seen as a change.
        self._stamp = stamp_of(self._path)
        return LoadedTools((self._tool(),))

    @abstractmethod
    def _tool(self) -> Tool:
        """Makes the tool of the file as it is now; raises SourceFailed."""
