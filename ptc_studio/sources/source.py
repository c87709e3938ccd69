"""The seam of all kinds of sources: what the studio asks of one, and what those without a process have in common."""

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

from ptc_studio.bounded_files import Stamp, stamp_of
from ptc_studio.core.codec import visible
from ptc_studio.core.errors import PtcError
from ptc_studio.core.tools import LoadedTools, LoadError, Tool

State = Literal["new", "loading", "ready", "failed", "restarting", "closed"]


LONGEST = 2_000


class SourceFailed(PtcError):
    """The source cannot be read; the message is one sentence that names the thing and the remedy.

    What it quotes of a server or a document is shown as what it is, and not at any length.
    """

    def __init__(self, message: str) -> None:
        cut = message if len(message) <= LONGEST else f"{message[: LONGEST // 2]} … {message[-LONGEST // 2 :]}"
        super().__init__(visible(cut))


@dataclass(frozen=True, slots=True)
class Status:
    """How a source is, for the panel."""

    state: State = "new"
    detail: str = ""
    """Why it failed, or what is going on, in one sentence."""
    log: tuple[str, ...] = ()
    """The last lines that it wrote, such as a server's stderr."""


class Source(Protocol):
    """Something that brings tools. Every method may be called from any thread; `refresh` never on a loop's."""

    @property
    def status(self) -> Status: ...

    def refresh(self) -> LoadedTools:
        """What the source has now; at once if nothing changed, else within its own bound of time.

        Raises SourceFailed if there is nothing to be had. Tools that stay the same are the same objects.
        """
        ...

    def reload(self) -> None:
        """Forgets what is known, so that the next `refresh` starts anew."""
        ...

    def listen(self, changed: Callable[[], None]) -> None:
        """Has `changed` called, from any thread, when the tools or the status are other than before."""
        ...

    def close(self) -> None:
        """Ends what the source started, within a moment; calls under way fail."""
        ...


@runtime_checkable
class Probing(Protocol):
    """A source that can tell, without a call, what its tools need and would not find."""

    def probe(self) -> tuple[LoadError, ...]: ...


@runtime_checkable
class Sending(Protocol):
    """A source whose requests can be sent once by hand, before it is saved, to see what comes back."""

    def exchanges(self) -> tuple[Tool, ...]:
        """Its tools, each of which gives all that the server answered; they hold nothing open."""
        ...


log = logging.getLogger(__name__)


class Listeners:
    """Told from any thread; one that fails is logged, and the others are told all the same."""

    def __init__(self, what: str) -> None:
        """`what` names the source in the log, such as `source 'shop'`."""
        self._what = what
        self._listeners: tuple[Callable[[], None], ...] = ()

    def add(self, changed: Callable[[], None]) -> None:
        self._listeners = (*self._listeners, changed)

    def notify(self) -> None:
        for changed in self._listeners:
            try:
                changed()
            except Exception:
                log.exception("Telling that the %s changed failed", self._what)


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
