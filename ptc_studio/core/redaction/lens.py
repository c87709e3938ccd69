"""Tells what rules hide, and where: for whoever tries them, and for a person who asks to see what was hidden."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ptc_studio.core.redaction.redactor import Redactor


@dataclass(frozen=True, slots=True, repr=False)
class HiddenPart:
    """One thing that a rule hides. It holds the secret itself: it is shown to a person, and goes nowhere else."""

    rule: str
    path: str
    """The place in the value, as a JSONPath; `$` in a text."""
    text: str
    start: int = 0
    """Where it begins in the text at that place."""

    def __repr__(self) -> str:
        return f"HiddenPart({self.rule!r}, {self.path!r})"


def findings(redactor: "Redactor", value: Any) -> list[HiddenPart]:
    """What would be hidden of a value or a text, in order."""
    return redactor.explained(value)


def original(redactor: "Redactor", value: Any, rule: str, path: str) -> str | None:
    """What the rule hid at that place of the value; several pieces are put on a line each."""
    found = [each.text for each in findings(redactor, value) if (each.rule, each.path) == (rule, path)]
    return "\n".join(dict.fromkeys(found)) or None
