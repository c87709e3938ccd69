"""Tells where in a user's file its import went wrong."""

import re
import traceback
from pathlib import Path

from ptc_studio.core.tools import LoadError
from ptc_studio.sources.functions.file_loader import ScriptNotImported

_OWN_PACKAGE = re.compile(r"_ptc_functions_\d+\.")


def load_error(source: str, folder: Path, file: Path, error: BaseException) -> LoadError:
    """The error as the user sees it: the line is the file's own, whatever else is on the stack."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return LoadError(source, str(file), error.lineno, f"{type(error).__name__}: {error.msg}")
    if isinstance(error, ScriptNotImported) and error.path == str(file):
        return LoadError(source, str(file), error.line, error.reason, script=True)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_within(frame.filename, folder)]
    own = [frame.lineno for frame in frames if frame.filename == str(file)]
    return LoadError(source, str(file), own[-1] if own else None, _message(error) + _elsewhere(frames, folder, file))


def _message(error: BaseException) -> str:
    if isinstance(error, ScriptNotImported):
        return str(error)
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - a user's __str__ may be broken
        text = ""
    return _OWN_PACKAGE.sub("", f"{type(error).__name__}: {text}" if text else type(error).__name__)


def _elsewhere(frames: list[traceback.FrameSummary], folder: Path, file: Path) -> str:
    if not frames or frames[-1].filename == str(file):
        return ""
    return f" (in {Path(frames[-1].filename).relative_to(folder).as_posix()}:{frames[-1].lineno})"


def _is_within(filename: str, folder: Path) -> bool:
    return Path(filename).is_relative_to(folder)
