"""Values of a form: the one that is not there, where a value stands, and what is wrong with it."""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias


class Absent:
    """The type of `ABSENT`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = Absent()
"""What stands for a value that was left out; null is a value."""
Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]
"""The keys and positions that lead to a value."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing to mend."""

    path: Path
    message: str
    """One plain sentence."""
    rule: str = ""
    """The keyword of the schema that it offends, such as `minimum`."""
    advice: bool = False
    """A value that looks wrong and can be sent all the same: `format` promises nothing."""

    @property
    def location(self) -> str:
        """Where it is, as one writes it: `lines[2].amount`; nothing for the whole."""
        text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return text.removeprefix(".")

    def within(self, step: Step) -> "FieldError":
        """The same, seen from the value around."""
        return replace(self, path=(step, *self.path))
