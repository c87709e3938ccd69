"""What was filled in and not saved, so that a key pressed too early loses nothing."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from ptc_studio.ui.window import MainWindow

Key = tuple[str, ...]
"""What was being filled in: that it is an alias or a source, and which."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One entry that was begun."""

    began: dict[str, Any]
    """As it was before anybody typed."""
    values: dict[str, Any]


_drafts: "WeakKeyDictionary[MainWindow, dict[Key, Draft]]" = WeakKeyDictionary()


def keep_draft(window: "MainWindow", key: Key, draft: Draft) -> None:
    _drafts.setdefault(window, {})[key] = draft


def take_draft(window: "MainWindow", key: Key, began: dict[str, Any]) -> dict[str, Any] | None:
    """What was typed there before, if it began with the same; it is taken out."""
    draft = _drafts.get(window, {}).pop(key, None)
    return draft.values if draft is not None and draft.began == began else None
