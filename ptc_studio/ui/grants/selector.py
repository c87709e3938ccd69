"""Chooses what the script may call, and remembers it: everything, a grant set of the workspace, or what is ticked."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from ptc_studio.ui.widgets.choice_selector import ChoiceRow, ChoiceSelector

if TYPE_CHECKING:
    from ptc_studio.storage.settings import Settings


EVERYTHING = "Everything"
AS_TICKED = "As ticked"
ALL = ChoiceRow("everything", EVERYTHING)


class GrantSelector(ChoiceSelector):
    """Kinds of its rows: `everything`, `set` (its name is the key) and `ticked`."""

    caption = "Grants"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ALL, parent)
        self.setObjectName("grantSelector")
        self.setAccessibleName("Grants: what the script may call")
        self.setToolTip("What the script may call")

    def expect(self, name: str) -> None:
        """Shows this name until the sets are known: what stands beside it is not to move then."""
        row = ChoiceRow("set", name, name)
        self.show_rows((ALL, row), row)


KEY = "grants"


@dataclass(frozen=True, slots=True)
class SavedChoice:
    """A set by its name, and what it said: one that has gone goes on meaning that, rather than everything."""

    name: str
    patterns: tuple[str, ...] = ()


def saved_choice(settings: "Settings", folder: Path | None) -> SavedChoice | None:
    """The choice for the workspace; None: everything."""
    found = _kept(settings, folder)
    if not isinstance(found.get("name"), str):
        return None
    return SavedChoice(found["name"], _texts(found.get("patterns")) or ())


def saved_ticks(settings: "Settings", folder: Path | None) -> tuple[str, ...] | None:
    """What was ticked instead of what is chosen; None: nothing else."""
    return _texts(_kept(settings, folder).get("ticked"))


def saved_title(settings: "Settings", folder: Path | None) -> str:
    """What the selector will show; empty: everything."""
    choice = saved_choice(settings, folder)
    if saved_ticks(settings, folder) is not None:
        return AS_TICKED
    return choice.name if choice else ""


def save_choice(
    settings: "Settings", folder: Path | None, choice: SavedChoice | None, ticked: tuple[str, ...] | None = None
) -> None:
    """Remembers it; None: everything, which needs no remembering."""
    mine: dict[str, Any] = {"name": choice.name, "patterns": list(choice.patterns)} if choice else {}
    if ticked is not None:
        mine["ticked"] = list(ticked)
    settings.set_entry(KEY, _key(folder), mine or None)


def _kept(settings: "Settings", folder: Path | None) -> dict[str, Any]:
    known = settings.get(KEY, {})
    found = known.get(_key(folder)) if isinstance(known, dict) else None
    return found if isinstance(found, dict) else {}


def _texts(value: object) -> tuple[str, ...] | None:
    return tuple(map(str, value)) if isinstance(value, list) else None


def _key(folder: Path | None) -> str:
    return str(folder.resolve()) if folder is not None else ""
