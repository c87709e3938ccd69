"""The files of a workspace's folder, told apart by what they are for; and the first ones of a new workspace."""

import os
import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.python_text import parsed
from ptc_studio.locations import NEW_WORKSPACE
from ptc_studio.sources.functions.entry import FunctionsEntry
from ptc_studio.sources.functions.top_level import first_doing
from ptc_studio.storage.cassettes import FOLDER as CASSETTES
from ptc_studio.storage.mock_store import MOCKS_FILE
from ptc_studio.storage.workspace import FILE_NAME, WorkspaceError, WorkspaceFile

Group = Literal["scripts", "tools", "mocks", "cassettes", "settings"]
SCRIPTS_FOLDER = "scripts"
"""Where the scripts of a new workspace are; those of others are wherever their user puts them."""
FIRST_SCRIPT = "first.py"
LEFT_OUT = frozenset(("__pycache__", "node_modules", "venv", "env", "build", "dist", "target", "site-packages"))
"""Folders of what others made; so are all whose name begins with a dot."""
DEEPEST, MOST = 4, 1000
"""Folders within folders that are looked at, and files that are listed."""
LARGEST_MODULE = 1_000_000


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file of the workspace."""

    path: Path
    group: Group
    name: str
    """As it is seen from the workspace's folder."""


def files_of(folder: Path, file: WorkspaceFile, endings: Collection[str]) -> list[FoundFile]:
    """The scripts, tools, mocks and cassettes of the folder, by name; `endings` are those of scripts.

    Reads the folder: call it from a worker thread. What cannot be read is not listed.
    """
    tools = _tool_folders(folder, file)
    found = [
        FoundFile(path, group, path.relative_to(folder).as_posix())
        for path in _files_below(folder, DEEPEST)
        if (group := _group_of(path, folder, tools, endings)) is not None
    ]
    return sorted(found, key=lambda each: each.name.casefold())[:MOST]


def holds_tools(path: Path, code: str, folder: Path, file: WorkspaceFile) -> bool:
    """Whether a file with that text is loaded as tools of the folder: nobody means to run it as a script."""
    return path.suffix == ".py" and _is_among(path.resolve(), _tool_folders(folder, file)) and _defines_alone(code)


def default_folder(workspace: Path) -> Path:
    """Where a new script is saved: among the scripts, if they have a folder of their own."""
    scripts = workspace / SCRIPTS_FOLDER
    return scripts if scripts.is_dir() else workspace


def make_workspace_folder(folder: Path) -> Path:
    """Fills a new or empty folder with a first tool, a first script and a file that explains itself; gives the script.

    Raises WorkspaceError, and leaves what is there as it is.
    """
    try:
        if folder.is_dir() and any(not path.name.startswith(".") for path in folder.iterdir()):
            raise WorkspaceError(f"{folder} is not empty: name a new folder, or open this one as it is.")
        shutil.copytree(NEW_WORKSPACE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    except OSError as error:
        raise WorkspaceError(f"The workspace {folder} cannot be made: {error.strerror or error}.") from None
    return folder / SCRIPTS_FOLDER / FIRST_SCRIPT


def _files_below(folder: Path, depth: int) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        # A link to a folder may lead round in a circle.
        if entry.is_dir(follow_symlinks=False):
            if depth and entry.name not in LEFT_OUT and not Path(entry.path, "pyvenv.cfg").exists():
                yield from _files_below(Path(entry.path), depth - 1)
        elif entry.is_file():
            yield Path(entry.path)


def _group_of(path: Path, folder: Path, tools: Collection[tuple[Path, bool]], endings: Collection[str]) -> Group | None:
    if path.parent == folder and path.name in (FILE_NAME, MOCKS_FILE):
        return "settings" if path.name == FILE_NAME else "mocks"
    if path.parent == folder / CASSETTES:
        return "cassettes" if path.suffix == ".json" else None
    if _is_among(path, tools) and path.suffix == ".py" and _is_module(path):
        return "tools"
    return "scripts" if path.suffix in endings else None


def _tool_folders(folder: Path, file: WorkspaceFile) -> list[tuple[Path, bool]]:
    """Where functions are looked for, and whether in folders within them, too."""
    functions = (entry for entry in file.sources if isinstance(entry, FunctionsEntry))
    return [((folder / entry.path).resolve(), entry.nested) for entry in functions]


def _is_among(path: Path, tools: Collection[tuple[Path, bool]]) -> bool:
    return any(path.parent == top or (nested and top in path.parents) for top, nested in tools)


def _is_module(path: Path) -> bool:
    try:
        found = path.stat()
    except OSError:
        return False
    return _has_definitions_alone(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4 * MOST)
def _has_definitions_alone(path: Path, _modified: int, _size: int) -> bool:
    """Whether it would be loaded as tools; one that cannot be understood is told so as a tool, not as a script."""
    try:
        return _defines_alone(read_bytes(path, LARGEST_MODULE))
    except (OSError, ValueError):
        return True


def _defines_alone(code: str | bytes) -> bool:
    try:
        return first_doing(parsed(code)) is None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
