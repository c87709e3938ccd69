"""The scripts of the behaviours that every runtime is asked for: `scripts/<language>/<behaviour>.<ending>`."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SCRIPTS = Path(__file__).parent / "scripts"
MARK = "HERE"


@dataclass(frozen=True)
class Behaviour:
    """A script that shows one behaviour in one language."""

    code: str
    filename: str

    @property
    def marked_lines(self) -> list[int]:
        """The lines that the record must name."""
        return [number for number, line in enumerate(self.code.splitlines(), 1) if MARK in line]


def find(behaviour: str, runtime_id: str, language: str) -> Behaviour:
    """The script for the runtime, or else for its language."""
    for folder in (SCRIPTS / runtime_id, SCRIPTS / language):
        for path in sorted(folder.glob(f"{behaviour}.*")):
            return Behaviour(path.read_text(encoding="utf-8"), path.name)
    raise LookupError(f"nobody wrote the behaviour {behaviour!r} for {language}")


def can_have(behaviour: str, runtime_id: str, language: str) -> bool:
    """Whether the language can have the behaviour at all."""
    return not any(behaviour in absent(SCRIPTS / name) for name in (runtime_id, language))


@cache
def absent(folder: Path) -> dict[str, str]:
    """What the language cannot have, and why."""
    file = folder / "absent.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
