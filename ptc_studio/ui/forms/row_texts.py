"""What a row says: its help, its tooltip, and which of its faults it is time for."""

from collections.abc import Sequence
from typing import Any

from ptc_studio.ui.forms.schema.faults import Fault
from ptc_studio.ui.forms.schema.shapes import Shape

SMALL = 8
LATER = frozenset({"required", "minItems", "minProperties"})
"""What is wrong with a form that nobody has touched is not said before its time."""


def due(faults: Sequence[Fault], *, touched: bool) -> list[Fault]:
    """The faults to say now."""
    return [fault for fault in faults if touched or fault.rule not in LATER]


def help_of(shape: Shape) -> str:
    """What is to be known of the field."""
    notes = ["Deprecated."] if shape.deprecated else []
    notes += ["Read only."] if shape.read_only else []
    why = f"As JSON, because {shape.problem}." if shape.problem else ""
    return " ".join(filter(None, (*notes, shape.description, why)))


def is_small(value: Any) -> bool:
    """Whether a value is short enough to be seen at once."""
    return isinstance(value, dict | list) and 0 < len(value) <= SMALL


def tip_of(shape: Shape, label: str) -> str:
    """What may be cut in the row, whole."""
    return shape.description if len(shape.description) > 120 else label if len(label) > 24 else ""
