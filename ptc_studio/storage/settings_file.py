"""The file of settings, which all windows of a user share: changed by one at a time, whole or not at all."""

import json
import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from ptc_studio.bounded_files import read_bytes
from ptc_studio.storage.settings_shape import misfits

log = logging.getLogger(__name__)

RECENT = "recent"
"""The setting that is a list, of what was used lately."""
MOST_RECENT = 8
LEFT_OVER_SECONDS = 60.0
INSTEAD = "the usual settings are used."

Values = dict[str, Any]
Change = tuple[str, str | None]
"""What is changed: a setting, or one entry of it."""


class SettingsFile:
    """A mapping as JSON. What cannot be understood is set aside under another name, never written over."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Values:
        """What it says; raises ValueError if it makes no sense, and OSError."""
        try:
            values = json.loads(read_bytes(self.path))
        except FileNotFoundError:
            return {}
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        if not isinstance(values, dict):
            raise ValueError("it is not a mapping")
        return values

    def merge(self, changes: Mapping[Change, Any], patience: float) -> None:
        """Applies the changes to what it says now; raises OSError, and then it is as before."""
        # Imported late, as below: a window has nothing to write before it is seen.
        from ptc_studio.storage.folder_lock import locked
        from ptc_studio.storage.text_files import replace_file

        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with locked(self.path.parent, patience):
            try:
                before = self.read()
            except ValueError as error:
                log.warning("%s makes no sense (%s), and is set aside as %s", self.path, error, self._move_away().name)
                before = {}
            # Nothing can be added to a setting that is not as it must be: it is made anew.
            unfit = misfits(before).keys() & {key for key, _ in changes}
            after = {key: value for key, value in before.items() if key not in unfit}
            for change, value in changes.items():
                apply(after, change, value)
            if after != before:
                self._clear_left_over()
                replace_file(self.path.resolve(), json.dumps(after, indent=1).encode(), private=True)

    def set_aside(self, patience: float) -> str | None:
        """Gives a file that makes no sense another name, and tells of it; None if it makes sense by now."""
        from ptc_studio.storage.folder_lock import locked

        try:
            with locked(self.path.parent, patience):
                reason = self._nonsense()
                aside = self._move_away() if reason else None
        except OSError as error:
            return f"{self.path} makes no sense and cannot be set aside: {error.strerror or error}; {INSTEAD}"
        return f"{self.path} makes no sense ({reason}), and is set aside as {aside.name}; {INSTEAD}" if aside else None

    def _nonsense(self) -> str:
        """Why the file makes no sense; empty if another window has put one in its place that does."""
        try:
            self.read()
        except ValueError as error:
            return str(error)
        return ""

    def _move_away(self) -> Path:
        marks = ("broken" if number == 1 else f"broken-{number}" for number in count(1))
        names = (f"{self.path.stem}.{mark}{self.path.suffix}" for mark in marks)
        return self.path.rename(next(aside for aside in map(self.path.with_name, names) if not aside.exists()))

    def _clear_left_over(self) -> None:
        """Removes the drafts of windows that were killed while they wrote."""
        for draft in self.path.parent.glob(f".{self.path.name}.*.part"):
            with suppress(OSError):
                if time.time() - draft.stat().st_mtime > LEFT_OVER_SECONDS:
                    draft.unlink()


def apply(values: Values, change: Change, value: Any) -> None:
    """Makes the change; of an entry that changes, the others stay, and what is recent goes to the head."""
    key, entry = change
    known = values.get(key)
    if entry is None:
        values[key] = value
    elif key == RECENT:
        others = [each for each in known if each != entry] if isinstance(known, list) else []
        values[key] = [entry, *others][:MOST_RECENT]
    else:
        others = {name: each for name, each in known.items() if name != entry} if isinstance(known, dict) else {}
        values[key] = others if value is None else {**others, entry: value}
