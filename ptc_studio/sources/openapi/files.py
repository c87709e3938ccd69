"""Files as arguments: a text, a path inside the workspace, or base64."""

import base64
import binascii
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ptc_studio.bounded_files import read_bytes
from ptc_studio.sources.http.errors import HttpRefused
from ptc_studio.sources.placeholders import as_text

FILE_LIMIT = 64_000_000


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file to be sent."""

    content: bytes
    name: str
    media_type: str


def sent_file(value: Any, name: str, folder: Path) -> SentFile:
    """The file that an argument means; raises HttpRefused."""
    if not isinstance(value, dict):
        return SentFile(as_text(value).encode(), name, "application/octet-stream")
    if isinstance(value.get("path"), str):
        path = (folder / value["path"]).resolve()
        content, name = _read(path, value["path"], folder), path.name
    else:
        content = _decoded(value.get("base64"), name)
    name = value.get("filename") or name
    guessed = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return SentFile(content, name, value.get("content_type") or guessed)


def _read(path: Path, shown: str, folder: Path) -> bytes:
    if not path.is_relative_to(folder.resolve()):
        raise HttpRefused(f"The file {shown!r} lies outside of the workspace: only files inside can be sent.")
    try:
        if not path.is_file():
            raise HttpRefused(f"There is no file {shown!r} in the workspace.")
        if path.stat().st_size > FILE_LIMIT:
            raise HttpRefused(f"The file {shown!r} has more than {FILE_LIMIT // 1_000_000} MB.")
        return read_bytes(path, FILE_LIMIT)
    except OSError as error:
        raise HttpRefused(f"The file {shown!r} cannot be read: {error.strerror}.") from None


def _decoded(text: Any, name: str) -> bytes:
    try:
        return base64.b64decode(text if isinstance(text, str) else "", validate=True)
    except (binascii.Error, ValueError):
        raise HttpRefused(f"The argument {name!r} is no base64.") from None
