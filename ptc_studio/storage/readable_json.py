"""JSON for people: what fits into a line stands in one, the rest is broken up."""

import json
from collections.abc import Iterator
from typing import Any, cast

WIDTH = 100


def readable(value: Any, indent: str = "") -> str:
    """The value as JSON text."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= WIDTH or not value or not isinstance(value, (dict, list)):
        return flat
    deeper = indent + "  "
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    lines = ",\n".join(deeper + line for line in _lines(value, deeper))
    return f"{opening}\n{lines}\n{indent}{closing}"


def _lines(value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in cast("dict[str, Any]", value).items():
            yield f"{json.dumps(key, ensure_ascii=False)}: {readable(item, indent)}"
    else:
        for item in cast("list[Any]", value):
            yield readable(item, indent)
