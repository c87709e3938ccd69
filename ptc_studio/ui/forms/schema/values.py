"""JSON values: the one that is not there, and when two are the same to the letter."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final, TypeAlias


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


def same(one: Any, other: Any) -> bool:
    """Whether two values are one in kind, too: 1, 1.0 and true are three."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float):
        return repr(one) == repr(other)
    if isinstance(one, Decimal):
        return str(one) == str(other)
    return one == other


def position_of(value: Any, values: Sequence[Any]) -> int:
    """Where the very value stands, or one that is equal as numbers are; -1 if neither is there."""
    for position, candidate in enumerate(values):
        if same(value, candidate):
            return position
    return -1


def kind_of(value: Any) -> str:
    """The type of a value in the words of JSON Schema."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float | Decimal):
        return "number"
    return {str: "string", list: "array", dict: "object"}.get(type(value), type(value).__name__)


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
