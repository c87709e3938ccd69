"""Formats of the program's own files: older ones are brought up to date, with a copy of the file as it was."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ptc_studio.core.errors import PtcError

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]


class NewerFormat(PtcError):
    """A file of a studio that is newer than this one; it is left as it is."""

    def __init__(self, what: str, path: Path) -> None:
        super().__init__(f"{what} {path} is of a newer PTC Studio; use that one, or move the file away.")


def up_to_date(
    values: dict[str, Any], version: int, upgrades: Mapping[int, Upgrade], path: Path, what: str
) -> dict[str, Any]:
    """The values of a file in the present format; raises NewerFormat.

    `upgrades` has for each older version what makes the next one of it. A file that says no version is of the first.
    """
    found = values.get("version", 1)
    if not isinstance(found, int) or found > version:
        raise NewerFormat(what, path)
    for each in range(found, version):
        values = {**upgrades[each](values), "version": each + 1}
    return values


def keep_backup(path: Path, version: int) -> Path:
    """A copy of a file that is about to be brought up to date, beside it; the first one stays."""
    backup = backup_name(path, version)
    if not backup.exists():
        shutil.copy2(path, backup)
    return backup


def backup_name(path: Path, version: int) -> Path:
    """Where the copy of a file of that version lies."""
    return path.with_name(f"{path.stem}.v{version}{path.suffix}")
