"""What the program remembers between two starts, as one of several windows sees it."""

import logging
from pathlib import Path
from typing import Any

from ptc_studio.locations import RESOURCES
from ptc_studio.storage.settings_file import INSTEAD, RECENT, Change, SettingsFile, Values, apply
from ptc_studio.storage.settings_shape import misfits

log = logging.getLogger(__name__)

TRUST = "trust"
PATIENCE = 0.1
"""Seconds that the window waits while another one writes, which takes a hundredth of that."""
LAST_PATIENCE = 1.0
"""The same when there will be no other time to write."""


class Settings:
    """A dictionary that is kept in a file: what it said at the start, and what this window changed since.

    Only these changes are written, each at once, over whatever the file says by then. Those that cannot be written
    are logged, and go with the next one.
    """

    def __init__(self, path: Path) -> None:
        self._file = SettingsFile(path)
        self._unwritten: dict[Change, Any] = {}
        self._complaint = ""
        self.fault: str | None = None
        """What was wrong with the file at the start, and what came of it; for the user."""
        self._values = self._first_values()

    @property
    def folder(self) -> Path:
        """Where they lie, and with them whatever else is remembered."""
        return self._file.path.parent

    def get(self, key: str, default: Any = None) -> Any:
        return self._values.get(key, default)

    def set(self, key: str, value: Any, *, usual: Any = None) -> None:
        """Remembers the value; the `usual` one of a setting that has never been changed is no change."""
        if self._values.get(key, usual) != value:
            self._change((key, None), value)

    def set_entry(self, key: str, name: str, value: Any) -> None:
        """Remembers one entry of a setting that is a mapping, or forgets it if it is None; the others stay."""
        if self._values.get(key, {}).get(name) != value:
            self._change((key, name), value)

    def add_recent(self, workspace: Path) -> None:
        """Puts the workspace at the head of those used lately."""
        self._change((RECENT, str(workspace)), True)

    def recent(self) -> list[Path]:
        """The workspaces used lately that are still there."""
        return [Path(name) for name in self.get(RECENT, []) if Path(name).is_dir()]

    def trusts(self, folder: Path) -> bool | None:
        """Whether the user lets the tools of this folder be loaded; None if he has not been asked yet."""
        place = folder.resolve()
        # What is shipped is the program's own.
        return True if place.is_relative_to(RESOURCES) else self.get(TRUST, {}).get(str(place))

    def set_trust(self, folder: Path, trusted: bool) -> None:
        """Remembers what the user said of the folder, by its true path."""
        self.set_entry(TRUST, str(folder.resolve()), trusted)

    def finish(self) -> None:
        """Writes what could not be written before, if that is possible now."""
        if self._unwritten:
            self._write(LAST_PATIENCE)

    def _first_values(self) -> Values:
        path = self._file.path
        try:
            values = self._file.read()
        except ValueError:
            self.fault = self._file.set_aside(PATIENCE)
            return {}
        except OSError as error:
            self.fault = f"{path} cannot be read: {error.strerror or error}; {INSTEAD}"
            return {}
        unfit = misfits(values)
        if unfit:
            self.fault = f"{path}: {', '.join(unfit.values())}; the usual is used instead."
        return {key: value for key, value in values.items() if key not in unfit}

    def _change(self, change: Change, value: Any) -> None:
        # What was changed last is applied last.
        self._unwritten.pop(change, None)
        self._unwritten[change] = value
        apply(self._values, change, value)
        self._write(PATIENCE)

    def _write(self, patience: float) -> None:
        try:
            self._file.merge(self._unwritten, patience)
        except OSError as error:
            complaint = f"The settings cannot be written to {self._file.path}: {error.strerror or error}"
            if complaint != self._complaint:
                log.warning(complaint)
            self._complaint = complaint
        else:
            self._complaint = ""
            self._unwritten.clear()
