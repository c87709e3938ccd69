"""Secrets that come by variables of the environment, and by `.env` files."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.redaction import KnownSecrets
from ptc_studio.storage.secrets.vault import SecretsError

OVERRIDE = "PTC_SECRET_"
"""What a variable begins with that stands for a secret."""
VAULT_VARIABLE = "PTC_SECRETS_PASSPHRASE"
SECRET_VARIABLE = re.compile(
    r"(?i)(^|_)(api_?key|token|secrets?|(pg)?password|passwd|passphrase|credentials?|access_?key|private_?key)(_|$)"
)
_taken: dict[str, str] = {}


def take_secret_variables() -> None:
    """Has this process alone know them from now on: children inherit the rest of the environment."""
    for name in [name for name in os.environ if name.startswith(OVERRIDE) or name == VAULT_VARIABLE]:
        _taken[name] = os.environ.pop(name)


def own_variables() -> dict[str, str]:
    """Those of the secrets and their passphrase, taken or not: for the studio itself, and other windows of it."""
    left = {name: value for name, value in os.environ.items() if name.startswith(OVERRIDE) or name == VAULT_VARIABLE}
    return {**_taken, **left}


def override(name: str, variables: Mapping[str, str]) -> str | None:
    """The value that a variable gives a secret of that name."""
    found = variables.get(OVERRIDE + name)
    return variables.get(OVERRIDE + re.sub(r"\W", "_", name).upper()) if found is None else found


def secrets_of_environment() -> KnownSecrets:
    """What the environment holds in variables that are named as secrets are: it is hidden, too."""
    secrets = KnownSecrets()
    for name, value in _all_variables():
        if SECRET_VARIABLE.search(name):
            secrets.add(name, value)
    return secrets


def _all_variables() -> Iterator[tuple[str, str]]:
    yield from os.environ.items()
    yield from _taken.items()


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
