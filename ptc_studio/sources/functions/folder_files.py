"""What lies in a functions folder: which files hold tools, and when each was last written."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

Stamp = tuple[int, int]
"""A file's time of change and size."""


def tool_files(folder: Path, files: Iterable[Path]) -> dict[str, Path]:
    """Those of the folder's files that may hold tools, by name as `folder/module`, sorted."""
    found: dict[str, Path] = {}
    for path in files:
        parts = path.relative_to(folder).parts
        if not any(part.startswith("_") for part in parts):
            found["/".join(parts)[:-3]] = path
    return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class Reach:
    """Which files of a folder are read, and how."""

    nested: bool = True
    """Whether the folders in it are read, too."""
    run_modules: bool = False
    """Whether files are imported whatever they do then; else only modules of definitions are."""


WHOLE = Reach()


def python_files(folder: Path, *, nested: bool = True) -> Iterator[Path]:
    """Every Python file, also the private ones."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if nested and name != "__pycache__" and not name.startswith("."))
        yield from (Path(root, name) for name in files if name.endswith(".py") and not name.startswith("."))


def stamps_of(files: Iterable[Path]) -> dict[Path, Stamp]:
    """The stamps of those that are there."""
    stamps: dict[Path, Stamp] = {}
    for file in files:
        try:
            status = file.stat()
        except OSError:
            continue
        stamps[file] = (status.st_mtime_ns, status.st_size)
    return stamps


def differences(before: Mapping[Path, Stamp], after: Mapping[Path, Stamp]) -> set[Path]:
    """The files that were added, removed or written."""
    return {file for file in before.keys() | after.keys() if before.get(file) != after.get(file)}


def folder_fault(folder: Path) -> str | None:
    """Why the folder cannot be read, and what to do."""
    if not folder.exists():
        return f"The functions folder {str(folder)!r} does not exist: create it, or correct the path."
    if not folder.is_dir():
        return f"{str(folder)!r} is not a folder: name the folder that the file is in."
    return None
