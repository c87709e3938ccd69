"""Brings together what a person edited and what was hidden from him."""

from collections.abc import Mapping
from typing import Any, cast


def merged(original: Any, shown: Any, edited: Any) -> Any:
    """What `edited` makes of `original`, of which the person saw `shown`: what he left as shown is the original."""
    if _all(Mapping, original, shown, edited):
        old, seen = cast("Mapping[str, Any]", original), cast("Mapping[str, Any]", shown)
        changed = cast("Mapping[str, Any]", edited)
        return {
            key: merged(old[key], seen[key], value) if key in old and key in seen else value
            for key, value in changed.items()
        }
    if _all((list, tuple), original, shown, edited) and len(original) == len(shown) == len(edited):
        return [merged(*items) for items in zip(original, shown, edited, strict=True)]
    return original if type(edited) is type(shown) and edited == shown else edited


def _all(kind: type | tuple[type, ...], *values: Any) -> bool:
    return all(isinstance(value, kind) for value in values)
