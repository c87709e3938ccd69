"""Keeps the mocks of a workspace and its file the same, whoever changes the file."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import Any

from pydantic import ValidationError

from ptc_studio.core.answering.mocks import Mocks
from ptc_studio.storage.edited_file import EditedFile, Undo, on_data
from ptc_studio.storage.entry_values import plain_data
from ptc_studio.storage.lined_file import understood
from ptc_studio.storage.lined_yaml import LinedYaml
from ptc_studio.storage.mocks import MOCKS_FILE, MockEntry, MocksFile, read_mocks
from ptc_studio.storage.workspace import WorkspaceError
from ptc_studio.storage.workspace_places import TouchedOutside, where_now
from ptc_studio.storage.workspace_watch import WorkspaceWatch

HEADER = """\
# What answers instead of tools while it is enabled. Change it here or in the window; comments stay as they are.
mocks: []
"""


class MockEditor(EditedFile):
    """Writes `mocks.yaml`, one change at a time. Raises WorkspaceError as `WorkspaceEditor` does."""

    name, header = MOCKS_FILE, HEADER

    def add(self, values: Mapping[str, Any], index: int | None = None) -> Undo:
        """One more, at the end or at that place."""
        entry = plain_data(values, "mocks")

        def added(data: dict[str, Any]) -> None:
            entries = data.get("mocks") or []
            entries.insert(len(entries) if index is None else index, entry)
            data["mocks"] = entries

        return self._do(on_data(added))

    def replace(self, index: int, values: Mapping[str, Any]) -> Undo:
        """Another in its place; keys that are the same stay as they are written."""
        entry = plain_data(values, "mocks")
        return self._edit(index, lambda entries, at: entries.__setitem__(at, entry))

    def remove(self, index: int) -> Undo:
        return self._edit(index, lambda entries, at: entries.pop(at))

    def set_enabled(self, index: int, enabled: bool) -> Undo:
        """Switches one on or off; that it is on need not be written."""

        def switched(entries: list[Any], at: int) -> None:
            rest = {key: value for key, value in entries[at].items() if key != "enabled"}
            entries[at] = rest if enabled else {**rest, "enabled": False}

        return self._edit(index, switched)

    def _edit(self, index: int, change: Callable[[list[Any], int], Any]) -> Undo:
        known = self._base.plain.get("mocks") or []
        if not 0 <= index < len(known):
            raise WorkspaceError(f"{self.path} has {len(known)} mocks, and none with the number {index + 1}.")
        entry = known[index]

        def edited(data: dict[str, Any]) -> None:
            entries = data.get("mocks") or []
            now = where_now(entries, index, entry)
            if now is None:
                raise TouchedOutside
            change(entries, now)

        return self._do(on_data(edited))

    def _understand(self, document: LinedYaml) -> object:
        return understood(MocksFile, document)


class KeptMocks:
    """The mocks that are kept with a workspace, and those who answer by them."""

    def __init__(self, mocks: Mocks, folder: Path | None, *, tolerant: bool = False) -> None:
        self._mocks, self._folder = mocks, folder
        self._watch = WorkspaceWatch(folder, MOCKS_FILE) if folder else None
        self._lock = RLock()
        self.file = MocksFile()
        self.fault: str | None = None
        """Why the file cannot be read, if it cannot: then what it said before holds."""
        self.read(tolerant=tolerant)

    @property
    def entries(self) -> tuple[MockEntry, ...]:
        return self.file.mocks

    def look(self) -> bool:
        """Reads the file if somebody changed it; whether that is so. Costs no more than a look at its time stamp."""
        with self._lock:
            if self._watch is None or not self._watch.changed():
                return False
            self.read()
            return True

    def hold(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Takes these over without a file, where there is no workspace; raises WorkspaceError."""
        try:
            self.file = MocksFile.model_validate({"mocks": list(entries)})
        except ValidationError as error:
            raise WorkspaceError(f"The mock cannot be used: {error.errors()[0]['msg']}.") from None
        self._mocks.set(entry.mock() for entry in self.entries)

    def read(self, *, tolerant: bool = True) -> None:
        """Takes over what the file says; a broken one is told as `fault`, or raised as WorkspaceError."""
        if self._folder is None or self._watch is None:
            return
        # One after the other: of two, the one that read first must not be the last to say what holds.
        with self._lock:
            reading = self._watch.read()
            self._watch.accept(reading)
            try:
                self.file = read_mocks(self._folder, reading)
            except WorkspaceError as error:
                if not tolerant:
                    raise
                self.fault = str(error)
            else:
                self.fault = None
            self._mocks.set(entry.mock() for entry in self.entries)
