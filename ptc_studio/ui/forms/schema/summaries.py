"""Says briefly what a value is: its kind, its bounds, its default; and what stands in an empty field."""

from typing import Any

from ptc_studio.ui.forms.schema.alternatives import kind_label, label_of_value
from ptc_studio.ui.forms.schema.flattening import flatten
from ptc_studio.ui.forms.schema.formats import EXAMPLES
from ptc_studio.ui.forms.schema.json_text import one_line
from ptc_studio.ui.forms.schema.shapes import Shape
from ptc_studio.ui.forms.schema.values import ABSENT

LONGEST = 60


def summary_of(shape: Shape) -> str:
    """Such as `integer, 1 to 500 · default 100`."""
    kinds = {
        "choice": lambda: "one of " + ", ".join(choice.label for choice in shape.choices[:4]),
        "variants": lambda: " or ".join(variant.label for variant in shape.variants[:4]),
    }
    kind = kinds.get(shape.kind, lambda: kind_label(flatten(shape.part)))()
    bounds = bounds_of(shape)
    default = f" · default {_brief(shape.default)}" if shape.default is not ABSENT else ""
    return f"{kind}{', ' if bounds else ''}{bounds}{default}"


def bounds_of(shape: Shape) -> str:
    """The least and the most, such as `1 to 500`; nothing if there are none."""
    said = shape.keywords
    if shape.kind == "number":
        return _range(said.get("minimum"), said.get("maximum"), "") or _open_range(said)
    if shape.kind == "text":
        return _range(None, said.get("maxLength"), " characters")
    if shape.kind == "array":
        return _range(said.get("minItems"), said.get("maxItems"), " items")
    return ""


def placeholder_of(shape: Shape) -> str:
    """What an empty field shows: the default, else what could stand there."""
    if shape.default is not ABSENT:
        return _brief(shape.default)
    if shape.examples:
        return f"such as {_brief(shape.examples[0])}"
    form = shape.keywords.get("format")
    if shape.kind == "text" and form in EXAMPLES:
        return f"such as {EXAMPLES[form]}"
    return bounds_of(shape) if shape.kind == "number" else ""


def preview_of(value: Any) -> str:
    """A value in a few words, for the line of a closed group."""
    if value is ABSENT:
        return "not set"
    if isinstance(value, list):
        return "1 item" if len(value) == 1 else f"{len(value)} items" if value else "empty"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_brief(item, 20)}" for key, item in list(value.items())[:4]) or "empty"
    return _brief(value)


def _brief(value: Any, longest: int = LONGEST) -> str:
    if isinstance(value, dict | list) and len(value) > 20:
        return "{…}" if isinstance(value, dict) else "[…]"
    text = " ".join(value.split()) if isinstance(value, str) and value.strip() else one_line(value)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _range(least: Any, most: Any, unit: str) -> str:
    if least is not None and most is not None:
        return f"{label_of_value(least)} to {label_of_value(most)}{unit}"
    if least is not None:
        return f"at least {label_of_value(least)}{unit}"
    return f"at most {label_of_value(most)}{unit}" if most is not None else ""


def _open_range(said: Any) -> str:
    least, most = said.get("exclusiveMinimum"), said.get("exclusiveMaximum")
    parts = [f"more than {least}" if _is_number(least) else "", f"less than {most}" if _is_number(most) else ""]
    return ", ".join(filter(None, parts))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
