"""What the program remembers between two starts, as one of several windows sees it."""

import json
import math
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from ptc_studio.bounded_files import read_bytes
from ptc_studio.locations import RESOURCES

LONGEST_TIMEOUT = 1e6
HISTORY_MEGABYTES = 500
"""What past runs may take, unless the user says otherwise."""
MEGABYTE = 1_000_000


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_choice(value: Any) -> bool:
    return isinstance(value, bool)


def _is_size(value: Any) -> bool:
    return _is_number(value) and 1 <= value <= 1_000_000


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_ascii(value: Any) -> bool:
    return isinstance(value, str) and value.isascii()


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _is_mapping_to(kind: type, value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(each, kind) for each in value.values())


_SHAPES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "breakpoints": (_is_mapping, "a mapping"),
    "code_font": (_is_text, "the name of a font"),
    "docks": (_is_ascii, "a text as the window wrote it"),
    "docks_sized": (_is_choice, "true or false"),
    "editor_columns": (lambda value: _is_number(value) and 0 <= value <= 8, "a number from 0 to 8"),
    "editor_pairs": (_is_choice, "true or false"),
    "editor_pixels": (lambda value: _is_number(value) and 6 <= value <= 60, "a number from 6 to 60"),
    "editor_suggests": (_is_choice, "true or false"),
    "editor_wraps": (_is_choice, "true or false"),
    "geometry": (_is_ascii, "a text as the window wrote it"),
    "grants": (_is_mapping, "a mapping"),
    "group_calls": (_is_choice, "true or false"),
    "history": (_is_choice, "true or false"),
    "history_megabytes": (_is_size, "a number of megabytes"),
    "interface_font": (_is_text, "the name of a font"),
    "program_folders": (_is_texts, "a list of folders"),
    "recent": (_is_texts, "a list of folders"),
    "runtime": (_is_text, "the name of a runtime"),
    "runtime_shown": (lambda value: _is_texts(value) and len(value) == 2, "a list of two texts"),
    "runtimes": (partial(_is_mapping_to, str), "a mapping of languages to runtimes"),
    "target": (_is_text, "the name of a target"),
    "theme": (lambda value: value in ("system", "light", "dark"), "system, light or dark"),
    "timeout": (lambda value: _is_number(value) and 0 <= value <= LONGEST_TIMEOUT, "a number of seconds"),
    "trust": (partial(_is_mapping_to, bool), "a mapping of folders to true or false"),
    "workspaces": (_is_mapping, "a mapping of folders to what was chosen there"),
    "zoom": (_is_number, "a number"),
}


def misfits(values: Mapping[str, Any]) -> dict[str, str]:
    """Of every setting that is not as it must be: what is wrong with it. Unknown ones are somebody else's."""
    return {
        key: f"{key!r} must be {expected}"
        for key, (fits, expected) in _SHAPES.items()
        if key in values and not fits(values[key])
    }


def _log(message: str, *values: object) -> None:
    # Imported late: the window's first paint waits for this module.
    import logging

    logging.getLogger(__name__).warning(message, *values)


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
        from ptc_studio.storage.text_files import locked, replace_file

        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with locked(self.path.parent, patience):
            try:
                before = self.read()
            except ValueError as error:
                _log("%s makes no sense (%s), and is set aside as %s", self.path, error, self._move_away().name)
                before = {}
            # Nothing can be added to a setting that is not as it must be: it is made anew.
            unfit = misfits(before).keys() & {key for key, _ in changes}
            after = {key: value for key, value in before.items() if key not in unfit}
            for change, value in changes.items():
                apply(after, change, value)
            if after != before:
                self._clear_left_over()
                self._keep_previous()
                # Not waited for, as the window's own thread writes this: what a power cut takes, the previous one has.
                content = json.dumps(after, indent=1).encode()
                replace_file(self.path.resolve(), content, durable=False, private=True)

    def previous(self) -> Values:
        """What it said before its last change, where that makes sense."""
        try:
            return SettingsFile(self._previous).read()
        except (ValueError, OSError):
            return {}

    @property
    def _previous(self) -> Path:
        return self.path.with_name(f".{self.path.stem}.previous{self.path.suffix}")

    def _keep_previous(self) -> None:
        """By a second name for the same file: nothing is written, so nothing can be lost."""
        if not self.path.exists():
            return
        with suppress(OSError):
            self._previous.unlink(missing_ok=True)
            self._previous.hardlink_to(self.path.resolve())

    def set_aside(self, patience: float) -> str | None:
        """Gives a file that makes no sense another name, and tells of it; None if it makes sense by now."""
        from ptc_studio.storage.text_files import locked

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
        from ptc_studio.storage.text_files import set_aside

        return set_aside(self.path)

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


TRUST = "trust"
WORKSPACES = "workspaces"
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

    def of_workspace(self, folder: Path | None) -> "WorkspaceSettings":
        """What was chosen while that folder was open, or none was."""
        return WorkspaceSettings(self, folder)

    def trusts(self, folder: Path) -> bool | None:
        """Whether the user lets the tools of this folder be loaded; None if he has not been asked yet."""
        location = folder.resolve()
        # What is shipped is the program's own.
        return True if location.is_relative_to(RESOURCES) else self.get(TRUST, {}).get(str(location))

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
            return self._restored()
        except OSError as error:
            self.fault = f"{path} cannot be read: {error.strerror or error}; {INSTEAD}"
            return {}
        unfit = misfits(values)
        if unfit:
            self.fault = f"{path}: {', '.join(unfit.values())}; the usual is used instead."
        return {key: value for key, value in values.items() if key not in unfit}

    def _restored(self) -> Values:
        """What was remembered before the change that was lost; it is written again, for other windows."""
        values = self._file.previous()
        values = {key: value for key, value in values.items() if key not in misfits(values)}
        if values and self.fault:
            self.fault = self.fault.replace(INSTEAD, "those from before its last change are used.")
            for key, value in values.items():
                self._unwritten[key, None] = value
            self._write(PATIENCE)
        return values

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
                _log(complaint)
            self._complaint = complaint
        else:
            self._complaint = ""
            self._unwritten.clear()


class WorkspaceSettings:
    """The choices that belong to one workspace, such as the runtime and the time limit: another has its own."""

    def __init__(self, settings: Settings, folder: Path | None) -> None:
        self._settings = settings
        self._folder = str(folder.resolve()) if folder is not None else ""

    def get(self, key: str, default: Any = None) -> Any:
        """What was chosen there; the default, too, for what is not as it must be."""
        mine = self._mine()
        return default if key not in mine or misfits({key: mine[key]}) else mine[key]

    def set(self, key: str, value: Any, *, usual: Any = None) -> None:
        """Remembers the value; the `usual` one of what has never been chosen is no choice."""
        if self.get(key, usual) != value:
            self._settings.set_entry(WORKSPACES, self._folder, {**self._mine(), key: value})

    def _mine(self) -> Values:
        found = self._settings.get(WORKSPACES, {}).get(self._folder)
        return found if isinstance(found, dict) else {}
