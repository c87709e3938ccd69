"""Finds the alternative that a given value follows."""

from collections.abc import Sequence
from typing import Any

from ptc_studio.ui.forms.schema.checking import Fits
from ptc_studio.ui.forms.schema.flattening import flatten, listed
from ptc_studio.ui.forms.schema.shapes import Variant
from ptc_studio.ui.forms.schema.values import kind_of, same


def variant_for(value: Any, variants: Sequence[Variant], fits: Fits) -> int:
    """The position of the variant that fits, or comes nearest; -1 where not even the type is right."""
    ranked = [(_nearness(value, variant), -position) for position, variant in enumerate(variants)]
    # Of several that fit, the one that knows most of the keys: there each of them has a field.
    fitting = [rank for rank in ranked if rank[0] and fits(value, variants[-rank[1]].alone)]
    nearest, position = max(fitting or ranked, default=(0, 0))
    return -position if nearest > 0 else -1


def _nearness(value: Any, variant: Variant) -> int:
    if not _is_of_kind(value, variant):
        return 0
    if not isinstance(value, dict):
        return 1
    if variant.tag is not None and same(value.get(variant.tag[0]), variant.tag[1]):
        return 1000
    flat = flatten(variant.part)
    required = flat.keywords.get("required", ())
    return 1 + 2 * len(value.keys() & set(required)) + len(value.keys() & flat.properties.keys())


def _is_of_kind(value: Any, variant: Variant) -> bool:
    types, kind = listed(flatten(variant.part).keywords.get("type")), kind_of(value)
    whole = kind == "number" and float(value).is_integer()
    return not types or kind in types or (kind == "integer" and "number" in types) or (whole and "integer" in types)
