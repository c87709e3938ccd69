"""Takes out of arguments what stands in password fields: redaction may not know it for a secret, the schema does."""

from typing import Any

from ptc_studio.ui.forms.schema.parts import Part, root_part
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.shaping import shape_of

DEEPEST = 12
"""A schema may contain itself."""
_GONE = object()


def without_passwords(arguments: dict[str, Any], schema: Any) -> dict[str, Any]:
    """The arguments, those aside that are typed into password fields."""
    kept = _kept(arguments, root_part(schema), 0)
    return kept if isinstance(kept, dict) else {}


def _kept(value: Any, part: Part | None, depth: int) -> Any:
    if part is None or depth > DEEPEST:
        return value
    shape = shape_of(part)
    if shape.kind == "text":
        return _GONE if shape.style == "password" and value is not None else value
    for variant in shape.variants:
        # Whichever it follows: what is a password in one is not kept for any.
        value = _kept(value, variant.part, depth + 1)
    if isinstance(value, dict):
        items = {key: _kept(item, _part_of(shape, key), depth + 1) for key, item in value.items()}
        return {key: item for key, item in items.items() if item is not _GONE}
    if isinstance(value, list):
        return [kept for item in value if (kept := _kept(item, shape.items, depth + 1)) is not _GONE]
    return value


def _part_of(shape: Shape, key: str) -> Part | None:
    return shape.properties.get(key, shape.additional)
