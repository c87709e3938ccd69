"""Which names a script's own language has already, and what tools are called where dots are not taken."""

import builtins
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from keyword import iskeyword

OWN = frozenset(("call_tool", "call_tool_async", "aio"))
"""What every script in Python finds beside its tools."""
BUILTINS = frozenset(dir(builtins)) | OWN
IDENTIFIER_LETTERS = "A-Za-z0-9_"
LONGEST = 64
"""Letters that models' interfaces take for a name."""
_SUFFIX = 6
_WORDS = re.compile(r"\w+")


def clash(name: str) -> str:
    """What of Python's the first part of the name already means there, in words; empty if nothing."""
    first = name.partition(".")[0]
    if any(map(iskeyword, name.split("."))):
        return "a word of Python's"
    if first in OWN:
        return "a function of the studio's own"
    if first in BUILTINS:
        return "a built-in of Python's"
    return "a module of Python's" if first in sys.stdlib_module_names else ""


def is_displaced(name: str) -> bool:
    """Whether the name means something else in every script in Python, so that the tool has to be called otherwise."""
    return name.partition(".")[0] in BUILTINS or any(map(iskeyword, name.split(".")))


def free_name(name: str) -> str:
    """The same for a name that means nothing else in Python: `import_`, `print_`, `time_.now`; itself if it is free."""
    if not clash(name):
        return name
    first, *rest = name.split(".")
    taken = first in BUILTINS or first in sys.stdlib_module_names or iskeyword(first)
    parts = (f"{first}_" if taken else first, *(f"{part}_" if iskeyword(part) else part for part in rest))
    return ".".join(parts)


def fitting_names(
    names: Sequence[str], allowed: str = "A-Za-z0-9_-", limit: int = LONGEST, taken: Collection[str] = ()
) -> dict[str, str]:
    """From each name to the one that a system takes; what would be the same gets an ending made of the whole name."""
    return _told_apart({name: _fitting(name, allowed, limit) for name in names}, limit, taken)


def exported_names(names: Sequence[str], taken: Collection[str] = ()) -> dict[str, str]:
    """From each name to the identifier that models are told, which `flat_names` knows as well."""
    return _told_apart({name: _flat(name) for name in names}, LONGEST, taken)


def _told_apart(mapped: dict[str, str], limit: int, taken: Collection[str]) -> dict[str, str]:
    wanted = Counter(mapped.values())
    for name, fitting in mapped.items():
        # Of two that would be alike the one whose own name it is keeps it.
        if fitting in taken or (wanted[fitting] > 1 and fitting != name):
            mapped[name] = _marked(fitting, name, limit)
    return mapped


def flat_names(names: Iterable[str]) -> dict[str, list[str]]:
    """From every name under which one of these may have been exported to those whose it may be."""
    found: dict[str, list[str]] = {}
    for name in names:
        flat = _flat(name)
        for each in {flat, _marked(flat, name, LONGEST)} - {name}:
            found.setdefault(each, []).append(name)
    return found


def words_of(text: str) -> frozenset[str]:
    """What may be names in a script."""
    return frozenset(_WORDS.findall(text))


def _flat(name: str) -> str:
    flat = _fitting(name, IDENTIFIER_LETTERS, LONGEST)
    return free_name(flat) if is_displaced(flat) else flat


def _fitting(name: str, allowed: str, limit: int) -> str:
    fitting = re.sub(f"[^{allowed}]", "_", name) or "_"
    if allowed == IDENTIFIER_LETTERS and fitting[0].isdigit():
        fitting = f"_{fitting}"
    return fitting if len(fitting) <= limit else _marked(fitting, name, limit)


def _marked(fitting: str, name: str, limit: int) -> str:
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_SUFFIX]
    return f"{fitting[: limit - _SUFFIX - 1]}_{mark}"
