"""Whether a shape takes one line or a group of lines."""

from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.shaping import shape_of

_GROUPS = ("object", "array")


def is_group(shape: Shape) -> bool:
    """Objects and lists are groups, and so are alternatives of which one is."""
    if shape.kind != "variants":
        return shape.kind in _GROUPS
    kinds = {shape_of(variant.part).kind for variant in shape.variants}
    return bool(kinds & {*_GROUPS, "variants"})
