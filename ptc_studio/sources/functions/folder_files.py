"""The files of a functions folder: which there are, which have changed, and whose repository they belong to."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ptc_studio.bounded_files import Stamp, stamp_of

REPOSITORY_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")


def tool_files(folder: Path, files: Iterable[Path]) -> dict[str, Path]:
    """Those of the folder's files that may hold tools, by name as `folder/module`, sorted."""
    found: dict[str, Path] = {}
    for path in files:
        parts = path.relative_to(folder).parts
        if not any(part.startswith("_") for part in parts):
            found["/".join(parts)[:-3]] = path
    return dict(sorted(found.items()))


def python_files(folder: Path, *, nested: bool = True) -> Iterator[Path]:
    """Every Python file, also the private ones."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if nested and name != "__pycache__" and not name.startswith("."))
        yield from (Path(root, name) for name in files if name.endswith(".py") and not name.startswith("."))


def stamps_of(files: Iterable[Path]) -> dict[Path, Stamp]:
    """The stamps of those that are there."""
    return {file: stamp for file in files if (stamp := stamp_of(file)) is not None}


def differences(before: Mapping[Path, Stamp], after: Mapping[Path, Stamp]) -> set[Path]:
    """The files that were added, removed or written."""
    return {file for file in before.keys() | after.keys() if before.get(file) != after.get(file)}


def folder_error(folder: Path) -> str | None:
    """Why the folder cannot be read, and what to do."""
    if not folder.exists():
        return f"The functions folder {str(folder)!r} does not exist: create it, or correct the path."
    if not folder.is_dir():
        return f"{str(folder)!r} is not a folder: name the folder that the file is in."
    return None


def repository_of(folder: Path) -> Path | None:
    """The root of the repository that the folder is a part of, above it; None if there is none."""
    for parent in folder.parents:
        if parent == Path.home() or parent == parent.parent:
            return None
        if any((parent / mark).exists() for mark in REPOSITORY_MARKS):
            return parent
    return None
