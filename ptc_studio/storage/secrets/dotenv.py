"""Reads `.env` files: names and values, to be kept as secrets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ptc_studio.bounded_files import read_bytes
from ptc_studio.storage.secrets.vault import SecretsError

LARGEST = 200_000
_LINE = re.compile(r"[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=[ \t]*")
_BARE = re.compile(r"[^\n]*")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"[ \t]*(?:#[^\n]*)?(?=\n|\Z)', re.DOTALL)
_SINGLE = re.compile(r"'([^']*)'[ \t]*(?:#[^\n]*)?(?=\n|\Z)")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, slots=True)
class DotenvFile:
    """What such a file says."""

    values: dict[str, str] = field(repr=False)
    """In the order of the file; of a name that comes twice, the last."""
    unread: tuple[int, ...] = ()
    """The lines that are none of names and values."""


def read_dotenv(path: Path) -> DotenvFile:
    """The names and values of the file; raises SecretsError."""
    try:
        text = read_bytes(path, LARGEST).decode("utf-8-sig")
    except OSError as error:
        raise SecretsError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        # The error itself would carry a part of the file.
        raise SecretsError(f"{path} is not UTF-8 text.") from None
    found = parse_dotenv(text.replace("\r\n", "\n"))
    if not found.values:
        raise SecretsError(f"{path} has no line of the form NAME=value.")
    return found


def parse_dotenv(text: str) -> DotenvFile:
    """As shells and their libraries read it: `export`, quotes of both kinds, several lines within quotes, comments."""
    values: dict[str, str] = {}
    unread: list[int] = []
    for line, name, value in _entries(text):
        if name is None:
            unread.append(line)
        elif value:
            values.pop(name, None)
            values[name] = value
    return DotenvFile(values, tuple(unread))


def _entries(text: str) -> Iterator[tuple[int, str | None, str]]:
    """The line, the name and the value of each entry; no name where a line is none."""
    at = 0
    while at < len(text):
        line = text.count("\n", 0, at) + 1
        head = _LINE.match(text, at)
        if head is None:
            end = _end_of_line(text, at)
            if text[at:end].strip() and not text[at:end].lstrip().startswith("#"):
                yield line, None, ""
            at = end + 1
            continue
        value, end = _value(text, head.end())
        yield line, head[1], value
        at = _end_of_line(text, end) + 1


def _value(text: str, at: int) -> tuple[str, int]:
    if found := _DOUBLE.match(text, at):
        return _ESCAPE.sub(lambda escape: _ESCAPES.get(escape[1], escape[1]), found[1]), found.end()
    if found := _SINGLE.match(text, at):
        return found[1], found.end()
    found = _BARE.match(text, at)
    assert found is not None
    return re.split(r"[ \t]#", found[0], maxsplit=1)[0].strip(), found.end()


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
