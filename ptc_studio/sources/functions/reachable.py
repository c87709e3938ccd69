"""What the files of a functions folder could import from the folders above it: code that no script may write."""

import ast
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from ptc_studio.bounded_files import Stamp, read_bytes, stamp_of
from ptc_studio.sources.functions.folder_files import python_files

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
