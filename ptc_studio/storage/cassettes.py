"""Cassettes as files: readable JSON in the workspace's folder `cassettes`."""

import json
import stat
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.answering.cassette_calls import Cassette
from ptc_studio.core.errors import PtcError
from ptc_studio.storage.cassette_file import CassetteFile, fault_in, file_of
from ptc_studio.storage.readable_json import readable
from ptc_studio.storage.text_files import replace_file

FOLDER = "cassettes"
LARGEST = 200_000_000
AGAIN = "Correct it, or record the run again."


class CassetteError(PtcError):
    """A cassette that cannot be read or written; the message says which, where and what to do."""


def cassettes_in(folder: Path) -> list[Path]:
    """The cassettes of a workspace, by name."""
    try:
        found = [path for path in (folder / FOLDER).iterdir() if path.suffix == ".json" and path.is_file()]
    except OSError:
        return []
    return sorted(found, key=lambda path: path.stem.casefold())


def read_cassette(path: Path) -> Cassette:
    """Raises CassetteError naming the file, the line or the entry, and the remedy."""
    document = _parsed(_text(path), path)
    try:
        return CassetteFile.model_validate(document).cassette(path.stem)
    except ValidationError as error:
        raise CassetteError(f"{path} is no cassette: {fault_in(error)}. {AGAIN}") from None
    except RecursionError:
        raise CassetteError(f"{path} is no cassette: it is nested too deeply. {AGAIN}") from None


def check_target(path: Path) -> None:
    """Raises CassetteError if there is no hope of writing there, before anything is done that is worth keeping."""
    if path.is_dir():
        raise CassetteError(f"{path} is a folder: name a file for the cassette, such as {path / 'demo.json'}.")
    _make_folder(path)


def write_cassette(path: Path, cassette: Cassette) -> None:
    """Puts the file in its place whole, or leaves what there was; raises CassetteError."""
    check_target(path)
    text = readable(file_of(cassette)) + "\n"
    try:
        # Half a character, as a tool of somebody else's may give it, cannot be written.
        replace_file(path.resolve(), text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise CassetteError(f"The cassette {path} cannot be written: {error.strerror or error}.") from None


def _make_folder(path: Path) -> None:
    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CassetteError(f"The cassette {path} cannot be written: {error.strerror or error}.") from None


def _text(path: Path) -> str:
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise CassetteError(f"{path} is no file: name a cassette, such as cassettes/demo.json.")
        if found.st_size > LARGEST:
            raise CassetteError(f"{path} is too large for a cassette: {found.st_size:,} bytes, at most {LARGEST:,}.")
        return read_bytes(path, LARGEST).decode("utf-8-sig")
    except FileNotFoundError:
        raise CassetteError(f"There is no cassette {path}: record one with --record {path}.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise CassetteError(f"{path}:{line}: this is not UTF-8 text. {AGAIN}") from None
    except OSError as error:
        raise CassetteError(f"{path} cannot be read: {error.strerror or error}.") from None


def _parsed(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        what = f"{error.msg[:1].lower()}{error.msg[1:]}"
        raise CassetteError(
            f"{path}:{error.lineno}: this is not JSON: {what} (column {error.colno}). {AGAIN}"
        ) from None
    except (RecursionError, ValueError) as error:
        raise CassetteError(f"{path} is no cassette: {error}. {AGAIN}") from None
