"""What operations are called: `repos/list-for-user` is `repos.list_for_user`."""

import keyword
import re
from collections.abc import Sequence

from ptc_studio.sources.openapi.operations import Operation


def safe_name(name: str) -> str:
    """The name as an identifier that every language takes."""
    safe = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "_"
    if safe[0].isdigit():
        safe = f"_{safe}"
    return f"{safe}_" if keyword.iskeyword(safe) else safe


def names_of(operations: Sequence[Operation]) -> list[str]:
    """A name for each, no two alike; slashes and dots in an id make namespaces."""
    wanted = [_dotted(operation.id) or _by_path(operation) for operation in operations]
    spaces = set(wanted)
    names: list[str] = []
    taken: set[str] = set()
    for operation, name in zip(operations, wanted, strict=True):
        name = _flat(name) if _within_another(name, spaces) else name
        name = _by_path(operation) if name in taken else name
        base, number = name, 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        names.append(name)
    return names


def _dotted(operation_id: str) -> str:
    return ".".join(safe_name(part) for part in re.split(r"[/.]+", operation_id) if part)


def _by_path(operation: Operation) -> str:
    parts = [part for part in re.split(r"\W+", operation.path) if part]
    return safe_name("_".join((operation.method, *(parts or ["root"]))))


def _within_another(name: str, names: set[str]) -> bool:
    """Whether a tool has the name of the namespace: a script cannot have both."""
    parts = name.split(".")
    return any(".".join(parts[:count]) in names for count in range(1, len(parts)))


def _flat(name: str) -> str:
    return name.replace(".", "_")
