"""The folders that a runtime's commands speak of, and putting them in."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ptc_studio.bounded_files import read_bytes
from ptc_studio.runtimes.discovery import Found
from ptc_studio.runtimes.manifest import Manifest


def filled(command: Sequence[str], places: Mapping[str, str]) -> list[str]:
    """The command with the places put in."""
    return [_filled(part, places) for part in command]


def filled_values(values: Mapping[str, str], places: Mapping[str, str]) -> dict[str, str]:
    """The same for variables of the environment."""
    return {name: _filled(value, places) for name, value in values.items()}


def fingerprint(*parts: str | bytes) -> str:
    """A name for what is made of these parts."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:32]


def kit_fingerprint(manifest: Manifest, found: Found) -> str:
    """Changes with every file of the runtime's folder, and with the toolchain."""
    return fingerprint(found.program, found.version, *_contents(manifest.folder))


def _contents(folder: Path) -> Iterable[bytes]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith("example."):
            yield path.relative_to(folder).as_posix().encode()
            yield read_bytes(path)


def _filled(text: str, places: Mapping[str, str]) -> str:
    for name, value in places.items():
        text = text.replace(f"{{{name}}}", value)
    return text
