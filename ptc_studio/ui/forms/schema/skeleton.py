"""The value that a fresh form begins with: what there is no choice about, and nothing else."""

from typing import Any

from ptc_studio.ui.forms.schema.parts import Part
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.shaping import shape_of
from ptc_studio.ui.forms.schema.values import ABSENT

DEEPEST = 6


def fresh_value(part: Part, *, depth: int = 0) -> Any:
    """The value of something required before anybody has touched it."""
    return fresh_value_of(shape_of(part), depth=depth)


def fresh_value_of(shape: Shape, *, depth: int = 0) -> Any:
    """The same, for a shape."""
    if shape.default is not ABSENT:
        return shape.default
    if shape.kind == "choice" and len(shape.choices) == 1:
        return shape.choices[0].value
    if shape.kind == "null":
        return None
    if depth >= DEEPEST:
        return ABSENT
    if shape.kind == "object":
        return _object(shape, depth)
    if shape.kind == "array":
        prefix = [fresh_value(part, depth=depth + 1) for part in shape.prefix]
        return [] if any(value is ABSENT for value in prefix) else prefix
    return ABSENT


def _object(shape: Shape, depth: int) -> dict[str, Any]:
    made = {
        name: fresh_value(part, depth=depth + 1) for name, part in shape.properties.items() if name in shape.required
    }
    return {name: value for name, value in made.items() if value is not ABSENT}
