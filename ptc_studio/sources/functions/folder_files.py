"""The files of a functions folder: which there are, which changed, whose they are, and what they could import."""

import ast
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from ptc_studio.bounded_files import Stamp, read_bytes, stamp_of

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


LARGEST = 2_000_000
MOST_FILES = 3_000


def importable(folder: Path, top: Path) -> set[Path]:
    """The modules and packages between `top` and the folder that its files name, be they there or not.

    A name that is not there could be made, and would then be imported; one that is installed is found there first.
    """
    above = [parent for parent in folder.parents if parent == top or top in parent.parents]
    waiting = list(python_files(folder)) if above else []
    names: set[str] = set()
    found: set[Path] = set()
    looked = 0
    while waiting and looked < MOST_FILES:
        path = waiting.pop()
        looked += 1
        for name in _imported(path, stamp_of(path)) - names:
            names.add(name)
            for place in _places(name, above, top):
                found.add(place)
                waiting += [place] if place.suffix == ".py" and place.is_file() else python_files(place)
    return found


@lru_cache(4096)
def _imported(path: Path, stamp: Stamp | None) -> frozenset[str]:
    """The first words of what the file imports, as it was when it had that stamp."""
    if stamp is None:
        return frozenset()
    with suppress(OSError, SyntaxError, ValueError, RecursionError):
        tree = ast.parse(read_bytes(path, LARGEST))
        return frozenset(name.partition(".")[0] for name in _names(tree))
    return frozenset()


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module


def _places(name: str, above: list[Path], top: Path) -> Iterator[Path]:
    if name in sys.stdlib_module_names or _is_installed(name, top):
        return
    for parent in above:
        yield parent / name
        yield parent / f"{name}.py"


def _is_installed(name: str, top: Path) -> bool:
    """Whether the interpreter finds it elsewhere than in the workspace."""
    with suppress(ImportError, ValueError, AttributeError):
        spec = importlib.util.find_spec(name)
        return spec is not None and not (spec.origin and Path(spec.origin).is_relative_to(top))
    return False
