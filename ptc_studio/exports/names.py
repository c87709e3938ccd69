"""Names that a system takes, made of ours; the same for the same tools, whatever order they come in."""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Sequence

_SUFFIX = 6


def vendor_names(
    names: Sequence[str], allowed: str = "A-Za-z0-9_-", limit: int = 64, taken: Collection[str] = ()
) -> dict[str, str]:
    """From each name to the one that the system takes; what would be the same gets an ending made of the whole name."""
    mapped = {name: _fitting(name, allowed, limit) for name in names}
    wanted = Counter(mapped.values())
    for name, fitting in mapped.items():
        # Of two that would be alike the one whose own name it is keeps it.
        if fitting in taken or (wanted[fitting] > 1 and fitting != name):
            mapped[name] = _marked(fitting, name, limit)
    return mapped


def _fitting(name: str, allowed: str, limit: int) -> str:
    fitting = re.sub(f"[^{allowed}]", "_", name) or "_"
    return fitting if len(fitting) <= limit else _marked(fitting, name, limit)


def _marked(fitting: str, name: str, limit: int) -> str:
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_SUFFIX]
    return f"{fitting[: limit - _SUFFIX - 1]}_{mark}"
