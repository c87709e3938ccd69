"""Which grant set a workspace was last used with, remembered between two starts."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptc_studio.storage.settings import Settings

KEY = "grants"


@dataclass(frozen=True, slots=True)
class KeptChoice:
    """A set by its name, and what it said: one that has gone goes on meaning that, rather than everything."""

    name: str
    patterns: tuple[str, ...] = ()


def kept_choice(settings: "Settings", folder: Path | None) -> KeptChoice | None:
    """The choice for the workspace; None: everything."""
    known = settings.get(KEY, {})
    found = known.get(_key(folder)) if isinstance(known, dict) else None
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        return None
    patterns = found.get("patterns")
    return KeptChoice(found["name"], tuple(map(str, patterns)) if isinstance(patterns, list) else ())


def keep_choice(settings: "Settings", folder: Path | None, choice: KeptChoice | None) -> None:
    """Remembers it; None: everything, which needs no remembering."""
    known = settings.get(KEY, {})
    others = {key: value for key, value in known.items() if key != _key(folder)} if isinstance(known, dict) else {}
    mine = {_key(folder): {"name": choice.name, "patterns": list(choice.patterns)}} if choice else {}
    settings.set(KEY, {**others, **mine})


def _key(folder: Path | None) -> str:
    return str(folder.resolve()) if folder is not None else ""
