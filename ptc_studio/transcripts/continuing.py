"""Finds the programs whose names another one goes on with, where a conversation had several in one container."""

from pathlib import Path

from ptc_studio.bounded_files import read_bytes
from ptc_studio.core.responders.cassette import Cassette
from ptc_studio.core.scripts import Script
from ptc_studio.storage.cassettes import read_cassette
from ptc_studio.transcripts.documents import TranscriptError

ENDING = ".cassette.json"
MOST = 1_000


def cassette_of_script(script: Path) -> Path:
    """Where the calls of an imported script are: `01-x.py` has `01-x.cassette.json`."""
    return script.with_name(f"{script.stem}{ENDING}")


def earlier_programs(cassette: Cassette, folder: Path) -> list[tuple[Script, Cassette]]:
    """Those that ran before in the same container, the first one first; raises TranscriptError or CassetteError."""
    found: list[tuple[Script, Cassette]] = []
    seen: set[str] = set()
    while cassette.continues and len(found) < MOST:
        path = folder / Path(cassette.continues).name
        if path.name in seen:
            raise TranscriptError(f"{path} goes on with itself, by way of others: correct `continues` in its cassette.")
        seen.add(path.name)
        try:
            code = read_bytes(path).decode("utf-8-sig")
        except (OSError, UnicodeDecodeError):
            raise TranscriptError(
                f"{path} cannot be read: {cassette.name} goes on with its names, so keep the two together."
            ) from None
        cassette = read_cassette(cassette_of_script(path))
        found.append((Script(code, str(path), str(path.resolve().parent)), cassette))
    return found[::-1]
