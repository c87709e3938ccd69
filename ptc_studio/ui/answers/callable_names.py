"""The names that a breakpoint or a mock may have: tools, aliases, and patterns over both."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit

from ptc_studio.core.errors import ToolNotFound
from ptc_studio.core.grants import EVERYTHING
from ptc_studio.ui.forms.suggestions import suggest

if TYPE_CHECKING:
    from ptc_studio.app import Studio
    from ptc_studio.core.registry import Target
    from ptc_studio.ui.forms import SchemaForm


def names_of(studio: "Studio") -> list[str]:
    """Aliases and tools first, then a pattern for each source."""
    targets = studio.registry.targets(EVERYTHING)
    patterns = sorted({f"{target.spec.source}.*" for target in targets if target.alias is None})
    return [*(target.spec.name for target in targets), *patterns]


def offer_names(form: "SchemaForm", studio: "Studio") -> None:
    """Has the form's name offer them while one types."""
    line = form.field("name").target()
    if isinstance(line, QLineEdit):
        suggest(line, names_of(studio))
        line.setPlaceholderText("Type to search; shop.* means all of shop")


def target_of(studio: "Studio", name: str) -> "Target | None":
    """What the name leads to; None for a pattern, and for what is not there."""
    try:
        return studio.registry.resolve(name)
    except ToolNotFound:
        return None
